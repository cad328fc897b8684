"""Chooses the next matches to call and their tables. Pure: the same input gives the same calls.

The published order: pinned matches, then the most urgent ones in steps of 15 minutes, then the longest wait. A reserved
table takes only its pinned matches and players. Players who are busy are not called.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

QUARTER = 15.0


class CallReason(StrEnum):
    PINNED = "pinned"
    HOLDS_UP = "holds_up"
    WAITS_LONGEST = "waits_longest"


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table without a match. `players` and `pairings` are pinned to it."""

    key: int
    is_reserved: bool = False
    players: frozenset[uuid.UUID] = frozenset()
    pairings: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """`waits_since` in seconds of any clock. `urgency`: planned minutes from its start to the end of the event.

    `is_pinned`: the match or one of its players is pinned to a table.
    """

    key: int
    players: frozenset[uuid.UUID]
    waits_since: float
    urgency: float = 0.0
    is_pinned: bool = False

    @property
    def rank(self) -> tuple[bool, float, float, int]:
        return (not self.is_pinned, -(self.urgency // QUARTER), self.waits_since, self.key)


@dataclass(frozen=True, slots=True)
class Assignment:
    match: int
    table: int
    because: CallReason


def assign_tables(
    tables: Sequence[FreeTable], waiting: Iterable[WaitingMatch], busy: Collection[uuid.UUID]
) -> list[Assignment]:
    """Returns the matches to call with their tables, in the order of the calls."""
    free, busy_players = list(tables), set(busy)
    assignments: list[Assignment] = []
    queue = sorted(waiting, key=lambda match: match.rank)
    for match in queue:
        table = None if match.players & busy_players else _choose_table(match, free)
        if table is None:
            continue
        assignments.append(Assignment(match.key, table.key, _call_reason(match, queue)))
        free.remove(table)
        busy_players |= match.players
    return assignments


def keys_in_order(waiting: Iterable[WaitingMatch]) -> list[int]:
    """Returns the keys of the matches in the order of the next calls."""
    return [match.key for match in sorted(waiting, key=lambda match: match.rank)]


def _choose_table(match: WaitingMatch, free: Iterable[FreeTable]) -> FreeTable | None:
    """A pinned match gets only its own table. A pin of the pairing takes precedence over pins of its players."""
    if not match.is_pinned:
        return next((table for table in free if not table.is_reserved), None)
    tables = list(free)
    own = next((table for table in tables if match.key in table.pairings), None)
    return own or next((table for table in tables if table.players & match.players), None)


def _call_reason(match: WaitingMatch, queue: Sequence[WaitingMatch]) -> CallReason:
    """Returns the first rule that ranks the match before a match that has waited longer."""
    if match.is_pinned:
        return CallReason.PINNED
    is_overtaking = any(other.waits_since < match.waits_since for other in queue if other.rank > match.rank)
    return CallReason.HOLDS_UP if is_overtaking else CallReason.WAITS_LONGEST
