"""Adds an entry to a score: raises the first error, credits points, advances the match."""

from dataclasses import dataclass, replace

from rules.problem import Problem, RuleBroken
from rules.ruleset import Ruleset
from rules.score.crawford import is_crawford_game, stage_after_game, stage_after_penalty
from rules.score.entry import Entry, Game, Penalty, Side
from rules.score.legality import errors, nearest_legal
from rules.score.match_score import Score
from rules.score.remarks import remarks
from rules.score.worth import points


@dataclass(frozen=True, slots=True)
class ScoredEntry:
    """One line of a card: the entry, its number if it is a game, and its points.

    `raw` is the value of the win, `credited` the part that counts towards the match (MATCH-1). `remarks` are of this
    line; after `inspect` they include its errors.
    """

    entry: Entry
    number: int | None
    raw: int
    credited: int
    is_crawford: bool
    before: Score
    after: Score
    remarks: tuple[Problem, ...] = ()


def play(score: Score, entry: Entry, ruleset: Ruleset) -> ScoredEntry:
    """The line that this entry makes at this score. Raises RuleBroken at the first error."""
    first = next(errors(score, entry, ruleset), None)
    if first is not None:
        raise RuleBroken(first)
    return replace(credit(score, entry, ruleset), remarks=tuple(remarks(score, entry, ruleset)))


def credit(score: Score, entry: Entry, ruleset: Ruleset) -> ScoredEntry:
    """The line of any entry, legal or not.

    An impossible game counts as the nearest possible one; after the end of the match nothing counts.
    """
    number = None if isinstance(entry, Penalty) else score.games + 1
    winner, raw = _worth(score, entry, ruleset)
    needed = score.away(winner)
    credited = raw if needed is None else min(raw, needed)
    is_crawford = isinstance(entry, Game) and is_crawford_game(score, ruleset)
    return ScoredEntry(
        entry=entry,
        number=number,
        raw=raw,
        credited=credited if not score.is_over else 0,
        is_crawford=is_crawford,
        before=score,
        after=score if score.is_over else _after(score, entry, winner, credited, ruleset),
    )


def _worth(score: Score, entry: Entry, ruleset: Ruleset) -> tuple[Side, int]:
    if isinstance(entry, Penalty):
        return entry.against.other, max(0, entry.points)
    return entry.winner, points(nearest_legal(score, entry, ruleset), ruleset)


def _after(score: Score, entry: Entry, winner: Side, credited: int, ruleset: Ruleset) -> Score:
    left = score.left + (credited if winner is Side.LEFT else 0)
    right = score.right + (credited if winner is Side.RIGHT else 0)
    if isinstance(entry, Penalty):
        after = replace(score, left=left, right=right)
        return replace(after, crawford=stage_after_penalty(score, after, entry, ruleset))
    return Score(left, right, score.length, stage_after_game(score), score.games + 1, score.agreed)
