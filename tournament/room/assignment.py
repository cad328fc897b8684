"""Who is called next, and where to. Pure: the same room and the same waiting matches give the same calls.

The order is published: pinned matches first; then what holds the event up most, in whole quarters of an hour; then the
longest wait. A reserved table is given to its pins alone. Nobody is called who sits at a table, or twice.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

QUARTER = 15.0


class Because(StrEnum):
    """Why a match comes next."""

    PINNED = "pinned"
    HOLDS_UP = "holds_up"
    WAITS_LONGEST = "waits_longest"


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table that nobody sits at, in the order in which tables are given. Pins name players and pairings."""

    key: int
    is_reserved: bool = False
    players: frozenset[uuid.UUID] = frozenset()
    pairings: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """`waits_since` in seconds of any clock; `urgency`: minutes from its start to the end of the event behind it.

    `is_pinned`: a pin holds it or one of its players, at whichever table.
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
    """The match with this key goes to this table."""

    match: int
    table: int
    because: Because


def choose(
    tables: Sequence[FreeTable], waiting: Iterable[WaitingMatch], busy: Collection[uuid.UUID]
) -> list[Assignment]:
    """Which matches go to which free tables, in the order in which they are called."""
    free, taken = list(tables), set(busy)
    chosen: list[Assignment] = []
    line = sorted(waiting, key=lambda one: one.rank)
    for one in line:
        table = None if one.players & taken else _table_for(one, free)
        if table is None:
            continue
        chosen.append(Assignment(one.key, table.key, _because(one, line)))
        free.remove(table)
        taken |= one.players
    return chosen


def in_order(waiting: Iterable[WaitingMatch]) -> list[int]:
    """The keys of the matches as they come next."""
    return [one.key for one in sorted(waiting, key=lambda one: one.rank)]


def _table_for(one: WaitingMatch, free: Iterable[FreeTable]) -> FreeTable | None:
    """Its own table where it is pinned, and no other; a pin of the pairing goes before pins of its players."""
    if not one.is_pinned:
        return next((table for table in free if not table.is_reserved), None)
    tables = list(free)
    own = next((table for table in tables if one.key in table.pairings), None)
    return own or next((table for table in tables if table.players & one.players), None)


def _because(one: WaitingMatch, line: Sequence[WaitingMatch]) -> Because:
    """The first rule that sets it before a match which waits longer."""
    if one.is_pinned:
        return Because.PINNED
    is_overtaking = any(other.waits_since < one.waits_since for other in line if other.rank > one.rank)
    return Because.HOLDS_UP if is_overtaking else Because.WAITS_LONGEST
