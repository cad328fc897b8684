"""Updates the seating downstream of a change. A property test compares the result with `resolve`."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Generic, Protocol

from tournament.draw.graph import EntryId, Feed, Graph, Occupant, PairingKey, PlaceFeed, Seat
from tournament.draw.seating.resolving import Facts, KeptSeats, Rank, occupant_of_place, ranking, resolve
from tournament.draw.seating.settling import Decision, State, settle


class DrawSheet(Protocol[PairingKey, EntryId]):
    """The queries of `advance` about a tournament, pairing by pairing, so that a database can answer lazily.

    A state is requested more than once, so implementations cache it.
    """

    @property
    def withdrawn(self) -> Mapping[EntryId, float]: ...

    @property
    def kept_seats(self) -> KeptSeats[PairingKey, EntryId]: ...

    def feeds_from(self, key: PairingKey) -> Sequence[Feed[PairingKey]]: ...

    def places_fed_by(self, key: PairingKey) -> Sequence[PlaceFeed[PairingKey]]:
        """Returns the feeds of the places of this pairing's bracket."""
        ...

    def ranking_of(self, bracket: str, now: Mapping[PairingKey, State[EntryId]]) -> Sequence[EntryId] | None:
        """Returns the ranking of the bracket, with the states in `now` in place of stored ones; None while a pairing is
        open.
        """
        ...

    def state(self, key: PairingKey) -> State[EntryId]: ...

    def decision(self, key: PairingKey) -> Decision[EntryId] | None: ...


def advance(
    sheet: DrawSheet[PairingKey, EntryId], changed: Iterable[PairingKey]
) -> dict[PairingKey, State[EntryId]]:
    """Returns the pairings whose seats or result change, with their new states. The sheet itself is not changed.

    `changed` names the pairings with a new decision, with an entry that withdrew, with a newly seated entry (the sheet
    already shows it), or whose feeds reach a seat that was kept or released. Outcomes of these pairings are always
    passed on, so a repeated call repairs an interrupted advance. Outcomes of later pairings are passed on only if the
    result changed or the same two players swapped seats, because FIRST_LOSS depends on the seat.
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
    """Seats the winner and loser of a pairing and the places of its bracket.

    Returns the pairings whose occupants changed.
    """
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
    """Seats an occupant unless the seat is kept. Returns True if the occupant changed."""
    key, seat = place
    target = now.get(key) or sheet.state(key)
    seated = sheet.kept_seats.get(place, occupant)
    if target.at(seat) == seated:
        return False
    now[key] = target.with_occupant(seat, seated)
    return True


class MemorySheet(Generic[PairingKey, EntryId]):
    """A tournament in memory: a graph and its facts, updated by `advance` only."""

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
        """Updates the states after a change of these pairings and returns the changed states."""
        changes = advance(self, changed)
        self.states.update(changes)
        return changes
