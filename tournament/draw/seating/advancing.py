"""Who sits where after a change, working only on what lies downstream of it; a property test holds it to `resolve`."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Generic, Protocol

from tournament.draw.graph import EntryId, Feed, Graph, Occupant, PairingKey, PlaceFeed, Seat
from tournament.draw.seating.resolving import Facts, KeptSeats, Rank, occupant_of_place, ranking, resolve
from tournament.draw.seating.settling import Decision, State, settle


class DrawSheet(Protocol[PairingKey, EntryId]):
    """What an advance asks about a tournament, pairing by pairing, so that a database can answer lazily.

    A pairing's state is asked for more than once: answer the second time from what was loaded the first.
    """

    @property
    def withdrawn(self) -> Mapping[EntryId, float]: ...

    @property
    def kept_seats(self) -> KeptSeats[PairingKey, EntryId]: ...

    def feeds_from(self, key: PairingKey) -> Sequence[Feed[PairingKey]]: ...

    def places_fed_by(self, key: PairingKey) -> Sequence[PlaceFeed[PairingKey]]:
        """Where the places of this pairing's bracket lead."""
        ...

    def ranking_of(self, bracket: str, now: Mapping[PairingKey, State[EntryId]]) -> Sequence[EntryId] | None:
        """The bracket ranked with `now` before what is stored; None while a pairing of it is open."""
        ...

    def state(self, key: PairingKey) -> State[EntryId]: ...

    def decision(self, key: PairingKey) -> Decision[EntryId] | None: ...


def advance(
    sheet: DrawSheet[PairingKey, EntryId], changed: Iterable[PairingKey]
) -> dict[PairingKey, State[EntryId]]:
    """The pairings whose seats or result change, with their new states; the sheet itself is left as it is.

    `changed` names the pairings whose decision, or the withdrawal of whose entries, is new, or whose
    entry seat was given to another (the sheet then already shows them there), or that feed a seat which is kept
    now or no longer. From these the outcome is passed on in any case, so a repeated call mends an advance that
    was cut short; beyond them only where a result became another, or the same two sit the other way round: who of
    them has lost for the first time is told by the seat.
    """
    now: dict[PairingKey, State[EntryId]] = {}
    given_keys = dict.fromkeys(changed)
    waiting = deque(given_keys)
    while waiting:
        key = waiting.popleft()
        left, right, before = now.get(key) or sheet.state(key)
        result = settle(left, right, sheet.decision(key), sheet.withdrawn)
        is_the_same = result == before and key not in given_keys
        if not is_the_same or (result.how is not None and left != sheet.state(key).left):
            now[key] = State(left, right, result)
            waiting.extend(_pass_on(sheet, now, key))
    return {key: state for key, state in now.items() if state != sheet.state(key)}


def _pass_on(
    sheet: DrawSheet[PairingKey, EntryId], now: dict[PairingKey, State[EntryId]], key: PairingKey
) -> list[PairingKey]:
    """Seats winner and loser of a pairing, and who is placed by it; returns where that put somebody else."""
    reached = [
        feed.target
        for feed in sheet.feeds_from(key)
        if _seat(sheet, now, (feed.target, feed.seat), now[key].sent_on(feed.outcome))
    ]
    place_feeds = sheet.places_fed_by(key)
    if place_feeds:
        ranked = sheet.ranking_of(place_feeds[0].bracket, now)
        reached += [
            feed.target
            for feed in place_feeds
            if _seat(sheet, now, (feed.target, feed.seat), occupant_of_place(ranked, feed.place))
        ]
    return reached


def _seat(
    sheet: DrawSheet[PairingKey, EntryId],
    now: dict[PairingKey, State[EntryId]],
    place: tuple[PairingKey, Seat],
    occupant: Occupant[EntryId],
) -> bool:
    """Puts somebody on a seat unless it is kept for another; says whether that changed it."""
    key, seat = place
    target = now.get(key) or sheet.state(key)
    seated = sheet.kept_seats.get(place, occupant)
    if target.at(seat) == seated:
        return False
    now[key] = target.with_occupant(seat, seated)
    return True


class MemorySheet(Generic[PairingKey, EntryId]):
    """A tournament held in memory: a graph and the facts so far, kept seated by `advance` alone."""

    def __init__(
        self, graph: Graph[PairingKey, EntryId], rank: Rank[PairingKey, EntryId] | None = None
    ) -> None:
        self.graph = graph
        self.rank = rank
        self.decisions: dict[PairingKey, Decision[EntryId]] = {}
        self.withdrawn: dict[EntryId, float] = {}
        self.without_place: Collection[EntryId] = frozenset()
        self.kept_seats: dict[tuple[PairingKey, Seat], EntryId] = {}
        self.states = dict(resolve(graph, *self.facts).states)

    @property
    def facts(self) -> Facts[PairingKey, EntryId]:
        return Facts(self.decisions, self.withdrawn, self.kept_seats, self.rank, self.without_place)

    def feeds_from(self, key: PairingKey) -> Sequence[Feed[PairingKey]]:
        return self.graph.feeds_from(key)

    def places_fed_by(self, key: PairingKey) -> Sequence[PlaceFeed[PairingKey]]:
        return self.graph.places_from(self.graph[key].bracket)

    def ranking_of(self, bracket: str, now: Mapping[PairingKey, State[EntryId]]) -> Sequence[EntryId] | None:
        states = {key: now.get(key) or self.states[key] for key in self.graph.ranked_pairings(bracket)}
        return ranking(bracket, states, self.decisions, self.rank, self.without_place)

    def state(self, key: PairingKey) -> State[EntryId]:
        return self.states[key]

    def decision(self, key: PairingKey) -> Decision[EntryId] | None:
        return self.decisions.get(key)

    def advance(self, *changed: PairingKey) -> dict[PairingKey, State[EntryId]]:
        """Moves everybody on after these pairings changed; returns what became different."""
        changes = advance(self, changed)
        self.states.update(changes)
        return changes
