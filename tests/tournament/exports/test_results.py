"""The table of results: every decided match with its number and the kind of its result."""

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.brackets import advancing
from tournament.entries import importing, registration
from tournament.entries.lists import read_list
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.exports.export_tables import entries_table, results_table
from tournament.exports.table_writers import as_csv, as_json, as_xlsx
from tournament.models import Result, Tournament
from tournament.results import desk

pytestmark = pytest.mark.django_db


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


def test_people_read_names_of_rounds_and_the_time_of_the_event(actor):
    made = seeded(actor, 4)
    made.event.time_zone = "Asia/Tokyo"
    made.event.save()
    stories.post(meeting(made, 1, 4), actor)
    posted_at = datetime(2026, 11, 7, 18, 30, tzinfo=UTC)
    Result.objects.update(posted_at=posted_at)
    made = Tournament.objects.get(pk=made.pk)
    (row,) = csv.DictReader(io.StringIO(as_csv(results_table(made)).decode("utf-8-sig")))
    assert (row["Bracket"], row["Round"], row["Result"]) == ("Main", "Semifinals", "played")
    assert row["Time (Asia/Tokyo)"] == "2026-11-08 03:30"
    assert {"Player 1", "Player 2", "Points 1", "Points 2"} < set(row)
    (line,) = json.loads(as_json(results_table(made)))
    assert set(line) == {
        "bracket", "number", "called", "round", "line", "length", "left", "right", "left_points", "right_points",
        "winner", "kind", "confirmed_by", "posted_at", "games", "minutes", "round_name",
    }  # fmt: skip
    assert line["posted_at"] == "2026-11-07T18:30:00+00:00"


def test_the_list_of_entries_can_be_imported_again(actor):
    made = stories.tournament(actor)
    details = PlayerDetails("=cmd()", "DEU", "Nord", "W-1", Decimal("1543.50"), "Red")
    registration.enter(made.pk, EntryDetails(details, seed=2, is_paid=True), actor)
    registration.enter(made.pk, EntryDetails(PlayerDetails("Bo Lind", rating=Decimal(1500))), actor)
    plan = importing.preview(made, read_list(as_xlsx(entries_table(made))))
    assert (len(plan.unchanged), plan.added, plan.changed) == (2, (), ())
    lines = as_csv(entries_table(made)).decode("utf-8-sig").splitlines()
    assert lines[1:] == ["'=cmd(),DEU,Nord,Red,W-1,1543.50,2,yes,no,no", "Bo Lind,,,,,1500,,no,no,no"]
