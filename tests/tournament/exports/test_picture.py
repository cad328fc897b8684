"""The bracket as a drawing: self-contained SVG with every name inside its box."""

import random
import re
from xml.etree import ElementTree

import pytest

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.brackets import advancing
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.exports.picture import NAME_WIDTH, SMALL_LETTER, bracket_svg
from tournament.exports.text_width import text_width, truncate
from tournament.models import Tournament
from tournament.results import desk
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db

NAMES = (
    "<script>x</script>",
    "\"&'",
    "מרים כהן",
    "\u202eعمر",
    "x" * 100,
    "小林" * 30,
    "Bell\a\v",
    "é" * 80,
)


def drawn(made: Tournament) -> ElementTree.Element:
    return ElementTree.fromstring(bracket_svg(made))


def texts(made: Tournament) -> list[str]:
    return [element.text or "" for element in drawn(made).iter() if element.tag.endswith("text")]


def named(actor, *names: str) -> Tournament:
    made = stories.tournament(actor)
    for name in names:
        registration.enter(made.pk, EntryDetails(PlayerDetails(name, country="GRE")), actor)
    draws.make(made.pk, draws.DrawPlan(), actor)
    draws.release(made.pk, actor)
    return made


def test_a_drawing_of_any_names_is_well_formed_and_runs_nothing(actor):
    made = named(actor, *NAMES)
    labels = texts(made)
    assert {"<script>x</script>", "\"&'", "מרים כהן", "\u202eعمر", "Bell"} <= set(labels)
    root = drawn(made)
    assert not [
        element for element in root.iter() if element.tag.endswith(("script", "foreignObject", "image"))
    ]
    assert not re.search(rb"(href|url\((?!#room)|@import|on[a-z]+=)", bracket_svg(made))


def test_there_is_a_box_for_every_pairing(actor):
    made = stories.released(actor, 11)
    boxes = [element for element in drawn(made).iter() if element.get("class") == "box"]
    assert len(boxes) == stories.pairings(made).count()


def test_a_drawing_has_a_title_and_a_description_for_screen_readers(actor):
    made = seeded(actor, 4)
    root = drawn(made)
    parts = {
        root.find(f"{{*}}{name}").get("id"): root.find(f"{{*}}{name}").text for name in ("title", "desc")
    }
    assert root.get("aria-labelledby").split() == list(parts)
    assert parts == {"title": "Friday night – Open", "description": "0 of 3 matches are decided."}
    champion = stories.play_out(made, actor, random.Random(2))
    assert champion.player.name in drawn(made).find("{*}desc").text


def test_a_drawing_has_a_light_background(actor):
    root = drawn(seeded(actor, 4))
    ground = root.find("{*}rect")
    assert (ground.get("fill"), ground.get("width"), ground.get("height")) == (
        "#ffffff",
        root.get("width"),
        root.get("height"),
    )


def test_a_drawing_is_as_large_as_the_bracket_needs(actor):
    sizes = [
        tuple(int(drawn(seeded(actor, entries)).get(name)) for name in ("width", "height"))
        for entries in (2, 8, 16)
    ]
    assert sizes == sorted(sizes)
    assert sizes[2][1] > 8 * 44


def test_a_long_title_fits_on_a_small_bracket(actor):
    made = seeded(actor, 2)
    made.event.name = "A weekend of backgammon by the sea with a name of some length"
    title = f"{made.event.name} – {made.name}"
    assert int(drawn(made).get("width")) > 10 * len(title)


def test_matches_carry_the_numbers_that_empty_seats_name(actor):
    labels = texts(seeded(actor, 4))
    assert labels.count("Winner of match 1") == labels.count("Winner of match 2") == 1
    assert {"1", "2", "3"} <= set(labels)


def test_a_drawing_shows_scores_byes_seeds_and_walkovers(actor):
    made = seeded(actor, 6, lengths=(7, 5))
    wins(made, actor, 4, 5)
    desk.award(meeting(made, 3, 6), made.entries.get(seed=3).pk, "no_show", "", actor)
    advancing.advance_waiting()
    registration.withdraw(made.entries.get(seed=4), actor)
    labels = texts(made)
    assert {"5", "bye", "no-show", "withdrawn"} <= set(labels)
    assert f"1. {made.entries.get(seed=1).player.name}" in labels


def test_a_long_name_ends_in_an_ellipsis_before_the_country(actor):
    labels = texts(named(actor, *NAMES))
    cut = [text for text in labels if text.endswith("…")]
    assert len(cut) >= 3
    assert all(text_width(text) * SMALL_LETTER <= NAME_WIDTH for text in cut)


def test_there_is_no_drawing_without_a_draw(actor):
    made = stories.drawn(actor, 4)
    draws.undo(made.pk, actor)
    with pytest.raises(NotFound):
        bracket_svg(made)
    with pytest.raises(NotFound):
        bracket_svg(stories.entered(actor, 4))


@pytest.mark.parametrize("name", ["Ana", "小林", "é" * 10, "مريم"])
def test_a_name_that_fits_is_left_as_it_is(name):
    assert truncate(name, 10) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Bartholomew", "Barthol…"), ("小林健太郎", "小林健…"), ("e\u0301" * 12, "e\u0301" * 7 + "…")],
)
def test_a_long_name_is_cut_between_whole_characters(name, expected):
    assert truncate(name, 8.3) == expected
