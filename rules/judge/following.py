"""Which errors of a record stand for themselves, and which most likely only follow from an earlier one.

After an illegal play the checkers stand otherwise than on the players' board, so that most of what comes later in
the game is called wrong too. Nothing is taken away here: every problem stays a problem of its verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.problem import Problem

_NOT_READ = frozenset({"cell_not_understood", "play_not_understood", "no_such_roll"})
_OF_THE_SCORE = frozenset(
    {
        "match_is_over",
        "wrong_score_line",
        "no_double_in_over",
        "no_double_in_match",
        "no_double_in_one_point_match",
        "no_double_in_crawford",
        "no_double_in_crawford_trailer",
        "double_above_limit",
        "no_beavers",
        "too_many_beavers",
    }
)
"""Wrong by score and rules alone, wherever the checkers stand."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The place of a problem, counted from 0, and the places of those that most likely follow from it."""

    place: int
    following: tuple[int, ...] = ()


def sources(problems: Sequence[Problem]) -> tuple[int | None, ...]:
    """For each problem of a verdict the place of the error that it most likely follows from, or None."""
    upset: dict[int, int] = {}
    found: list[int | None] = []
    for place, one in enumerate(problems):
        source = upset.get(one.game) if one.game is not None else None
        found.append(source if one.is_error and one.code not in _OF_THE_SCORE else None)
        if one.game is not None and one.is_error and (one.move is not None or one.code in _NOT_READ):
            upset.setdefault(one.game, place)
    return tuple(found)


def faults(problems: Sequence[Problem]) -> tuple[Fault, ...]:
    """The problems that stand for themselves, in order, each with those that follow from it."""
    led: dict[int, list[int]] = {}
    for place, source in enumerate(sources(problems)):
        if source is None:
            led[place] = []
        else:
            led[source].append(place)
    return tuple(Fault(place, tuple(following)) for place, following in led.items())
