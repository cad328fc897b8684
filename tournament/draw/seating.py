"""Who sits where: the one rule that moves winners, losers and byes through a draw.

Two ways to the same answer: `resolve` computes the whole seating from the facts, `advance` only what
lies downstream of a change. Both ask `settle`, so they cannot disagree. No format is named here and
nothing is remembered here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, Protocol

from tournament.draw.graph import (
    BYE,
    EntryId,
    Feed,
    FromEntry,
    FromPairing,
    Graph,
    Occupant,
    Outcome,
    PairingKey,
    Seat,
    Source,
)


class How(StrEnum):
    """How a pairing was settled."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Decision(Generic[EntryId]):
    """The posted outcome of a pairing, naming both entries: it counts only while these two sit there.

    Either somebody won, or both lost (neither came): `Decision(winner, loser)` or
    `Decision.both_lost(one, other)`.
    """

    winner: EntryId | None
    loser: EntryId
    also_lost: EntryId | None = None

    def __post_init__(self) -> None:
        if (self.winner is None) == (self.also_lost is None):
            raise ValueError("A decision names a winner and a loser, or two losers.")
        if self.loser in (self.winner, self.also_lost):
            raise ValueError("A decision is between two different entries.")

    @classmethod
    def both_lost(cls, one: EntryId, other: EntryId) -> Decision[EntryId]:
        return cls(winner=None, loser=one, also_lost=other)

    def fits(self, left: Occupant[EntryId], right: Occupant[EntryId]) -> bool:
        """Whether these two, on whichever seat, are the entries it was decided between."""
        rival = self.also_lost if self.winner is None else self.winner
        return (left == self.loser and right == rival) or (left == rival and right == self.loser)


class Settled(NamedTuple, Generic[EntryId]):
    """Who goes on as winner and as loser, and how; all None while that is open."""

    winner: Occupant[EntryId]
    loser: Occupant[EntryId]
    how: How | None

    def sends(self, outcome: Outcome) -> Occupant[EntryId]:
        return self.winner if outcome == Outcome.WINNER else self.loser


UNDECIDED: Final[Settled[Any]] = Settled(None, None, None)
_NOBODY: Final[Settled[Any]] = Settled(BYE, BYE, How.NOBODY)


class State(NamedTuple, Generic[EntryId]):
    """A pairing's two seats and what came of them."""

    left: Occupant[EntryId]
    right: Occupant[EntryId]
    result: Settled[EntryId]

    def at(self, seat: Seat) -> Occupant[EntryId]:
        return self.left if seat == Seat.LEFT else self.right

    def seating(self, seat: Seat, occupant: Occupant[EntryId]) -> State[EntryId]:
        """The same with one seat taken by another; its result is still the one of before."""
        if seat == Seat.LEFT:
            return State(occupant, self.right, self.result)
        return State(self.left, occupant, self.result)


def settle(
    left: Occupant[EntryId],
    right: Occupant[EntryId],
    decision: Decision[EntryId] | None,
    withdrawn: Mapping[EntryId, float],
) -> Settled[EntryId]:
    """What follows from these two seats.

    A bye lets the other through, also another bye and also an entry that has withdrawn (its next
    opponent gets the walkover). Between two entries a decision that fits them counts before any
    withdrawal. `withdrawn` says when each entry left: of two that are gone the first to leave gives the
    walkover, so that a later withdrawal never undoes an earlier walkover. Where nobody wins a bye travels
    on, both as winner and as loser.
    """
    if left is None or right is None:
        return UNDECIDED
    if left is BYE:
        return Settled(right, BYE, How.BYE)
    if right is BYE:
        return Settled(left, BYE, How.BYE)
    if decision is not None and decision.fits(left, right):
        return _NOBODY if decision.winner is None else Settled(decision.winner, decision.loser, How.PLAYED)
    gone = [entry for entry in (left, right) if entry in withdrawn]
    if not gone:
        return UNDECIDED
    loser = min(gone, key=withdrawn.__getitem__)
    return Settled(right if loser == left else left, loser, How.WALKOVER)


@dataclass(frozen=True, slots=True)
class Seating(Generic[PairingKey, EntryId]):
    """The state of every pairing; the decisions that do not fit who sits there are stale and count for nothing."""

    states: Mapping[PairingKey, State[EntryId]]
    stale: frozenset[PairingKey]

    def __getitem__(self, key: PairingKey) -> State[EntryId]:
        return self.states[key]

    def since(self, before: Seating[PairingKey, EntryId]) -> dict[PairingKey, State[EntryId]]:
        """The pairings whose seats or result differ from `before`, a seating of the same graph."""
        return {key: state for key, state in self.states.items() if state != before.states[key]}


def resolve(
    graph: Graph[PairingKey, EntryId],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    withdrawn: Mapping[EntryId, float] | None = None,
) -> Seating[PairingKey, EntryId]:
    """The whole seating, from the facts alone; the order in which they became known does not matter."""
    gone = withdrawn or {}
    states: dict[PairingKey, State[EntryId]] = {}
    stale = set(decisions)
    for pairing in graph:
        key = pairing.key
        left, right = _taken(pairing.left, states), _taken(pairing.right, states)
        decision = decisions.get(key)
        if decision is not None and decision.fits(left, right):
            stale.discard(key)
        states[key] = State(left, right, settle(left, right, decision, gone))
    return Seating(states, frozenset(stale))


def _taken(
    source: Source[PairingKey, EntryId], states: Mapping[PairingKey, State[EntryId]]
) -> Occupant[EntryId]:
    if isinstance(source, FromPairing):
        return states[source.pairing].result.sends(source.outcome)
    return source.entry if isinstance(source, FromEntry) else BYE


class DrawSheet(Protocol[PairingKey, EntryId]):
    """What an advance asks about a tournament, pairing by pairing, so that a database can answer lazily.

    A pairing's state is asked for more than once: answer the second time from what was loaded the first.
    """

    @property
    def withdrawn(self) -> Mapping[EntryId, float]: ...

    def feeds_from(self, key: PairingKey) -> Sequence[Feed[PairingKey]]: ...

    def state(self, key: PairingKey) -> State[EntryId]: ...

    def decision(self, key: PairingKey) -> Decision[EntryId] | None: ...


def advance(
    sheet: DrawSheet[PairingKey, EntryId], changed: Iterable[PairingKey]
) -> dict[PairingKey, State[EntryId]]:
    """The pairings whose seats or result change, with their new states; the sheet itself is left as it is.

    `changed` names the pairings whose decision, or the withdrawal of whose entries, is new, or whose
    entry seat was given to another (the sheet then already shows them there). From these the outcome is
    passed on in any case, so a repeated call mends an advance that was cut short; beyond them only
    where a result became another.
    """
    now: dict[PairingKey, State[EntryId]] = {}
    named = dict.fromkeys(changed)
    waiting = deque(named)
    while waiting:
        key = waiting.popleft()
        left, right, before = now.get(key) or sheet.state(key)
        result = settle(left, right, sheet.decision(key), sheet.withdrawn)
        if result != before or key in named:
            now[key] = State(left, right, result)
            waiting.extend(_pass_on(sheet, now, key))
    return {key: state for key, state in now.items() if state != sheet.state(key)}


def _pass_on(
    sheet: DrawSheet[PairingKey, EntryId], now: dict[PairingKey, State[EntryId]], key: PairingKey
) -> list[PairingKey]:
    """Seats winner and loser of a pairing; returns the pairings where that put somebody else."""
    reached = []
    for feed in sheet.feeds_from(key):
        target = now.get(feed.target) or sheet.state(feed.target)
        occupant = now[key].result.sends(feed.outcome)
        if target.at(feed.seat) != occupant:
            now[feed.target] = target.seating(feed.seat, occupant)
            reached.append(feed.target)
    return reached


class MemorySheet(Generic[PairingKey, EntryId]):
    """A tournament held in memory: a graph and the facts so far, kept seated by `advance` alone."""

    def __init__(self, graph: Graph[PairingKey, EntryId]) -> None:
        self.graph = graph
        self.decisions: dict[PairingKey, Decision[EntryId]] = {}
        self.withdrawn: dict[EntryId, float] = {}
        self.states = dict(resolve(graph, {}).states)

    def feeds_from(self, key: PairingKey) -> Sequence[Feed[PairingKey]]:
        return self.graph.feeds_from(key)

    def state(self, key: PairingKey) -> State[EntryId]:
        return self.states[key]

    def decision(self, key: PairingKey) -> Decision[EntryId] | None:
        return self.decisions.get(key)

    def advance(self, *changed: PairingKey) -> dict[PairingKey, State[EntryId]]:
        """Moves everybody on after these pairings changed; returns what became different."""
        changes = advance(self, changed)
        self.states.update(changes)
        return changes
