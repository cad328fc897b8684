"""Exported files: the same table in every format, no formulas, every script, permissions of the draw."""

import csv
import io
import json
import random
from copy import deepcopy
from datetime import datetime, timedelta

import openpyxl
import pytest
from django.urls import reverse
from django.utils import translation

from tests.tournament import stories
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.exports.export_tables import results_table, standings_table
from tournament.exports.table_writers import as_csv, as_json, as_xlsx

pytestmark = pytest.mark.django_db

HOSTILE = (
    "=1+1", "+49 30", "-2", "@SUM(A1)", "\tTab", "＝2+2", " =2", "Bo;=1+1", "Cy;\"=1+1", "Di\t@x", "Bell\a\v", "a\nb",
    "<script>\"&'", "מרים", "x" * 100, "ÀéΩ小",
)  # fmt: skip
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@pytest.fixture(scope="module")
def played_of_module(actor_of_module):
    """A tournament of six players, played to its end."""
    made = stories.released(actor_of_module, 6)
    stories.play_out(made, actor_of_module, random.Random(3))
    return made


@pytest.fixture
def played(db, played_of_module):
    return deepcopy(played_of_module)


@pytest.fixture(scope="module")
def hostile_of_module(actor_of_module):
    made = stories.tournament(actor_of_module)
    for name in HOSTILE:
        registration.enter(made.pk, EntryDetails(PlayerDetails(name, club=name[:80])), actor_of_module)
    stories.draws.make(made.pk, stories.draws.DrawPlan(), actor_of_module)
    stories.draws.release(made.pk, actor_of_module)
    return made


@pytest.fixture
def hostile(db, hostile_of_module):
    return deepcopy(hostile_of_module)


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_winner_is_first_and_the_losers_of_a_round_share_their_places(played):
    rows = read_csv(as_csv(standings_table(played)))
    assert [(row["Place from"], row["Place to"]) for row in rows] == [
        ("1", "1"), ("2", "2"), ("3", "4"), ("3", "4"), ("5", "6"), ("5", "6"),
    ]  # fmt: skip
    assert rows[0]["Name"] == stories.pairings(played).last().winner.player.name
    assert {row["Still in"] for row in rows} == {"no"}


def test_every_file_format_has_the_same_content(played):
    table = standings_table(played)
    from_json = json.loads(as_json(table))
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(table))).active
    from_xlsx = list(sheet.iter_rows(min_row=2, values_only=True))
    keys = [column.key for column in table.columns]
    for key in ("name", "points_for"):
        assert [row[key] for row in from_json] == [row[keys.index(key)] for row in from_xlsx]
    assert [str(row["won"]) for row in from_json] == [row["Won"] for row in read_csv(as_csv(table))]


def test_no_cell_of_a_csv_file_becomes_a_formula(hostile):
    for row in csv.reader(io.StringIO(as_csv(standings_table(hostile)).decode("utf-8-sig"))):
        assert not [cell for cell in row if cell.lstrip(" ").startswith(SIGNS)]


def test_no_cell_of_a_csv_file_with_semicolons_becomes_a_formula(hostile):
    lines = as_csv(standings_table(hostile)).decode("utf-8-sig").splitlines()
    cells = [cell.strip(' "') for line in lines for cell in line.replace("\t", ";").split(";")]
    assert not [cell for cell in cells if cell.startswith(SIGNS)]


def test_no_cell_of_a_workbook_is_a_formula_and_texts_are_unchanged(hostile):
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(standings_table(hostile)))).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert {"=1+1", "@SUM(A1)", "Bo;=1+1", "Bell"} <= {cell.value for cell in cells}
    prefixed = {cell.value for cell in cells if cell.quotePrefix}
    assert {"=1+1", "+49 30", "-2", "@SUM(A1)"} <= prefixed
    assert "Bo;=1+1" not in prefixed


def test_numbers_stay_numbers(played):
    table = standings_table(played)
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(table))).active
    columns = [column.key for column in table.columns]
    for row in sheet.iter_rows(min_row=2):
        cells = dict(zip(columns, row, strict=True))
        assert {cells[key].data_type for key in ("place_from", "won", "points_for")} == {"n"}
    assert all(row["Won"].isdecimal() for row in read_csv(as_csv(table)))


def test_json_keeps_its_names_in_every_language_and_has_values_of_their_kind(played):
    with translation.override("de"):
        rows = json.loads(as_json(standings_table(played)))
    assert set(rows[0]) == {
        "bracket", "place_from", "place_to", "still_in", "name", "country", "club", "team",
        "seed", "won", "lost", "byes", "points_for", "points_against", "walkovers", "withdrawn",
        "prize", "prize_currency", "prize_besides",
    }  # fmt: skip
    assert (rows[0]["still_in"], rows[0]["place_from"], rows[0]["seed"]) == (False, 1, None)
    posted_at = json.loads(as_json(results_table(played)))[0]["posted_at"]
    assert datetime.fromisoformat(posted_at).utcoffset() == timedelta(0)


def test_a_csv_file_begins_with_a_byte_order_mark(played):
    assert as_csv(standings_table(played)).startswith(b"\xef\xbb\xbf")
    assert not as_json(standings_table(played)).startswith(b"\xef\xbb\xbf")


def test_names_of_every_script_are_exported(hostile):
    names = {row["Name"].removeprefix("'") for row in read_csv(as_csv(standings_table(hostile)))}
    assert {"מרים", "ÀéΩ小"} <= names


@pytest.mark.parametrize("name", ["standings-export", "results-export"])
@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_anyone_may_download_the_files_of_a_released_draw(client, played, name, kind):
    answer = client.get(reverse(name, args=[played.event.slug, played.slug, kind]))
    assert answer.status_code == 200
    what = name.removesuffix("-export")
    assert answer["Content-Disposition"] == f'attachment; filename="{played.slug}-{what}.{kind}"'


def test_a_hidden_draw_has_no_files(client, actor):
    made = stories.drawn(actor, 4)
    for name, kind in (("standings-export", ["csv"]), ("results-export", ["json"]), ("bracket-svg", [])):
        assert client.get(reverse(name, args=[made.event.slug, made.slug, *kind])).status_code == 404
    assert client.get(reverse("bracket-svg", args=[made.event.slug, "nowhere"])).status_code == 404


def test_an_unknown_file_format_is_not_found(client, played):
    assert (
        client.get(reverse("standings-export", args=[played.event.slug, played.slug, "exe"])).status_code
        == 404
    )
