"""Computes the seating of a whole draw from the facts, in the order of its feeds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, NamedTuple, Protocol, TypeAlias

from rules.translation import gettext_noop
from tournament.draw.graph import (
    BYE,
    EntryId,
    FromEntry,
    FromPairing,
    FromPlace,
    Graph,
    GraphError,
    Occupant,
    PairingKey,
    Seat,
    Source,
)
from tournament.draw.seating.settling import Decision, State, settle


class Rank(Protocol[PairingKey, EntryId]):
    """Ranks a bracket whose pairings are all settled, with all ties broken."""

    def __call__(
        self,
        bracket: str,
        states: Mapping[PairingKey, State[EntryId]],
        decisions: Mapping[PairingKey, Decision[EntryId]],
    ) -> Sequence[EntryId]: ...


KeptSeats: TypeAlias = Mapping[tuple[PairingKey, Seat], EntryId]
"""Seats that stay with an entry whatever feeds them, because a director kept a match as played after a correction."""


@dataclass(frozen=True, slots=True)
class Seating(Generic[PairingKey, EntryId]):
    """The state of every pairing. A decision is stale if it does not fit the occupants; it then has no effect."""

    states: Mapping[PairingKey, State[EntryId]]
    stale: frozenset[PairingKey]

    def __getitem__(self, key: PairingKey) -> State[EntryId]:
        return self.states[key]

    def changes_since(self, before: Seating[PairingKey, EntryId]) -> dict[PairingKey, State[EntryId]]:
        """Returns the pairings whose seats or result differ from `before`, a seating of the same graph."""
        return {key: state for key, state in self.states.items() if state != before.states[key]}


class Facts(NamedTuple, Generic[PairingKey, EntryId]):
    """All facts about a draw, in the order of the parameters of `resolve`.

    `without_place` are entries that withdrew before their place in a bracket counted. The next entry takes the place.
    """

    decisions: Mapping[PairingKey, Decision[EntryId]]
    withdrawn: Mapping[EntryId, float] = MappingProxyType({})
    kept_seats: KeptSeats[PairingKey, EntryId] = MappingProxyType({})
    rank: Rank[PairingKey, EntryId] | None = None
    without_place: Collection[EntryId] = frozenset()


def resolve(
    graph: Graph[PairingKey, EntryId],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    withdrawn: Mapping[EntryId, float] = MappingProxyType({}),
    kept_seats: KeptSeats[PairingKey, EntryId] = MappingProxyType({}),
    rank: Rank[PairingKey, EntryId] | None = None,
    without_place: Collection[EntryId] = frozenset(),
) -> Seating[PairingKey, EntryId]:
    """Returns the whole seating. The order in which facts became known does not matter.

    `resolve(graph, *facts)` takes a `Facts`. Raises GraphError if places of a bracket feed seats and `rank` is None.
    """
    states: dict[PairingKey, State[EntryId]] = {}
    stale = set(decisions)
    filler = _SeatFiller(graph, Facts(decisions, withdrawn, kept_seats, rank, without_place), states)
    for pairing in graph:
        key = pairing.key
        left, right = (
            filler.occupant(key, Seat.LEFT, pairing.left),
            filler.occupant(key, Seat.RIGHT, pairing.right),
        )
        decision = decisions.get(key)
        if decision is not None and decision.fits(left, right):
            stale.discard(key)
        states[key] = State(left, right, settle(left, right, decision, withdrawn))
    return Seating(states, frozenset(stale))


class _SeatFiller(Generic[PairingKey, EntryId]):
    """Finds the occupant of a seat from the states of all earlier pairings."""

    def __init__(
        self,
        graph: Graph[PairingKey, EntryId],
        facts: Facts[PairingKey, EntryId],
        states: Mapping[PairingKey, State[EntryId]],
    ) -> None:
        self.graph, self.facts, self.states = graph, facts, states
        self.rankings: dict[str, Sequence[EntryId] | None] = {}

    def occupant(self, key: PairingKey, seat: Seat, source: Source[PairingKey, EntryId]) -> Occupant[EntryId]:
        if self.facts.kept_seats and (key, seat) in self.facts.kept_seats:
            return self.facts.kept_seats[key, seat]
        if isinstance(source, FromPairing):
            return self.states[source.pairing].sent_on(source.outcome)
        if isinstance(source, FromEntry):
            return source.entry
        return self._place_occupant(source) if isinstance(source, FromPlace) else BYE

    def _place_occupant(self, source: FromPlace) -> Occupant[EntryId]:
        if source.bracket not in self.rankings:
            states = {key: self.states[key] for key in self.graph.ranked_pairings(source.bracket)}
            self.rankings[source.bracket] = ranking(
                source.bracket, states, self.facts.decisions, self.facts.rank, self.facts.without_place
            )
        return occupant_of_place(self.rankings[source.bracket], source.place)


def ranking(
    bracket: str,
    states: Mapping[PairingKey, State[EntryId]],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    rank: Rank[PairingKey, EntryId] | None,
    without_place: Collection[EntryId] = frozenset(),
) -> Sequence[EntryId] | None:
    """Returns the entries of a bracket by place, or None while one of its pairings is open."""
    if any(state.result.how is None for state in states.values()):
        return None
    if rank is None:
        raise GraphError(
            gettext_noop("Places of {bracket} lead on, but nothing says how it is ranked."), bracket=bracket
        )
    return [entry for entry in rank(bracket, states, decisions) if entry not in without_place]


def occupant_of_place(ranked: Sequence[EntryId] | None, place: int) -> Occupant[EntryId]:
    """Returns the entry in this place, from 1; a bye if fewer took part; None while the ranking is unknown."""
    if ranked is None:
        return None
    return ranked[place - 1] if place <= len(ranked) else BYE
