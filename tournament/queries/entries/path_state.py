"""Orders the pairings of an entry and derives its state in the tournament from loaded rows. Pure.

Depends on brackets and feeds only, not on the format of the tournament.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.draw.graph import Outcome
from tournament.models import Entry, Feed, Pairing, Shape


class PathState(StrEnum):
    """PLAYED: all matches so far are over, and records decide. FINISHED: PLAYED, and no further round follows.
    BRACKET_WON: winner of a side bracket."""

    UNDRAWN = "undrawn"
    MEETS = "meets"
    WAITS = "waits"
    PLAYED = "played"
    FINISHED = "finished"
    OUT = "out"
    CHAMPION = "champion"
    BRACKET_WON = "bracket_won"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class PathStep:
    row: Pairing
    is_over: bool
    is_won: bool
    both_lost: bool


def order_pairings(rows: Iterable[Pairing], feeds: Iterable[Feed]) -> list[Pairing]:
    """Sorts by bracket, round and line, and puts every pairing after the pairings that feed it."""
    base = sorted(rows, key=lambda row: (row.round.bracket.position, row.round.number, row.line))
    by_id = {row.pk: row for row in base}
    sources: dict[int, list[int]] = {}
    for feed in feeds:
        if feed.source_id in by_id and feed.target_id in by_id:
            sources.setdefault(feed.target_id, []).append(feed.source_id)
    ordered: dict[int, Pairing] = {}

    def add(pk: int) -> None:
        for source in sources.get(pk, ()):
            add(source)
        ordered.setdefault(pk, by_id[pk])

    for row in base:
        add(row.pk)
    return list(ordered.values())


def path_state(
    entry: Entry, steps: Sequence[tuple[PathStep, bool]], feeds: Sequence[Feed], crown: object
) -> PathState:
    """`steps` are the pairings in order, each with True if it has a match. `crown` is the id of the bracket that
    decides the winner of the tournament."""
    path_steps = [step for step, _ in steps]
    waiting = [has_match for step, has_match in steps if not step.is_over]
    if not steps:
        return PathState.WITHDRAWN if entry.is_withdrawn else PathState.UNDRAWN
    if waiting:
        if entry.is_withdrawn:
            return PathState.WITHDRAWN
        return PathState.MEETS if any(waiting) else PathState.WAITS
    ends = [_state_after(entry, step, feeds, crown) for step in _final_steps(entry, path_steps, feeds)]
    for state in (PathState.CHAMPION, PathState.WITHDRAWN, PathState.WAITS):
        if state in ends or (state is PathState.WITHDRAWN and entry.is_withdrawn):
            return state
    return ends[0]


def _final_steps(entry: Entry, path_steps: Sequence[PathStep], feeds: Sequence[Feed]) -> list[PathStep]:
    """Returns the steps that lead to no other step of this entry."""
    seated = {step.row.pk for step in path_steps}
    tables = {step.row.round.bracket_id: step for step in path_steps}
    last = [
        step
        for step in path_steps
        if not any(feed.target_id in seated for feed in _onward(entry, step, feeds))
        and (_is_tree(step.row) or tables[step.row.round.bracket_id] is step)
    ]
    return last or [path_steps[-1]]


def _state_after(entry: Entry, step: PathStep, feeds: Sequence[Feed], crown: object) -> PathState:
    row = step.row
    onward = _onward(entry, step, feeds)
    if not _is_tree(row):
        if not onward:
            return PathState.PLAYED
        return PathState.WAITS if any(_is_seat_open(feed) for feed in onward) else PathState.OUT
    if onward:
        return PathState.WAITS
    if step.is_won:
        return PathState.CHAMPION if row.round.bracket_id == crown else PathState.BRACKET_WON
    return PathState.OUT


def _onward(entry: Entry, step: PathStep, feeds: Iterable[Feed]) -> list[Feed]:
    """Returns the feeds that the entry can follow after this step."""
    row = step.row
    if not _is_tree(row):
        return [feed for feed in feeds if feed.bracket_id == row.round.bracket_id]
    if step.both_lost:
        return []
    if step.is_won:
        outcomes: tuple[str, ...] = (Outcome.WINNER,)
    elif row.left_id == entry.pk:
        outcomes = (Outcome.LOSER, Outcome.FIRST_LOSS)
    else:
        outcomes = (Outcome.LOSER,)
    return [feed for feed in feeds if feed.source_id == row.pk and feed.outcome in outcomes]


def _is_tree(row: Pairing) -> bool:
    return row.round.bracket.shape == Shape.TREE


def _is_seat_open(feed: Feed) -> bool:
    """Returns True if the target seat is still empty."""
    target = feed.target
    if feed.seat == "left":
        return target.left_id is None and not target.left_is_bye
    return target.right_id is None and not target.right_is_bye
