"""Computes the consequences of correcting a posted result: the pairings that get other players.

The preview and the correction call the same function, so they cannot differ. The director decides for each match that
has begun whether it is cancelled or kept as played. A kept seat is released when its match is cancelled or taken back.
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
    """A match cannot be kept as played: `entry` would sit in both open `pairings`, or on both seats of one."""

    def __init__(self, entry: object, pairings: tuple[object, object]) -> None:
        super().__init__(f"{entry} would sit in {pairings[0]} and in {pairings[1]}.")
        self.entry = entry
        self.pairings = pairings


class Stage(StrEnum):
    """Progress of a pairing."""

    NOT_STARTED = "not_started"
    UNDER_WAY = "under_way"
    FINISHED = "finished"


class Treatment(StrEnum):
    """The effect on a pairing whose players would change.

    REPLACE: the match has not started and gets the new players. CANCEL: it has started and is cancelled. KEEP: it keeps
    the players it had.
    """

    REPLACE = "replace"
    CANCEL = "cancel"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Correction(Generic[PairingKey, EntryId]):
    """A pairing and its new decision. None takes the result back and releases the seats kept there.

    `under_way` are pairings whose match has begun without a result, `keep` the pairings to keep as played.
    """

    key: PairingKey
    decision: Decision[EntryId] | None
    under_way: Collection[PairingKey] = ()
    keep: Collection[PairingKey] = ()


@dataclass(frozen=True, slots=True)
class Affected(Generic[PairingKey, EntryId]):
    """A pairing that gets other players, or would get them if it were not kept."""

    key: PairingKey
    stage: Stage
    treatment: Treatment
    before: State[EntryId]
    after: State[EntryId]


@dataclass(frozen=True, slots=True)
class Consequences(Generic[PairingKey, EntryId]):
    """Affected pairings and released seats in the order of the draw, the new facts, and the seating before and
    after.
    """

    affected: tuple[Affected[PairingKey, EntryId], ...]
    released_seats: tuple[tuple[PairingKey, Seat], ...]
    facts: Facts[PairingKey, EntryId]
    before: Seating[PairingKey, EntryId]
    after: Seating[PairingKey, EntryId]

    @property
    def cancelled(self) -> tuple[PairingKey, ...]:
        return tuple(pairing.key for pairing in self.affected if pairing.treatment == Treatment.CANCEL)


def consequences(
    graph: Graph[PairingKey, EntryId],
    facts: Facts[PairingKey, EntryId],
    correction: Correction[PairingKey, EntryId],
) -> Consequences[PairingKey, EntryId]:
    """Returns the consequences of a correction. Raises CannotKeep if a kept match would seat an entry twice.

    Keeping a match also keeps the seat that the other player of its source took, if the same entry would otherwise take
    both seats.
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
            key: decision for key, decision in self.facts.decisions.items() if key not in self.before.stale
        }
        self.decisions.pop(self.correction.key, None)
        if self.correction.decision is not None:
            self.decisions[self.correction.key] = self.correction.decision

    def consequences(self) -> Consequences[PairingKey, EntryId]:
        after, kept_now = self._settle()
        affected = [self._affected(key, after) for key in self._changed_pairings(after) + kept_now]
        for pairing in affected:
            if pairing.treatment == Treatment.CANCEL:
                self.decisions.pop(pairing.key, None)
        if self.kept_seats:
            self._refuse_new_double_seatings(after)
        order = {pairing.key: place for place, pairing in enumerate(self.graph)}
        affected.sort(key=lambda pairing: order[pairing.key])
        facts = self.facts._replace(decisions=self.decisions, kept_seats=self.kept_seats)
        released = [
            place for place, entry in self.facts.kept_seats.items() if self.kept_seats.get(place) != entry
        ]
        released.sort(key=lambda place: (order[place[0]], place[1]))
        return Consequences(tuple(affected), tuple(released), facts, self.before, after)

    def _settle(self) -> tuple[Seating[PairingKey, EntryId], list[PairingKey]]:
        """Returns the final seating.

        Repeats while a cancelled pairing releases kept seats, because that can cancel more.
        """
        ending = {self.correction.key} if self.correction.decision is None else set()
        while True:
            self._release_kept_seats(ending)
            after, kept_now = self._keep_requested()
            ending = {key for key in self._changed_pairings(after) if self._stage(key) != Stage.NOT_STARTED}
            if not any(place[0] in ending for place in self.remaining_kept):
                return after, kept_now

    def _release_kept_seats(self, ending: Collection[PairingKey]) -> None:
        """Releases the kept seats of these pairings, and the seats that were kept because of the same source."""
        ended = [place for place in self.remaining_kept if place[0] in ending]
        while ended:
            place = ended.pop()
            if self.remaining_kept.pop(place, None) is not None:
                ended += [(feed.target, feed.seat) for feed in self._siblings(*place)]

    def _resolved(self) -> Seating[PairingKey, EntryId]:
        return resolve(self.graph, *self.facts._replace(decisions=self.decisions, kept_seats=self.kept_seats))

    def _keep_requested(self) -> tuple[Seating[PairingKey, EntryId], list[PairingKey]]:
        """Keeps the requested matches one by one in the order of the draw.

        Returns the seating and the kept pairings.
        """
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
        """Keeps the changing seats of a pairing, and the seats that their entries would take instead.

        Continues along these seats, because places of a bracket can pass a change on to several seats.
        """
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
            if any(entry in _players(after[source]) for source in self.graph.filled_by(pairing, seat)):
                places += [
                    (feed.target, feed.seat)
                    for feed in self._siblings(pairing, seat)
                    if after[feed.target].at(feed.seat) in (entry, None)
                ]
        return touched

    def _siblings(self, key: PairingKey, seat: Seat) -> tuple[Feed[PairingKey] | PlaceFeed[PairingKey], ...]:
        """Returns all feeds of the source of this seat, including the feed to the seat itself."""
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
        """Raises CannotKeep. Double seatings that existed before the correction are accepted."""
        earlier = set(find_double_seatings(self.graph, self.before.states, self.facts.kept_seats))
        for entry, keys in find_double_seatings(self.graph, after.states, self.kept_seats):
            if (entry, keys) not in earlier:
                raise CannotKeep(entry, keys)


def _players(state: State[EntryId]) -> frozenset[EntryId]:
    return frozenset(seat for seat in (state.left, state.right) if seat is not None and seat is not BYE)
