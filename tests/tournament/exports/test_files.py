"""Files to take away: the same table in every kind, no formulas, every script, and a drawing that is plain SVG."""

import csv
import io
import json
import random
from xml.etree import ElementTree

import openpyxl
import pytest
from django.urls import reverse

from tests.tournament import stories
from tournament import registration
from tournament.exports.files import as_csv, as_json, as_xlsx
from tournament.exports.picture import bracket_svg
from tournament.exports.tables import results_table, standings_table
from tournament.registration import EntryCard, PlayerCard

pytestmark = pytest.mark.django_db

HOSTILE = ("=1+1", "+49 30", "-2", "@SUM(A1)", "\tTab", "<script>\"&'", "מרים", "x" * 100, "ÀéΩ小")


@pytest.fixture
def actor(db):
    return stories.director()


@pytest.fixture
def played(actor):
    made = stories.released(actor, 6)
    stories.play_out(made, actor, random.Random(3))
    return made


@pytest.fixture
def hostile(actor):
    made = stories.tournament(actor)
    for name in HOSTILE:
        registration.enter(made.pk, EntryCard(PlayerCard(name, club=name[:80])), actor)
    stories.drawing.make(made.pk, stories.drawing.DrawPlan(), actor)
    stories.drawing.release(made.pk, actor)
    return made


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_the_winner_stands_first_and_the_losers_of_a_round_share_their_places(played):
    rows = read_csv(as_csv(standings_table(played)))
    assert [(row["Place from"], row["Place to"]) for row in rows] == [
        ("1", "1"), ("2", "2"), ("3", "4"), ("3", "4"), ("5", "6"), ("5", "6"),
    ]  # fmt: skip
    assert rows[0]["Name"] == stories.pairings(played).last().winner.player.name
    assert {row["Still in"] for row in rows} == {"no", "yes"} or {row["Still in"] for row in rows} == {"no"}


def test_every_kind_of_file_says_the_same(played):
    table = standings_table(played)
    from_json = json.loads(as_json(table))
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(table))).active
    from_xlsx = list(sheet.iter_rows(min_row=2, values_only=True))
    assert [row["name"] for row in from_json] == [row[3] for row in from_xlsx]
    assert [row["points_for"] for row in from_json] == [row[9] for row in from_xlsx]
    assert [str(row["won"]) for row in from_json] == [row["Won"] for row in read_csv(as_csv(table))]


def test_no_cell_becomes_a_formula(hostile):
    table = standings_table(hostile)
    for row in csv.reader(io.StringIO(as_csv(table).decode("utf-8-sig"))):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(table))).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert {"=1+1", "@SUM(A1)"} <= {cell.value for cell in cells}


def test_names_of_every_script_come_through(hostile):
    names = {row["Name"].removeprefix("'") for row in read_csv(as_csv(standings_table(hostile)))}
    assert {"מרים", "ÀéΩ小"} <= names


def test_a_drawing_is_well_formed_and_says_who_plays(hostile):
    drawing = ElementTree.fromstring(bracket_svg(hostile))
    texts = [text for element in drawing.iter() for text in (element.text or "",)]
    assert any("<script>" in text for text in texts)
    assert not [element for element in drawing.iter() if element.tag.endswith(("script", "foreignObject"))]
    assert drawing.find("{*}title").text
    boxes = [element for element in drawing.iter() if element.get("class") == "box"]
    assert len(boxes) == stories.pairings(hostile).count()


def test_results_say_what_was_not_played(actor):
    made = stories.released(actor, 4)
    first, second = stories.playable(made)
    stories.play(first, actor)
    stories.desk.award(second.pk, second.right_id, "no_show", "", actor)
    kinds = [row["kind"] for row in json.loads(as_json(results_table(made)))]
    assert kinds == ["played", "no_show"]


def test_the_number_of_statements_does_not_grow_with_the_entries(actor, django_assert_max_num_queries):
    for entries in (4, 32):
        made = stories.released(actor, entries)
        with django_assert_max_num_queries(6):
            standings_table(made)
        with django_assert_max_num_queries(10):
            bracket_svg(made)


@pytest.mark.parametrize("name", ["standings-export", "results-export"])
@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_anyone_may_take_the_files_of_a_released_draw(client, played, name, kind):
    answer = client.get(reverse(name, args=[played.event.slug, played.slug, kind]))
    assert answer.status_code == 200
    assert answer["Content-Disposition"].endswith(f'.{kind}"')


def test_a_hidden_draw_gives_no_files(client, actor):
    made = stories.drawn(actor, 4)
    for name, kind in (("standings-export", ["csv"]), ("results-export", ["json"]), ("bracket-svg", [])):
        assert client.get(reverse(name, args=[made.event.slug, made.slug, *kind])).status_code == 404
    assert client.get(reverse("bracket-svg", args=[made.event.slug, "nowhere"])).status_code == 404


def test_an_unknown_kind_of_file_is_not_there(client, played):
    assert (
        client.get(reverse("standings-export", args=[played.event.slug, played.slug, "exe"])).status_code
        == 404
    )
