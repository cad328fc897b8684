"""A match in a column of the desk: its number, round, length, players and points. No database."""

import uuid
from dataclasses import replace
from types import SimpleNamespace

from django.template.loader import render_to_string

from tournament.queries.brackets.bracket_view import PairingView, SeatView
from tournament.queries.desk.desk import DeskLine
from tournament.queries.desk.urgent import TournamentName

LEFT, RIGHT = SeatView(name="<b>Ana", points=2), SeatView(name="O'Neil & Co", points=0, is_winner=True)
PAIRING = PairingView(7, 5, "C5", 2, 1, LEFT, RIGHT, 9, "playing", "", False, False, None)
OPEN = TournamentName(uuid.UUID(int=1), "Open", "open")
PLACE = {"event": SimpleNamespace(slug="friday")}


def duel(*, points: bool = False, **changes) -> str:
    line = DeskLine(OPEN, replace(PAIRING, **changes), "consolation", "round_2")
    return render_to_string("director/duel.html", {**PLACE, "line": line, "points": points})


def test_a_match_links_to_its_page_and_shows_number_round_length_players_and_points():
    assert [line.strip() for line in duel(points=True).splitlines() if line.strip()] == [
        '<a class="duel" href="/e/friday/open/desk/7/">',
        '<span class="duel__head"><span class="num">C5</span> Consolation · Round 2, to 9</span>',
        '<span class="duel__side "><bdi>&lt;b&gt;Ana</bdi><b class="num">2</b></span>',
        '<span class="duel__side is-winner"><bdi>O&#x27;Neil &amp; Co</bdi><b class="num">0</b></span>',
        "</a>",
    ]
    assert 'class="num">2<' not in duel()
    assert 'class="num">0<' not in duel(points=True, left=SeatView(name="Ana"), right=SeatView(name="Bo"))


def test_it_shows_table_crawford_game_and_results_without_play():
    assert " · <strong>table &lt;T&gt;</strong>" in duel(table="<T>")
    crawford = ' <span class="badge badge--crawford">Crawford</span>'
    assert crawford in duel(is_crawford=True)
    assert crawford not in duel(is_crawford=True, state="ready") + duel()
    assert ' <span class="badge badge--walkover">no-show</span>' in duel(how="no_show", state="decided")
    assert "badge--walkover" not in duel()
