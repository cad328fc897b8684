"""Evaluates a whole score card: every line, every problem. Nothing is raised.

A card is read to its end; an impossible entry counts as the nearest possible one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.problem import Problem, problem
from rules.ruleset import Ruleset, UncubedSingle
from rules.score.crawford import is_crawford_game
from rules.score.cube_use import may_double
from rules.score.entry import Entry, Side, Win
from rules.score.legality import errors
from rules.score.match_score import Score
from rules.score.playing import ScoredEntry, credit
from rules.score.remarks import largest_useful_cube, remarks

FACES_OF_A_CUBE = 64


@dataclass(frozen=True, slots=True)
class Inspection:
    """A line for each entry, the final score, and all problems in the order of the card."""

    lines: tuple[ScoredEntry, ...]
    score: Score
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """The possible entries for the next game, so that a phone offers nothing impossible.

    `cubes` go up to the largest useful one. `may_double` are the sides that may offer a double, the only ones
    that can win by a drop. `automatic_doubles` is the maximum for a game (None: any number).
    """

    cubes: tuple[int, ...]
    wins: tuple[Win, ...]
    cube_allowed: bool
    is_crawford: bool
    needs_checkers_left: bool
    may_double: tuple[Side, ...] = ()
    automatic_doubles: int | None = 0


def inspect(
    entries: Sequence[Entry],
    length: int | None,
    ruleset: Ruleset,
    *,
    agreed: int | None = None,
    stopped_at: int = 0,
) -> Inspection:
    """Evaluates a card that begins at 0-0.

    `agreed` is the number of games of a session; a stop agrees on it after `stopped_at` entries.
    """
    score = Score.start(length, ruleset)
    lines: list[ScoredEntry] = []
    for index, entry in enumerate(entries):
        if index == stopped_at:
            score = replace(score, agreed=agreed)
        lines.append(_inspected(score, entry, ruleset))
        score = lines[-1].after
    score = replace(score, agreed=agreed)
    problems = tuple(problem for line in lines for problem in line.remarks)
    return Inspection(tuple(lines), score, problems)


def choices(score: Score, ruleset: Ruleset) -> Choices:
    """The possible entries for the next game at this score."""
    doublers = may_double(score, ruleset)
    return Choices(
        cubes=_cubes(score, ruleset, doublers),
        wins=() if score.is_over else tuple(Win),
        cube_allowed=bool(doublers),
        is_crawford=is_crawford_game(score, ruleset),
        needs_checkers_left=not score.is_over and ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT,
        may_double=doublers,
        automatic_doubles=ruleset.automatic_doubles if doublers else 0,
    )


def final_score_problem(left: int, right: int, length: int | None, ruleset: Ruleset) -> Problem | None:  # noqa: ARG001
    """The problem of this final score, or None.

    Under every ruleset the loser can have any score below the length, one point at a time. In stake play
    (length None) any score that is not level is possible.
    """
    if length is not None and length < 1:
        return problem("length_below_one", length=length)
    if min(left, right) < 0:
        return problem("final_score_negative")
    if length is None:
        return problem("final_score_level") if left == right else None
    if max(left, right) < length:
        return problem("final_score_unfinished", length=length)
    if min(left, right) >= length:
        return problem("final_score_two_winners", length=length)
    if max(left, right) > length:
        left, right = min(left, length), min(right, length)
        return problem("final_score_beyond_length", length=length, left=left, right=right)
    return None


def stop_problem(length: int | None, agreed: int | None, stops: int) -> Problem | None:
    """The problem of a card with this number of stop rows, or None (MATCH-3).

    Time ends only a session without an agreed number of games, and only once.
    """
    if not stops:
        return None
    if length is not None:
        return problem("stop_in_match", length=length)
    if agreed is not None:
        return problem("stop_in_agreed_games", games=agreed)
    return problem("stop_written_twice") if stops > 1 else None


def _inspected(score: Score, entry: Entry, ruleset: Ruleset) -> ScoredEntry:
    problems = tuple(errors(score, entry, ruleset)) or tuple(remarks(score, entry, ruleset))
    line = credit(score, entry, ruleset)
    return replace(line, remarks=problems) if problems else line


def _cubes(score: Score, ruleset: Ruleset, doublers: Sequence[Side]) -> tuple[int, ...]:
    if score.is_over:
        return ()
    if not doublers:
        return (1,)
    most = 2 if len(doublers) == 1 else largest_useful_cube(score) or FACES_OF_A_CUBE
    most = min(most, ruleset.cube_limit or most)
    return tuple(1 << power for power in range(most.bit_length()))
