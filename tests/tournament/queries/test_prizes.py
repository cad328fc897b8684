"""Prizes: announced, shown for certain places, and named in the preview of a correction that changes them."""

import csv
import io
import json
from decimal import Decimal

import openpyxl
import pytest

from rules.ruleset import PRESETS
from tests.tournament import stories
from tournament import corrections
from tournament.corrections import Change
from tournament.draw.formats import Format, Kind
from tournament.draw.prizes import Share, parse_prizes
from tournament.events import setup
from tournament.exports.export_tables import standings_table
from tournament.exports.table_writers import as_csv, as_json, as_xlsx
from tournament.models import ResultKind, Tournament
from tournament.queries.corrections.preview import load_correction_page
from tournament.queries.standings.prizes import format_share
from tournament.queries.standings.standings import standing_lines

pytestmark = pytest.mark.django_db
TOLD = {"currency": "EUR", "tables": {"main": {"1": "300", "2": "Trophy", "3": "45.01", "4": "45"}}}


def with_prizes(made, actor, chosen):
    plan = setup.TournamentPlan(
        made.name, PRESETS["tournament"], (3,), format=chosen, prizes=parse_prizes(TOLD)
    )
    setup.change_tournament(made.pk, plan, actor)
    return Tournament.objects.get(pk=made.pk)


def prizes(made) -> list[str]:
    return [format_share(line.prize) for line in standing_lines(made)]


def test_eliminated_players_share_prizes_and_a_correction_names_changed_prizes(actor):
    made = with_prizes(stories.released(actor, 4), actor, Format())
    semifinals = list(stories.playable(made))
    stories.play(semifinals[0], actor)
    assert sorted(prizes(made)) == ["", "", "", "€45"]
    for pairing in semifinals[1:]:
        stories.play(pairing, actor)
    stories.play(stories.playable(made)[0], actor)
    assert prizes(made) == ["€300", "Trophy", "€45", "€45"]
    final = stories.pairings(made).get(round__number=2)
    change = Change(ResultKind.PLAYED, final.right_id, 1, 3)
    consequences = affected(corrections.preview(final.pk, change))
    assert consequences == {("€300", "Trophy"), ("Trophy", "€300")}
    files_say_what_falls_to_whom(made)
    first = semifinals[0]
    change = Change(ResultKind.PLAYED, first.right_id, 1, 3)
    consequences = affected(corrections.preview(first.pk, change))
    assert {("€300", "€45"), ("€45", "")} <= consequences


def affected(preview) -> set[tuple[str, str]]:
    prize_changes = load_correction_page(preview).prizes
    return {(format_share(change.before), format_share(change.after)) for change in prize_changes}


def files_say_what_falls_to_whom(made) -> None:
    """The amount stands by itself, a number where the file has numbers."""
    table = standings_table(made)
    expected = [("300.00", "EUR", ""), ("", "", "Trophy"), ("45.00", "EUR", ""), ("45.00", "EUR", "")]
    headings = ("Prize", "Currency", "Other prize")
    rows = csv.DictReader(io.StringIO(as_csv(table).decode("utf-8-sig")))
    assert [tuple(row[heading] for heading in headings) for row in rows] == expected
    expected_rows = [
        (row["prize"] or "", row["prize_currency"], row["prize_besides"])
        for row in json.loads(as_json(table))
    ]
    assert expected_rows == expected
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(table))).active
    at = [column.key for column in table.columns].index("prize")
    assert [row[at] for row in sheet.iter_rows(min_row=2, values_only=True)] == [300, None, 45, 45]


def test_a_table_has_prizes_after_its_last_match(actor):
    made = with_prizes(
        stories.entered(actor, 4, format=Format(Kind.ROUND_ROBIN)), actor, Format(Kind.ROUND_ROBIN)
    )
    stories.draws.make(made.pk, stories.draws.DrawPlan(), actor)
    stories.draws.release(made.pk, actor)
    waiting = stories.playable(made)
    while len(waiting) > 1:
        stories.play(waiting[0], actor)
        waiting = stories.playable(made)
    assert set(prizes(made)) == {""}
    stories.play(waiting[0], actor)
    assert "€300" in " ".join(prizes(made))
    assert sum(bool(prize) for prize in prizes(made)) == 4


def test_shared_labels_are_marked_and_amounts_are_not_cut():
    table = parse_prizes(TOLD)
    assert format_share(Share(Decimal("12.50"), (), 1, "JPY")) == "12.50 JPY"
    assert format_share(table.share("main", 1, 2)) == "€150, Trophy (shared)"
    assert format_share(table.share("main", 5, 6)) == ""
