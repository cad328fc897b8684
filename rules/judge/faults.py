"""Separates the independent errors of a record from those that are most likely consequences of an earlier one.

After an illegal play the board differs from the players' board, so that most later turns of the game seem wrong
too. No problem is removed.
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
"""Errors by score and rules alone, independent of the checkers."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The index of a problem and the indexes of its likely consequences, counted from 0."""

    index: int
    consequences: tuple[int, ...] = ()


def sources(problems: Sequence[Problem]) -> tuple[int | None, ...]:
    """For each problem of a verdict the index of its likely cause, or None."""
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
    """The independent problems in order, each with its likely consequences."""
    consequences_by_source: dict[int, list[int]] = {}
    for index, source in enumerate(sources(problems)):
        if source is None:
            consequences_by_source[index] = []
        else:
            consequences_by_source[source].append(index)
    return tuple(Fault(index, tuple(consequences)) for index, consequences in consequences_by_source.items())
