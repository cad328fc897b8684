"""A ruleset is data: every difference between rule sheets is a field of one frozen dataclass.

The defaults are match play under a director. No code depends on the name of a preset. The ids in the comments
are rows of the rules catalogue.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from rules import json_readers
from rules.problem import Problem, problem

LONGEST_MATCH = 999
CHECKERS = 15
LARGEST_CUBE = 2**20


class Opening(StrEnum):
    PLAY_BOTH_DICE = "play_both_dice"
    ROLL_AGAIN = "roll_again"


class DiceObligation(StrEnum):
    ALL_THEN_LARGER = "all_then_larger"
    ALL = "all"
    LARGER_DIE_SUFFICES = "larger_die_suffices"


class BearOff(StrEnum):
    HIGHEST_ONLY = "highest_only"
    LOWER_ALLOWED = "lower_allowed"


class CubeTiming(StrEnum):
    BEFORE_ROLL = "before_roll"
    ANY_TIME = "any_time"


class FirstDouble(StrEnum):
    FROM_START = "from_start"
    AFTER_FIRST_THROW = "after_first_throw"


class CrawfordForm(StrEnum):
    ON = "on"
    TRAILER_ONLY = "trailer_only"
    OFF = "off"


class UncubedSingle(StrEnum):
    ONE = "one"
    CHECKERS_LEFT = "checkers_left"


class ClockExpiry(StrEnum):
    LOSES_MATCH = "loses_match"
    OVERTIME = "overtime"


@dataclass(frozen=True, slots=True)
class LateLadder:
    """PEN-1: penalty points for being late; beyond this percentage of the match length the match is lost."""

    first_minutes: int = 5
    first_points: int = 1
    each_minutes: int = 5
    each_points: int = 1
    lost_beyond_percent: int = 50


@dataclass(frozen=True, slots=True)
class Clock:
    """TIME-1: seconds a match point, seconds a move, and the deduction for points already scored."""

    point_seconds: int = 120
    move_seconds: int = 12
    doubles_point_seconds: int = 150
    doubles_move_seconds: int = 18
    late_start_seconds: int = 60


class RulesetError(ValueError):
    """Invalid data; `problems` has everything that is wrong with it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.sentence for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Ruleset:
    name: str = "own"
    title: str = "A ruleset of our own"
    opening: Opening = Opening.PLAY_BOTH_DICE  # OPEN-2, OPEN-3
    automatic_doubles: int | None = 0  # OPEN-4; None: any number
    dice_obligation: DiceObligation = DiceObligation.ALL_THEN_LARGER  # DICE-1 to DICE-3
    bear_off: BearOff = BearOff.HIGHEST_ONLY  # OFF-3, OFF-6
    hit_checker_first: bool = False  # OFF-7
    cube: bool = True  # CUBE-8
    cube_timing: CubeTiming = CubeTiming.BEFORE_ROLL  # CUBE-1, CUBE-2
    first_double: FirstDouble = FirstDouble.FROM_START  # CUBE-3
    cube_limit: int | None = None  # CUBE-6; None: no limit
    beavers: int | None = 0  # CUBE-7; None: any number
    crawford: CrawfordForm = CrawfordForm.ON  # CRAW-1 to CRAW-3
    crawford_after_penalty: bool = True  # CRAW-4
    uncubed_single: UncubedSingle = UncubedSingle.ONE  # SCORE-1, SCORE-2
    backgammon_counts_bar: bool = True  # SCORE-4, SCORE-5
    jacoby: bool = False  # SCORE-6
    suggested_lengths: tuple[int, ...] = ()  # MATCH-2
    late_ladder: LateLadder | None = LateLadder()  # PEN-1; None: no penalties
    clock: Clock | None = Clock()  # TIME-1; None: no clocks
    clock_expiry: ClockExpiry = ClockExpiry.LOSES_MATCH  # TIME-2

    def as_json(self) -> dict[str, Any]:
        return {name: _json_value(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The ruleset of this data; a missing field has its default.

        Raises RulesetError with every problem: unknown field, wrong type, impossible value.
        """
        if not isinstance(data, dict):
            raise RulesetError((problem("ruleset_not_an_object"),))
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for field, value in data.items():
            try:
                values[field] = READERS[field](value)
            except KeyError:
                problems.append(problem("unknown_field", field=_shortened(field)))
            except json_readers.WrongTypeError as wrong:
                problems.append(problem("wrong_type", field=field, expected=str(wrong)))
            except json_readers.ImpossibleError as wrong:
                problems.append(
                    problem("impossible_value", field=field, expected=str(wrong), given=_shortened(value))
                )
        if problems:
            raise RulesetError(tuple(problems))
        return cls(**values)


def _json_value(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _shortened(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


_FEW_OR_ANY = json_readers.or_none(json_readers.whole_number(0, 20))
_LENGTHS = json_readers.list_of(json_readers.whole_number(1, LONGEST_MATCH), maximum=20)
_MINUTES = json_readers.whole_number(1, 600)
_SECONDS = json_readers.whole_number(0, 3600)

READERS: Mapping[str, json_readers.Reader] = MappingProxyType(
    {
        "name": json_readers.text(60),
        "title": json_readers.text(120),
        "opening": json_readers.choice(Opening),
        "automatic_doubles": _FEW_OR_ANY,
        "dice_obligation": json_readers.choice(DiceObligation),
        "bear_off": json_readers.choice(BearOff),
        "hit_checker_first": json_readers.boolean,
        "cube": json_readers.boolean,
        "cube_timing": json_readers.choice(CubeTiming),
        "first_double": json_readers.choice(FirstDouble),
        "cube_limit": json_readers.or_none(json_readers.power_of_two(2, LARGEST_CUBE)),
        "beavers": _FEW_OR_ANY,
        "crawford": json_readers.choice(CrawfordForm),
        "crawford_after_penalty": json_readers.boolean,
        "uncubed_single": json_readers.choice(UncubedSingle),
        "backgammon_counts_bar": json_readers.boolean,
        "jacoby": json_readers.boolean,
        "suggested_lengths": _LENGTHS,
        "late_ladder": json_readers.or_none(
            json_readers.object_of(
                LateLadder,
                {
                    "first_minutes": _MINUTES,
                    "first_points": json_readers.whole_number(1, LONGEST_MATCH),
                    "each_minutes": _MINUTES,
                    "each_points": json_readers.whole_number(0, LONGEST_MATCH),
                    "lost_beyond_percent": json_readers.whole_number(0, 100),
                },
            )
        ),
        "clock": json_readers.or_none(
            json_readers.object_of(Clock, {field.name: _SECONDS for field in fields(Clock)}),
        ),
        "clock_expiry": json_readers.choice(ClockExpiry),
    }
)

DEFAULT_PRESET = "tournament"

_PRESETS = (
    Ruleset(
        name="boxed-set",
        title="Boxed set with house scoring",
        bear_off=BearOff.LOWER_ALLOWED,
        crawford=CrawfordForm.TRAILER_ONLY,
        uncubed_single=UncubedSingle.CHECKERS_LEFT,
    ),
    Ruleset(name="tournament", title="Tournament match play", suggested_lengths=(9,)),
    Ruleset(
        name="parker-1994",
        title="Parker Brothers 1994",
        opening=Opening.ROLL_AGAIN,
        dice_obligation=DiceObligation.ALL,
        first_double=FirstDouble.AFTER_FIRST_THROW,
        crawford=CrawfordForm.OFF,
    ),
    Ruleset(
        name="fundex-5730",
        title="Fundex 5730",
        dice_obligation=DiceObligation.LARGER_DIE_SUFFICES,
        hit_checker_first=True,
        cube_timing=CubeTiming.ANY_TIME,
        crawford=CrawfordForm.OFF,
        backgammon_counts_bar=False,
        suggested_lengths=(10, 20, 50),
    ),
    Ruleset(name="standard", title="Standard rules"),
)

PRESETS: Mapping[str, Ruleset] = MappingProxyType({preset.name: preset for preset in _PRESETS})
STAKE_PLAY_PRESETS: frozenset[str] = frozenset({"parker-1994", "standard"})
"""The sheets with rules for stake play (MATCH-3)."""
