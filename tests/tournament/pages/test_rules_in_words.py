"""The rules page says what the fields of a ruleset say."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from rules.ruleset import (
    PRESETS,
    BearOff,
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    DiceObligation,
    FirstDouble,
    Opening,
    Ruleset,
    UncubedSingle,
)
from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.models import Tournament
from tournament.pages.lengths_in_words import lengths_in_words
from tournament.pages.rules_in_words import in_words

EVERYWHERE = {
    "TABLE-1",
    "TABLE-2",
    "TABLE-3",
    "MATCH-1",
    "SCORE-3",
    "CARD-1, CARD-2",
    "MOVE-3",
    "BAR-1",
    "DICE-4",
}

CHANGES = [
    ({"uncubed_single": UncubedSingle.CHECKERS_LEFT}, "SCORE-2", "SCORE-1"),
    ({"backgammon_counts_bar": False}, "SCORE-5", "SCORE-4"),
    ({"jacoby": True}, "SCORE-6", ""),
    ({"crawford": CrawfordForm.OFF}, "CRAW-3", "CRAW-1"),
    ({"crawford": CrawfordForm.TRAILER_ONLY}, "CRAW-2", "CRAW-1"),
    ({"cube": False}, "CUBE-8", "CUBE-5"),
    ({"cube_timing": CubeTiming.ANY_TIME}, "CUBE-2", "CUBE-1"),
    ({"first_double": FirstDouble.AFTER_FIRST_THROW}, "CUBE-1, CUBE-3", "CUBE-1"),
    ({"automatic_doubles": 1}, "OPEN-4", ""),
    ({"opening": Opening.ROLL_AGAIN}, "OPEN-1, OPEN-3", "OPEN-1, OPEN-2"),
    ({"dice_obligation": DiceObligation.LARGER_DIE_SUFFICES}, "DICE-3", "DICE-1"),
    ({"bear_off": BearOff.LOWER_ALLOWED}, "OFF-6", "OFF-3, OFF-4"),
    ({"hit_checker_first": True}, "OFF-7", ""),
    ({"late_ladder": None}, "", "PEN-1, PEN-2"),
    ({"clock": None}, "", "TIME-2"),
]


def ids(ruleset: Ruleset) -> set[str]:
    return {line.rules for section in in_words(ruleset) for line in section.lines}


def sentences(ruleset: Ruleset) -> str:
    return " ".join(line.text for section in in_words(ruleset) for line in section.lines)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_said_whole_with_manners_at_the_table(name):
    assert ids(PRESETS[name]) >= EVERYWHERE
    assert "{" not in sentences(PRESETS[name])


@pytest.mark.parametrize(("change", "said", "unsaid"), CHANGES)
def test_a_field_that_differs_is_said_differently(change, said, unsaid):
    changed = ids(replace(Ruleset(), **change))
    assert not said or said in changed
    assert not unsaid or (unsaid in ids(Ruleset()) and unsaid not in changed)


def test_figures_of_the_ruleset_stand_in_the_sentences():
    said = sentences(replace(Ruleset(), cube_limit=64, beavers=2, clock_expiry=ClockExpiry.OVERTIME))
    assert "up to 64" in said
    assert "At most 2 a game." in said
    assert "2 minutes a point" in said
    assert "overtime" in said


@pytest.mark.django_db
def test_the_page_shows_them_with_the_lengths_of_matches(hall):
    made = stories.tournament(stories.director(), lengths=(11, 9, 7))
    page = Client().get(reverse("rules-page", args=[made.event.slug, made.slug])).content.decode()
    assert "Dice" in page or "dice" in page
    assert all(f"<dd>{length}</dd>" in page for length in (11, 9, 7))


def test_every_match_has_one_length_only_where_no_bracket_has_another():
    one, more = Tournament(lengths=[5]), Tournament(lengths=[5], side_lengths={"consolation": [3]})
    for made in (one, more):
        made.format = Format().as_json()
    assert lengths_in_words(one) == lengths_in_words(more) == [("Every match to", "5")]
    more.format = Format(consolation="simple").as_json()
    assert lengths_in_words(more) == [("Main bracket to", "5"), ("Consolation to", "3")]
    more.side_lengths = {"lower": [4, 3]}
    more.format = Format(Kind.DOUBLE).as_json()
    assert lengths_in_words(more)[1:] == [("Lower bracket, last round first, to", "4, 3")]
    more.lengths, more.side_lengths = [7, 5], {"final": [9]}
    assert lengths_in_words(more) == [("Main bracket, last round first, to", "7, 5"), ("Final to", "9")]
    more.lengths = [5]
    more.side_lengths = {"group": [3]}
    more.format = Format(Kind.GROUPS).as_json()
    assert lengths_in_words(more) == [("Play-off to", "5"), ("Groups to", "3")]
    more.side_lengths = {"play-off": [7]}
    assert lengths_in_words(more) == [("Groups to", "5"), ("Play-off to", "7")]


def test_of_a_format_that_was_given_up_no_lengths_are_told():
    made = Tournament(lengths=[5], side_lengths={"lower": [4], "group": [3], "final": [9], "play-off": [7]})
    for chosen in (Format(), Format(Kind.SWISS, rounds=3)):
        made.format = chosen.as_json()
        assert lengths_in_words(made) == [("Every match to", "5")]
    made.side_lengths = {"consolation": [3]}
    made.format = Format(Kind.DOUBLE, consolation="A.B.|").as_json()
    assert lengths_in_words(made) == [("Every match to", "5")]
