"""The table of results: every decided match with its number and the kind of its result."""

import pytest

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.exports.export_tables import results_table
from tournament.models import Tournament
from tournament.results import desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def actor(db):
    return stories.director()


def rows(made: Tournament) -> list[dict]:
    table = results_table(made)
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def test_a_played_match_is_listed_with_number_score_and_confirmation(actor):
    made = seeded(actor, 6, lengths=(7, 5))
    row = wins(made, actor, 4, 5)
    line = rows(made)[0]
    assert (line["number"], line["round"], line["line"], line["length"]) == (1, 1, 2, 5)
    assert (line["left"], line["right"]) == (row.left.player.name, row.right.player.name)
    assert {line["left_points"], line["right_points"]} == {5, 4}
    assert line["winner"] == made.entries.get(seed=4).player.name
    assert (line["kind"], line["confirmed_by"], line["bracket"]) == ("played", "desk", "main")
    assert line["round_name"] == "Quarterfinals"


def test_unplayed_matches_are_marked_and_byes_are_left_out(actor):
    made = seeded(actor, 6)
    desk.award(meeting(made, 4, 5), None, "double_no_show", "", actor)
    registration.withdraw(made.entries.get(seed=6), actor)
    advancing.advance_waiting()
    lines = [(row["kind"], row["winner"], row["left_points"], row["confirmed_by"]) for row in rows(made)]
    winner = made.entries.get(seed=3).player.name
    assert lines == [("double_no_show", "", None, "desk"), ("withdrawn", winner, None, "")]
    assert rows(made)[1]["posted_at"] is None


def test_a_correction_replaces_the_result_and_a_retracted_result_is_left_out(actor):
    made = seeded(actor, 4)
    row = wins(made, actor, 1, 4)
    desk.award(row, made.entries.get(seed=4).pk, "walkover", "", actor)
    assert [(row["kind"], row["winner"]) for row in rows(made)] == [
        ("walkover", made.entries.get(seed=4).player.name)
    ]
    desk.retract(row, "", actor)
    assert rows(made) == []


def test_a_result_is_listed_as_soon_as_it_is_posted(actor):
    made = seeded(actor, 4)
    stories.post(meeting(made, 1, 4), actor)
    assert len(rows(made)) == 1


def test_a_hidden_draw_has_no_results_and_no_draw_has_none_either(actor):
    assert rows(stories.drawn(actor, 4)) == []
    assert rows(stories.entered(actor, 4)) == []
