"""How a match stands in a column of the desk: what is told of it, and whose name does no harm. No database."""

from dataclasses import replace
from types import SimpleNamespace

from django.template import Context, Template

from tournament.queries.brackets.bracket_view import PairingView, SeatView
from tournament.queries.desk.desk import DeskLine

LEFT, RIGHT = SeatView(name="<b>Ana", points=2), SeatView(name="O'Neil & Co", points=0, is_winner=True)
PAIRING = PairingView(7, 5, "C5", 2, 1, LEFT, RIGHT, 9, "playing", "", False, False, None)
PLACE = {"event": SimpleNamespace(slug="friday"), "tournament": SimpleNamespace(slug="open")}


def told(tag: str, **known) -> str:
    line = DeskLine(replace(PAIRING, **known), "consolation", "round_2")
    return Template("{% load duels %}{% duel line " + tag + " %}").render(Context({**PLACE, "line": line}))


def test_a_match_leads_to_its_page_and_says_number_round_length_players_and_points():
    assert told("points=True").split("\n") == [
        '<a class="duel" href="/e/friday/open/desk/7/">',
        '  <span class="duel__head"><span class="num">C5</span> Consolation · Round 2, to 9</span>',
        '  <span class="duel__side "><bdi>&lt;b&gt;Ana</bdi><b class="num">2</b></span>',
        '  <span class="duel__side is-winner"><bdi>O&#x27;Neil &amp; Co</bdi><b class="num">0</b></span>',
        "</a>",
    ]
    assert 'class="num">2<' not in told("")
    assert 'class="num">0<' not in told("points=True", left=SeatView(name="Ana"), right=SeatView(name="Bo"))


def test_it_says_its_table_a_crawford_game_that_is_played_and_how_it_ended_without_play():
    assert " · <strong>table &lt;T&gt;</strong>" in told("", table="<T>")
    crawford = ' <span class="badge badge--crawford">Crawford</span>'
    assert crawford in told("", is_crawford=True)
    assert crawford not in told("", is_crawford=True, state="ready") + told("")
    assert ' <span class="badge badge--walkover">no-show</span>' in told("", how="no_show", state="decided")
    assert "badge--walkover" not in told("")
