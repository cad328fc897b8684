"""Which errors of a record stand for themselves, and which most likely only follow from an earlier problem.

After an illegal play the checkers stand otherwise than on the players' board, so that most of what comes later in
the game is called wrong too. Nothing is taken away here: every problem stays a problem of its verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.problem import Problem

_UNREADABLE = frozenset({"cell_not_understood", "play_not_understood", "no_such_roll"})
_BY_SCORE_ALONE = frozenset(
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
    """The index of a problem, counted from 0, and the places of those that most likely follow from it."""

    index: int
    consequences: tuple[int, ...] = ()


def sources(problems: Sequence[Problem]) -> tuple[int | None, ...]:
    """For each problem of a verdict the index of the error that it most likely follows from, or None."""
    first_error: dict[int, int] = {}
    results: list[int | None] = []
    for index, problem in enumerate(problems):
        source = first_error.get(problem.game) if problem.game is not None else None
        results.append(source if problem.is_error and problem.code not in _BY_SCORE_ALONE else None)
        if (
            problem.game is not None
            and problem.is_error
            and (problem.move is not None or problem.code in _UNREADABLE)
        ):
            first_error.setdefault(problem.game, index)
    return tuple(results)


def faults(problems: Sequence[Problem]) -> tuple[Fault, ...]:
    """The problems that stand for themselves, in order, each with those that follow from it."""
    consequences_by_source: dict[int, list[int]] = {}
    for index, source in enumerate(sources(problems)):
        if source is None:
            consequences_by_source[index] = []
        else:
            consequences_by_source[source].append(index)
    return tuple(Fault(index, tuple(consequences)) for index, consequences in consequences_by_source.items())
