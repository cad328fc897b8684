"""The rules page states every rule that the engine applies under a ruleset, and no other."""

from dataclasses import fields, replace

import pytest
from django.test import Client
from django.urls import reverse

from rules.cube import Cube, Moment, beaver, double, take
from rules.ruleset import (
    PRESETS,
    BearOff,
    Clock,
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    DiceObligation,
    FirstDouble,
    LateLadder,
    Opening,
    Ruleset,
    UncubedSingle,
)
from rules.score import Score, Side
from tests.tournament import stories
from tournament.brackets.lengths import StakePlay
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.standings import StandingRules, TieBreak
from tournament.models import Tournament
from tournament.pages.rules.lengths import lengths_in_words
from tournament.pages.rules.texts import Play, in_words

ALWAYS = (
    *(
        "SET-1",
        "OPEN-1",
        "MOVE-1",
        "MOVE-2",
        "MOVE-3",
        "MOVE-4",
        "HIT-1",
        "DICE-4",
        "BAR-1",
        "BAR-2",
        "BAR-3",
        "BAR-4",
    ),
    *("OFF-1", "OFF-2", "OFF-4", "OFF-5", "WIN-1", "SCORE-3", "SCORE-7", "MATCH-1", "CARD-1", "CARD-2"),
    *("PEN-1", "PEN-2", "TIME-1", "TABLE-1", "TABLE-3"),
)
NEEDING_A_CUBE = ("SET-2", "OPEN-4", "CUBE-4", "CUBE-5", "CUBE-6", "CUBE-7", "TABLE-2")
BY_FIELD = {
    "OPEN-3": lambda r: r.opening is Opening.ROLL_AGAIN,
    "DICE-1": lambda r: r.dice_obligation is not DiceObligation.LARGER_DIE_SUFFICES,
    "DICE-2": lambda r: r.dice_obligation is DiceObligation.ALL_THEN_LARGER,
    "DICE-3": lambda r: r.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES,
    "OFF-3": lambda r: r.bear_off is BearOff.HIGHEST_ONLY,
    "OFF-6": lambda r: r.bear_off is BearOff.LOWER_ALLOWED,
    "OFF-7": lambda r: r.hit_checker_first,
    "CUBE-1": lambda r: r.cube and r.cube_timing is CubeTiming.BEFORE_ROLL,
    "CUBE-2": lambda r: r.cube and r.cube_timing is CubeTiming.ANY_TIME,
    "CUBE-3": lambda r: r.cube and r.first_double is FirstDouble.AFTER_FIRST_THROW,
    "CUBE-8": lambda r: not r.cube,
    "CRAW-1": lambda r: r.cube and r.crawford is CrawfordForm.ON,
    "CRAW-2": lambda r: r.cube and r.crawford is CrawfordForm.TRAILER_ONLY,
    "CRAW-3": lambda r: not r.cube or r.crawford is CrawfordForm.OFF,
    "CRAW-4": lambda r: r.cube and r.crawford is not CrawfordForm.OFF,
    "SCORE-1": lambda r: r.uncubed_single is UncubedSingle.ONE,
    "SCORE-2": lambda r: r.uncubed_single is UncubedSingle.CHECKERS_LEFT,
    "SCORE-4": lambda r: r.backgammon_counts_bar,
    "SCORE-5": lambda r: not r.backgammon_counts_bar,
    "SCORE-6": lambda r: r.jacoby,
    "TIME-2": lambda r: r.clock is not None,
}
"""The rows of the rules catalogue and the rulesets in which each applies. OPEN-2 is cited with the cube too."""

OTHER_VALUES = {
    "opening": Opening.ROLL_AGAIN,
    "automatic_doubles": 1,
    "dice_obligation": DiceObligation.ALL,
    "bear_off": BearOff.LOWER_ALLOWED,
    "hit_checker_first": True,
    "cube": False,
    "cube_timing": CubeTiming.ANY_TIME,
    "first_double": FirstDouble.AFTER_FIRST_THROW,
    "cube_limit": 64,
    "beavers": 2,
    "crawford": CrawfordForm.OFF,
    "crawford_after_penalty": False,
    "uncubed_single": UncubedSingle.CHECKERS_LEFT,
    "backgammon_counts_bar": False,
    "jacoby": True,
    "late_ladder": None,
    "clock": None,
    "clock_expiry": ClockExpiry.OVERTIME,
}
NO_RULES = {"name", "title", "suggested_lengths"}


def ids(ruleset: Ruleset, play: Play | None = None) -> set[str]:
    """Every rule that the page cites."""
    lines = (line.rules for section in in_words(ruleset, play) for line in section.lines)
    return {rule for cited in lines for rule in cited.split(", ")}


def sentences(ruleset: Ruleset, play: Play | None = None) -> str:
    return " ".join(line.text for section in in_words(ruleset, play) for line in section.lines)


def applying(ruleset: Ruleset) -> set[str]:
    chosen = {rule for rule, applies in BY_FIELD.items() if applies(ruleset)}
    return {*ALWAYS, *chosen, *(NEEDING_A_CUBE if ruleset.cube else ())}


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_of_every_preset_states_every_rule_that_applies_and_no_other(name):
    assert ids(PRESETS[name]) - {"OPEN-2"} == applying(PRESETS[name])
    assert "{" not in sentences(PRESETS[name])


@pytest.mark.parametrize("field", OTHER_VALUES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_field_that_differs_changes_the_page(name, field):
    sheet = PRESETS[name]
    value = OTHER_VALUES[field]
    changed = replace(
        sheet, **{field: getattr(Ruleset(), field) if getattr(sheet, field) == value else value}
    )
    assert ids(changed) - {"OPEN-2"} == applying(changed)
    is_without_effect = field == "crawford_after_penalty" and sheet.crawford is CrawfordForm.OFF
    assert (sentences(changed) != sentences(sheet)) is not is_without_effect


def test_every_field_of_a_ruleset_is_on_the_page():
    assert set(OTHER_VALUES) | NO_RULES == {field.name for field in fields(Ruleset)}


@pytest.mark.parametrize("figure", [*fields(LateLadder), *fields(Clock)], ids=lambda figure: figure.name)
def test_every_figure_of_time_and_lateness_is_on_the_page(figure):
    part = "late_ladder" if figure in fields(LateLadder) else "clock"
    changed = replace(Ruleset(), **{part: replace(getattr(Ruleset(), part), **{figure.name: 77})})
    assert sentences(changed) != sentences(Ruleset())


def test_sentences_contain_the_figures_of_the_ruleset():
    lines = sentences(replace(Ruleset(), cube_limit=64, beavers=2, automatic_doubles=1))
    assert "up to 64" in lines
    assert "At most 2 redoubles in reply to each double" in lines
    assert "At most 1 a game. Not in the Crawford game." in lines
    assert "2 minutes a point" in lines


def test_a_beaver_is_allowed_for_each_double_as_in_the_engine():
    ruleset = replace(Ruleset(), beavers=1)
    assert "At most 1 redouble in reply to each double." in sentences(ruleset)
    score, moment = Score.start(None, ruleset), Moment(Side.LEFT)
    cube = take(
        beaver(double(Cube(), Side.LEFT, moment, score, ruleset), Side.RIGHT, score, ruleset), Side.LEFT
    )
    again = double(cube, Side.RIGHT, Moment(Side.RIGHT), score, ruleset)
    assert beaver(again, Side.LEFT, score, ruleset).beavers == 1


def test_the_page_says_when_standings_compare_the_margin():
    assert "The margin plays no part" in sentences(Ruleset())
    assert "compare the difference of points" in sentences(Ruleset(), Play(by_margin=True))


def test_stake_play_has_no_length_and_no_crawford_game():
    play = Play(is_stake_play=True)
    assert "MATCH-3" in ids(Ruleset(), play)
    assert not {"MATCH-1", "CARD-2", "CRAW-1", "CRAW-4"} & ids(Ruleset(), play)
    assert "match length" not in sentences(Ruleset(), play).replace("There is no match length", "")


def test_a_session_has_a_winner():
    by_games = sentences(Ruleset(), Play(is_stake_play=True, by_margin=True))
    assert "one more game is played at a time" in by_games
    assert "points won minus points lost" in by_games
    assert "When time is over" not in by_games
    assert "When time is over" in sentences(Ruleset(), Play(is_stake_play=True, for_a_time=True))


@pytest.mark.django_db
def test_the_page_of_stake_play_says_what_a_session_is():
    made = stories.tournament(stories.director(), stake=StakePlay(minutes=90))
    page = Client().get(reverse("rules-page", args=[made.event.slug, made.slug])).content.decode()
    assert "Every session" in page
    assert "90 minutes" in page
    assert "When time is over" in page
    assert "Crawford" not in page


def test_each_round_with_its_own_length_is_named_once():
    made = Tournament(lengths=[13, 11, 9, 9, 7, 7], format=Format().as_json())
    assert lengths_in_words(made) == [
        ("Final to", "13"),
        ("Semifinals to", "11"),
        ("Quarterfinals to", "9"),
        ("Round of 16 to", "9"),
        ("Before that to", "7"),
    ]
    made.lengths = [7, 5, 5]
    assert lengths_in_words(made) == [("Final to", "7"), ("Before that to", "5")]


@pytest.mark.django_db
def test_the_page_shows_them_with_the_lengths_of_matches():
    made = stories.tournament(stories.director(), lengths=(11, 9, 7))
    page = Client().get(reverse("rules-page", args=[made.event.slug, made.slug])).content.decode()
    assert "Dice" in page or "dice" in page
    assert all(f"<dd>{length}</dd>" in page for length in (11, 9, 7))


def test_no_preset_of_matches_lets_the_margin_decide_a_place():
    presets = [preset.format for preset in FORMAT_PRESETS.values() if not preset.games]
    assert not any(chosen.is_by_margin for chosen in presets)


@pytest.mark.django_db
def test_a_format_that_compares_the_margin_says_so():
    by_margin = StandingRules((TieBreak.POINTS_DIFFERENCE,))
    formats = [
        Format(kind, rounds=3, standings=by_margin) for kind in (Kind.SWISS, Kind.ROUND_ROBIN, Kind.GROUPS)
    ]
    assert all(chosen.is_by_margin for chosen in formats)
    assert "compare the difference of points" in rules_page_of(formats[0])
    assert "The margin plays no part in who advances." in rules_page_of(FORMAT_PRESETS["swiss"].format)


def rules_page_of(chosen: Format) -> str:
    made = stories.tournament(stories.director())
    made.format = chosen.as_json()
    made.save()
    return Client().get(reverse("rules-page", args=[made.event.slug, made.slug])).content.decode()


def test_every_match_has_one_length_only_where_no_bracket_has_another():
    single, more = Tournament(lengths=[5]), Tournament(lengths=[5], side_lengths={"consolation": [3]})
    for made in (single, more):
        made.format = Format().as_json()
    assert lengths_in_words(single) == lengths_in_words(more) == [("Every match to", "5")]
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


def test_lengths_of_a_previous_format_are_not_shown():
    made = Tournament(lengths=[5], side_lengths={"lower": [4], "group": [3], "final": [9], "play-off": [7]})
    for chosen in (Format(), Format(Kind.SWISS, rounds=3)):
        made.format = chosen.as_json()
        assert lengths_in_words(made) == [("Every match to", "5")]
    made.side_lengths = {"consolation": [3]}
    made.format = Format(Kind.DOUBLE, consolation="A.B.|").as_json()
    assert lengths_in_words(made) == [("Every match to", "5")]
