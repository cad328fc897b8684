"""Rulesets as data: the five presets of the catalogue, their JSON, and what is refused as one."""

import json
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from rules.ruleset import (
    DEFAULT_PRESET,
    LARGEST_CUBE,
    PRESETS,
    READERS,
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
    RulesetError,
    UncubedSingle,
)

OPTIONS_THAT_ARE_OFF = {"automatic_doubles": 0, "beavers": 0, "jacoby": False}
SHEETS: dict[str, dict[str, Any]] = {
    "boxed-set": {
        "bear_off": BearOff.LOWER_ALLOWED,
        "crawford": CrawfordForm.TRAILER_ONLY,
        "uncubed_single": UncubedSingle.CHECKERS_LEFT,
    },
    "tournament": {"suggested_lengths": (9,)},
    "parker-1994": {
        "opening": Opening.ROLL_AGAIN,
        "dice_obligation": DiceObligation.ALL,
        "first_double": FirstDouble.AFTER_FIRST_THROW,
        "crawford": CrawfordForm.OFF,
    },
    "fundex-5730": {
        "dice_obligation": DiceObligation.LARGER_DIE_SUFFICES,
        "hit_checker_first": True,
        "cube_timing": CubeTiming.ANY_TIME,
        "crawford": CrawfordForm.OFF,
        "backgammon_counts_bar": False,
        "suggested_lengths": (10, 20, 50),
    },
    "standard": {},
}
COMMON = {
    "opening": Opening.PLAY_BOTH_DICE,
    "dice_obligation": DiceObligation.ALL_THEN_LARGER,
    "bear_off": BearOff.HIGHEST_ONLY,
    "hit_checker_first": False,
    "cube": True,
    "cube_timing": CubeTiming.BEFORE_ROLL,
    "first_double": FirstDouble.FROM_START,
    "cube_limit": None,
    "crawford": CrawfordForm.ON,
    "crawford_after_penalty": True,
    "uncubed_single": UncubedSingle.ONE,
    "backgammon_counts_bar": True,
    "suggested_lengths": (),
    "late_ladder": LateLadder(5, 1, 5, 1, 50),
    "clock": Clock(120, 12, 150, 18, 60),
    "clock_expiry": ClockExpiry.LOSES_MATCH,
}
EVERYTHING_ELSE = Ruleset(
    name="clubabend",
    title="Clubabend – regras da casa",
    opening=Opening.ROLL_AGAIN,
    automatic_doubles=None,
    dice_obligation=DiceObligation.ALL,
    bear_off=BearOff.LOWER_ALLOWED,
    hit_checker_first=True,
    cube=False,
    cube_timing=CubeTiming.ANY_TIME,
    first_double=FirstDouble.AFTER_FIRST_THROW,
    cube_limit=64,
    beavers=None,
    crawford=CrawfordForm.OFF,
    crawford_after_penalty=False,
    uncubed_single=UncubedSingle.CHECKERS_LEFT,
    backgammon_counts_bar=False,
    jacoby=True,
    suggested_lengths=(3, 5, 7),
    late_ladder=None,
    clock=Clock(90, 8, 100, 9, 30),
    clock_expiry=ClockExpiry.OVERTIME,
)


@pytest.mark.parametrize("name", SHEETS)
def test_each_sheet_differs_from_match_play_in_its_fields_only(name):
    expected = {**COMMON, **OPTIONS_THAT_ARE_OFF, **SHEETS[name]}
    values = {field.name: getattr(PRESETS[name], field.name) for field in fields(Ruleset)}
    assert (values.pop("name"), bool(values.pop("title"))) == (name, True)
    assert values == expected


def test_there_are_five_presets_and_tournament_is_the_default():
    assert set(PRESETS) == set(SHEETS)
    assert DEFAULT_PRESET == "tournament"


@pytest.mark.parametrize("ruleset", [*PRESETS.values(), EVERYTHING_ELSE], ids=lambda ruleset: ruleset.name)
def test_a_ruleset_survives_json(ruleset):
    assert Ruleset.from_json(json.loads(json.dumps(ruleset.as_json()))) == ruleset


def test_json_holds_plain_words_and_numbers():
    data = EVERYTHING_ELSE.as_json()
    assert data["crawford"] == "off"
    assert type(data["crawford"]) is str
    assert (data["automatic_doubles"], data["late_ladder"], data["suggested_lengths"]) == (
        None,
        None,
        [3, 5, 7],
    )
    assert data["clock"] == asdict(Clock(90, 8, 100, 9, 30))


def test_every_field_differs_between_the_extremes_and_has_its_reader():
    assert set(READERS) == {field.name for field in fields(Ruleset)} == set(EVERYTHING_ELSE.as_json())
    tournament = PRESETS["tournament"]
    assert all(getattr(tournament, name) != getattr(EVERYTHING_ELSE, name) for name in READERS)


def test_a_missing_field_has_its_default():
    assert Ruleset.from_json({"name": "own", "jacoby": True}) == replace(Ruleset(), jacoby=True)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("crawfrod", "on", "unknown_field"),
        ("", 1, "unknown_field"),
        ("crawford", "sometimes", "impossible_value"),
        ("crawford", True, "wrong_type"),
        ("crawford", None, "wrong_type"),
        ("cube", "off", "wrong_type"),
        ("cube", 1, "wrong_type"),
        ("jacoby", None, "wrong_type"),
        ("cube_limit", 3, "impossible_value"),
        ("cube_limit", 1, "impossible_value"),
        ("cube_limit", 0, "impossible_value"),
        ("cube_limit", LARGEST_CUBE * 2, "impossible_value"),
        ("cube_limit", "64", "wrong_type"),
        ("cube_limit", True, "wrong_type"),
        ("automatic_doubles", -1, "impossible_value"),
        ("automatic_doubles", 1.0, "wrong_type"),
        ("beavers", 21, "impossible_value"),
        ("beavers", "unlimited", "wrong_type"),
        ("name", "", "impossible_value"),
        ("name", " ", "impossible_value"),
        ("name", "x" * 61, "impossible_value"),
        ("name", "two\nlines", "impossible_value"),
        ("title", "half \ud800", "impossible_value"),
        ("title", 7, "wrong_type"),
        ("suggested_lengths", [7, 0], "impossible_value"),
        ("suggested_lengths", [7, True], "wrong_type"),
        ("suggested_lengths", 7, "wrong_type"),
        ("suggested_lengths", [7] * 21, "impossible_value"),
        ("late_ladder", 5, "wrong_type"),
        ("late_ladder", {"minutes": 5}, "impossible_value"),
        ("late_ladder", {"each_minutes": 0}, "impossible_value"),
        ("late_ladder", {"first_points": "1"}, "wrong_type"),
        ("clock", {"move_seconds": -1}, "impossible_value"),
        ("clock", [120, 12], "wrong_type"),
        ("clock_expiry", "draw", "impossible_value"),
    ],
)
def test_impossible_rulesets_are_refused(field, value, code):
    with pytest.raises(RulesetError) as raised:
        Ruleset.from_json({field: value})
    (problem,) = raised.value.problems
    assert (problem.code, problem.params["field"]) == (code, field)
    assert problem.sentence.endswith(".")


@pytest.mark.parametrize("data", [None, [], "tournament", 7, True])
def test_only_an_object_is_a_ruleset(data):
    with pytest.raises(RulesetError, match="object with named fields"):
        Ruleset.from_json(data)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "x" * 60),
        ("title", "x" * 120),
        ("cube_limit", 2),
        ("cube_limit", LARGEST_CUBE),
        ("automatic_doubles", 20),
        ("suggested_lengths", [1, 999] * 10),
        ("late_ladder", {"each_points": 0, "lost_beyond_percent": 0, "first_minutes": 1}),
        ("late_ladder", {"each_points": 999, "lost_beyond_percent": 100, "first_minutes": 600}),
        ("clock", {"point_seconds": 0, "move_seconds": 3600}),
    ],
)
def test_the_bounds_of_every_field_are_accepted(field, value):
    assert Ruleset.from_json({field: value}) != Ruleset()


def test_all_problems_are_reported_at_once():
    with pytest.raises(RulesetError) as raised:
        Ruleset.from_json({"jacoby": 1, "cube_limit": 12, "colour": "red", "beavers": 1})
    assert [problem.code for problem in raised.value.problems] == [
        "wrong_type",
        "impossible_value",
        "unknown_field",
    ]
    assert "cube_limit should be a power of two, not 12." in str(raised.value)
    assert "jacoby should be true or false." in str(raised.value)


def test_a_field_within_a_field_is_named():
    with pytest.raises(RulesetError, match="clock should be an object whose move_seconds is a whole number"):
        Ruleset.from_json({"clock": {"move_seconds": "12"}})


def test_a_very_long_value_is_shown_short():
    with pytest.raises(RulesetError) as raised:
        Ruleset.from_json({"name": "x" * 100_000, "y" * 100_000: 1})
    assert len(str(raised.value)) < 300


def test_names_of_any_script_are_titles():
    for title in ("バックギャモン", "تخته‌نرد", "Tavla 🎲"):
        assert Ruleset.from_json({"title": title}).title == title
