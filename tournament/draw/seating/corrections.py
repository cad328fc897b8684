"""What follows when a posted result becomes another: which pairings get other players, and what becomes of them.

A preview and the correction itself are this one function, so what a director saw is what happens. Nothing is
decided here: whoever corrects says of each match that has begun whether it is cancelled or kept as played. A seat
that was kept for a match ends with that match: when it is cancelled, or taken back itself.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic

from tournament.draw.graph import (
    BYE,
    EntryId,
    Feed,
    FromPairing,
    FromPlace,
    Graph,
    PairingKey,
    PlaceFeed,
    Seat,
)
from tournament.draw.seating import Decision, Facts, Seating, State, resolve
from tournament.draw.seating.double_seating import find_double_seatings


class CannotKeep(ValueError):
    """Something cannot be kept as played: `entry` would sit in both open `pairings`, or on both seats of one."""

    def __init__(self, entry: object, pairings: tuple[object, object]) -> None:
        super().__init__(f"{entry} would sit in {pairings[0]} and in {pairings[1]}.")
        self.entry = entry
        self.pairings = pairings


class Stage(StrEnum):
    """How far a pairing has come."""

    NOT_STARTED = "not_started"
    UNDER_WAY = "under_way"
    FINISHED = "finished"


class Treatment(StrEnum):
    """What becomes of a pairing whose players would change: others take the seats of one that has not started; one
    that has is cancelled, or kept as played with the players it had."""

    REPLACE = "replace"
    CANCEL = "cancel"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Correction(Generic[PairingKey, EntryId]):
    """The pairing whose outcome changes, and the outcome it gets; None takes it back, and ends what was kept there.

    `under_way` are pairings whose match has begun without a result; `keep` those that a director keeps as played.
    """

    key: PairingKey
    decision: Decision[EntryId] | None
    under_way: Collection[PairingKey] = ()
    keep: Collection[PairingKey] = ()


@dataclass(frozen=True, slots=True)
class Affected(Generic[PairingKey, EntryId]):
    """A pairing that gets other players, or would without being kept."""

    key: PairingKey
    stage: Stage
    treatment: Treatment
    before: State[EntryId]
    after: State[EntryId]


@dataclass(frozen=True, slots=True)
class Consequences(Generic[PairingKey, EntryId]):
    """All that follows, in the order of the draw; the facts as they will be, and who sits where by them.

    `lifted` are the seats that are kept for somebody now, and no longer then.
    """

    affected: tuple[Affected[PairingKey, EntryId], ...]
    released_seats: tuple[tuple[PairingKey, Seat], ...]
    facts: Facts[PairingKey, EntryId]
    before: Seating[PairingKey, EntryId]
    after: Seating[PairingKey, EntryId]

    @property
    def cancelled(self) -> tuple[PairingKey, ...]:
        return tuple(one.key for one in self.affected if one.treatment == Treatment.CANCEL)


def consequences(
    graph: Graph[PairingKey, EntryId],
    facts: Facts[PairingKey, EntryId],
    correction: Correction[PairingKey, EntryId],
) -> Consequences[PairingKey, EntryId]:
    """What follows from a correction. Raises CannotKeep where what is kept would seat somebody twice.

    Keeping a match as played also keeps the seat that the other player of its source was given, where the same entry
    would otherwise take both.
    """
    return _Calculation(graph, facts, correction).consequences()


@dataclass(slots=True)
class _Calculation(Generic[PairingKey, EntryId]):
    graph: Graph[PairingKey, EntryId]
    facts: Facts[PairingKey, EntryId]
    correction: Correction[PairingKey, EntryId]
    before: Seating[PairingKey, EntryId] = field(init=False)
    decisions: dict[PairingKey, Decision[EntryId]] = field(init=False)
    remaining_kept: dict[tuple[PairingKey, Seat], EntryId] = field(init=False)
    kept_seats: dict[tuple[PairingKey, Seat], EntryId] = field(init=False)

    def __post_init__(self) -> None:
        self.before = resolve(self.graph, *self.facts)
        self.remaining_kept = dict(self.facts.kept_seats)
        self.decisions = {
            key: one for key, one in self.facts.decisions.items() if key not in self.before.stale
        }
        self.decisions.pop(self.correction.key, None)
        if self.correction.decision is not None:
            self.decisions[self.correction.key] = self.correction.decision

    def consequences(self) -> Consequences[PairingKey, EntryId]:
        after, kept_now = self._settle()
        affected = [self._affected(key, after) for key in self._changed_pairings(after) + kept_now]
        for one in affected:
            if one.treatment == Treatment.CANCEL:
                self.decisions.pop(one.key, None)
        if self.kept_seats:
            self._refuse_new_double_seatings(after)
        order = {pairing.key: place for place, pairing in enumerate(self.graph)}
        affected.sort(key=lambda one: order[one.key])
        facts = self.facts._replace(decisions=self.decisions, kept_seats=self.kept_seats)
        lifted = [
            place for place, entry in self.facts.kept_seats.items() if self.kept_seats.get(place) != entry
        ]
        lifted.sort(key=lambda place: (order[place[0]], place[1]))
        return Consequences(tuple(affected), tuple(lifted), facts, self.before, after)

    def _settle(self) -> tuple[Seating[PairingKey, EntryId], list[PairingKey]]:
        """Who sits where in the end: what is cancelled keeps nobody any longer, which may cancel more."""
        ending = {self.correction.key} if self.correction.decision is None else set()
        while True:
            self._release_kept_seats(ending)
            after, kept_now = self._keep_requested()
            ending = {key for key in self._changed_pairings(after) if self._stage(key) != Stage.NOT_STARTED}
            if not any(place[0] in ending for place in self.remaining_kept):
                return after, kept_now

    def _release_kept_seats(self, ending: Collection[PairingKey]) -> None:
        """Ends what is kept in these pairings, and with it every seat that the same source was kept from filling."""
        ended = [place for place in self.remaining_kept if place[0] in ending]
        while ended:
            place = ended.pop()
            if self.remaining_kept.pop(place, None) is not None:
                ended += [(feed.target, feed.seat) for feed in self._siblings(*place)]

    def _resolved(self) -> Seating[PairingKey, EntryId]:
        return resolve(self.graph, *self.facts._replace(decisions=self.decisions, kept_seats=self.kept_seats))

    def _keep_requested(self) -> tuple[Seating[PairingKey, EntryId], list[PairingKey]]:
        """Keeps one match after the other, first those that come first; returns the pairings that were kept by it."""
        self.kept_seats = dict(self.remaining_kept)
        after = self._resolved()
        kept_now: list[PairingKey] = []
        requested = {key for key in self.correction.keep if self._stage(key) != Stage.NOT_STARTED}
        requested.discard(self.correction.key)
        while True:
            next_key = next((key for key in self._changed_pairings(after) if key in requested), None)
            if next_key is None:
                return after, kept_now
            requested.remove(next_key)
            for key in self._keep_pairing(next_key, after):
                if key not in kept_now and _players(self.before[key]) != _players(after[key]):
                    kept_now.append(key)
            after = self._resolved()

    def _changed_pairings(self, after: Seating[PairingKey, EntryId]) -> list[PairingKey]:
        return [
            pairing.key
            for pairing in self.graph
            if _players(self.before[pairing.key]) != _players(after[pairing.key])
        ]

    def _keep_pairing(self, key: PairingKey, after: Seating[PairingKey, EntryId]) -> list[PairingKey]:
        """Keeps the seats of a pairing that would change, then the seats that their entries would take instead, now
        or once their source is decided anew, and so on where places of a bracket go round."""
        before, then = self.before[key], after[key]
        places = [(key, seat) for seat in Seat if before.at(seat) != then.at(seat)]
        touched = [key]
        while places:
            pairing, seat = places.pop()
            entry = self.before[pairing].at(seat)
            if entry is None or entry is BYE or (pairing, seat) in self.kept_seats:
                continue
            self.kept_seats[pairing, seat] = entry
            touched.append(pairing)
            if any(entry in _players(after[one]) for one in self.graph.filled_by(pairing, seat)):
                places += [
                    (feed.target, feed.seat)
                    for feed in self._siblings(pairing, seat)
                    if after[feed.target].at(feed.seat) in (entry, None)
                ]
        return touched

    def _siblings(self, key: PairingKey, seat: Seat) -> tuple[Feed[PairingKey] | PlaceFeed[PairingKey], ...]:
        """All that is filled from where this seat is, itself among it."""
        source = dict(self.graph[key].seats)[seat]
        if isinstance(source, FromPairing):
            return self.graph.feeds_from(source.pairing)
        return self.graph.places_from(source.bracket) if isinstance(source, FromPlace) else ()

    def _affected(
        self, key: PairingKey, after: Seating[PairingKey, EntryId]
    ) -> Affected[PairingKey, EntryId]:
        stage = self._stage(key)
        treatment = Treatment.REPLACE if stage == Stage.NOT_STARTED else Treatment.CANCEL
        if _players(self.before[key]) == _players(after[key]):
            treatment = Treatment.KEEP
        return Affected(key, stage, treatment, self.before[key], after[key])

    def _stage(self, key: PairingKey) -> Stage:
        if key in self.facts.decisions and key not in self.before.stale:
            return Stage.FINISHED
        return Stage.UNDER_WAY if key in self.correction.under_way else Stage.NOT_STARTED

    def _refuse_new_double_seatings(self, after: Seating[PairingKey, EntryId]) -> None:
        """Also for what an earlier correction kept; what was so before is no reason to refuse."""
        earlier = set(find_double_seatings(self.graph, self.before.states, self.facts.kept_seats))
        for entry, keys in find_double_seatings(self.graph, after.states, self.kept_seats):
            if (entry, keys) not in earlier:
                raise CannotKeep(entry, keys)


def _players(state: State[EntryId]) -> frozenset[EntryId]:
    return frozenset(seat for seat in (state.left, state.right) if seat is not None and seat is not BYE)
