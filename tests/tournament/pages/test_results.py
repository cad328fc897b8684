"""The public page of results: winners with prizes, and all matches in a chosen order."""

import random
import re

import pytest

from tests.tournament import stories
from tests.tournament.pages.places import at
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.draw.formats import Format, Kind
from tournament.draw.prizes import parse_prizes
from tournament.entries import registration
from tournament.models import Pairing
from tournament.queries.events.ends import find_result

pytestmark = pytest.mark.django_db
PRIZES = parse_prizes({"currency": "EUR", "tables": {"main": {"1": "70"}, "consolation": {"1": "Trophy"}}})


def winners(page) -> list[str]:
    """The names of winners in the table of results, from top to bottom."""
    table = page.text.partition('id="results"')[2]
    return re.findall(r'<th scope="row"[^>]*>\s*<a [^>]*><bdi>([^<]*)</bdi>', table)


def test_the_page_names_winners_and_prizes_of_all_brackets_at_the_end(owner, stranger):
    made = stories.released(owner, 4, format=Format(consolation="simple"), prizes=PRIZES)
    assert not stranger.open("results-page", *at(made)).says("Winner")
    stories.play_out(made, owner, random.Random(2))
    page, result = stranger.open("results-page", *at(made)), find_result(made)
    assert result.winners is not None
    assert page.says(result.winners.champions[0].name)
    assert page.says("€70")
    assert page.says("Consolation")
    assert page.says("Trophy")
    assert [line.place_text for line in result.winners.lines] == ["1", "2", "3–4", "3–4"]


def test_entries_that_share_the_first_place_are_all_winners(owner, stranger):
    made = stories.released(owner, 3, method="seeded", format=Format(Kind.ROUND_ROBIN))
    for winner, loser in ((1, 2), (2, 3), (3, 1)):
        row = meeting(made, winner, loser)
        stories.play(row, owner, "left" if row.left.seed == winner else "right", (3, 2))
    result = find_result(made)
    assert result.winners is not None
    assert len(result.winners.champions) == 3
    page = stranger.open("results-page", *at(made))
    assert all(page.says(line.name) for line in result.winners.champions)


def test_a_match_decided_by_a_withdrawal_is_in_the_list(owner, stranger):
    made = seeded(owner, 4)
    wins(made, owner, 2, 3)
    registration.withdraw(made.entries.get(seed=4), owner)
    opponent, winner = (made.entries.get(seed=seed).name for seed in (1, 2))
    for order, expected in (("", [winner, opponent]), ("?sort=time", [opponent, winner])):
        page = stranger.open("results-page", *at(made), query=order)
        assert winners(page) == expected
    assert page.says("withdrawn")


def test_a_column_heading_sorts_the_results_and_reverses_them(owner, stranger):
    made = seeded(owner, 4)
    earlier, later = (name_of_winner(wins(made, owner, *seeds)) for seeds in ((2, 3), (1, 4)))

    def sorted_by(column: str) -> list[str]:
        return winners(stranger.open("results-page", *at(made), query=f"?sort={column}"))

    assert sorted_by("") == sorted_by("unknown") == sorted_by("-time") == [later, earlier]
    assert sorted_by("time") == [earlier, later]
    assert sorted_by("round") == [later, earlier]
    assert sorted_by("winner") == sorted([earlier, later])
    assert stranger.says('aria-sort="ascending"')
    assert stranger.says("?sort=-winner")
    assert sorted_by("-winner") == sorted([earlier, later], reverse=True)


def name_of_winner(row: Pairing) -> str:
    row.refresh_from_db()
    return row.winner.name


def test_results_of_a_hidden_draw_are_not_public(owner, stranger):
    made = stories.released(owner, 4)
    stories.play(stories.playable(made)[0], owner)
    made.draws.update(released_at=None)
    assert winners(stranger.open("results-page", *at(made))) == []
