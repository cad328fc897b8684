"""A draw as a graph: pairings, what fills their two seats, and where winner and loser go next.

A bracket is feeds, never arithmetic: whatever a format looks like, a recipe writes it down here once
and nobody else knows the format's name. Nothing in this room knows results, players' names or who sits
where.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

EntryId = TypeVar("EntryId", bound=Hashable)
PairingKey = TypeVar("PairingKey", bound=Hashable)


class GraphError(ValueError):
    """These pairings are not a draw; the message says which and why."""


class Seat(StrEnum):
    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> Seat:
        return Seat.RIGHT if self is Seat.LEFT else Seat.LEFT


class Outcome(StrEnum):
    """What a pairing sends on.

    FIRST_LOSS is the loser where it sat on the left, where the unbeaten side of a last final sits: it plays again.
    Where the right one lost nobody comes, and the next pairing is settled by a bye.
    """

    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"


class Bye(Enum):
    """The one occupant of a seat that is nobody: whoever meets it goes on unplayed."""

    BYE = "bye"


BYE: Final = Bye.BYE

Occupant: TypeAlias = EntryId | Bye | None
"""An entry, a bye, or None while it is not known who will come."""


@dataclass(frozen=True, slots=True)
class FromEntry(Generic[EntryId]):
    """The seat of an entry; None keeps it open for one not named yet: a group's second, a late entry."""

    entry: EntryId | None


@dataclass(frozen=True, slots=True)
class FromBye:
    """A seat that nobody takes."""


@dataclass(frozen=True, slots=True)
class FromPairing(Generic[PairingKey]):
    """The seat of whoever wins, or loses, another pairing."""

    pairing: PairingKey
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FromPlace:
    """The seat of whoever comes in that place of a bracket that ranks by records; known once all of it is settled."""

    bracket: str
    place: int


Source: TypeAlias = FromPairing[PairingKey] | FromPlace | FromEntry[EntryId] | FromBye


@dataclass(frozen=True, slots=True)
class Pairing(Generic[PairingKey, EntryId]):
    """One meeting of a draw; `round` and `line` count from 1 within the bracket."""

    key: PairingKey
    bracket: str
    round: int
    line: int
    left: Source[PairingKey, EntryId]
    right: Source[PairingKey, EntryId]

    @property
    def seats(self) -> tuple[tuple[Seat, Source[PairingKey, EntryId]], ...]:
        return ((Seat.LEFT, self.left), (Seat.RIGHT, self.right))


class Feed(NamedTuple, Generic[PairingKey]):
    """The winner or loser of `source` takes that seat of `target`."""

    source: PairingKey
    outcome: Outcome
    target: PairingKey
    seat: Seat


class PlaceFeed(NamedTuple, Generic[PairingKey]):
    """Whoever comes in `place` of `bracket`, counted from 1, takes that seat of `target`."""

    bracket: str
    place: int
    target: PairingKey
    seat: Seat


class Graph(Generic[PairingKey, EntryId]):
    """Pairings in an order in which each comes after those that feed it.

    They may be handed in in any order. Raises GraphError for a key used twice, a feed from a pairing or bracket
    that is not there, an outcome or a place fed twice, a circle, and an entry seated twice among pairings whose
    winners and losers meet (it could meet itself; in a group or a Swiss round, where nobody is sent on, it sits
    once in every pairing of its own).
    """

    __slots__ = ("_feeds", "_members", "_pairings", "_place_feeds", "pairings")

    pairings: tuple[Pairing[PairingKey, EntryId], ...]

    def __init__(self, pairings: Iterable[Pairing[PairingKey, EntryId]]) -> None:
        given = tuple(pairings)
        self._pairings = {pairing.key: pairing for pairing in given}
        if len(self._pairings) != len(given):
            raise GraphError("Two pairings have the same key.")
        self._feeds = _feeds(self._pairings)
        self._place_feeds = _place_feeds(given)
        self._members = _members(given, self._place_feeds)
        self.pairings = _in_order(self._pairings, self._feeds, self._place_feeds, self._members)
        _refuse_an_entry_seated_twice(self.pairings)

    def __iter__(self) -> Iterator[Pairing[PairingKey, EntryId]]:
        return iter(self.pairings)

    def __len__(self) -> int:
        return len(self.pairings)

    def __getitem__(self, key: PairingKey) -> Pairing[PairingKey, EntryId]:
        return self._pairings[key]

    def __contains__(self, key: object) -> bool:
        return key in self._pairings

    def feeds_from(self, key: PairingKey) -> tuple[Feed[PairingKey], ...]:
        """Where this pairing's winner and loser go: none, one or two feeds."""
        return self._feeds.get(key, ())

    def places_from(self, bracket: str) -> tuple[PlaceFeed[PairingKey], ...]:
        """Where the places of this bracket lead: none in most brackets."""
        return self._place_feeds.get(bracket, ())

    def parts(self) -> Mapping[PairingKey, int]:
        """A number for each pairing, the same for those that winners and losers connect."""
        return _connected(self.pairings)

    def ranked(self, bracket: str) -> tuple[PairingKey, ...]:
        """The pairings of a bracket whose places lead on."""
        return self._members.get(bracket, ())


def _feeds(
    pairings: dict[PairingKey, Pairing[PairingKey, EntryId]],
) -> dict[PairingKey, tuple[Feed[PairingKey], ...]]:
    feeds: dict[PairingKey, tuple[Feed[PairingKey], ...]] = {}
    for key, pairing in pairings.items():
        for seat, source in pairing.seats:
            if isinstance(source, FromPairing):
                if source.pairing not in pairings:
                    raise GraphError(f"Pairing {key} is fed by {source.pairing}, which is not in the draw.")
                known = feeds.get(source.pairing, ())
                if any(_same_player(feed.outcome, source.outcome) for feed in known):
                    raise GraphError(f"The {source.outcome} of pairing {source.pairing} is fed twice.")
                feeds[source.pairing] = (*known, Feed(source.pairing, source.outcome, key, seat))
    return feeds


def _same_player(one: Outcome, other: Outcome) -> bool:
    return one == other or Outcome.WINNER not in (one, other)


def _place_feeds(
    pairings: tuple[Pairing[PairingKey, EntryId], ...],
) -> dict[str, tuple[PlaceFeed[PairingKey], ...]]:
    feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]] = {}
    for pairing in pairings:
        for seat, source in pairing.seats:
            if isinstance(source, FromPlace):
                known = feeds.get(source.bracket, ())
                if any(feed.place == source.place for feed in known):
                    raise GraphError(f"Place {source.place} of {source.bracket} is fed twice.")
                feeds[source.bracket] = (*known, PlaceFeed(source.bracket, source.place, pairing.key, seat))
    return feeds


def _members(
    pairings: tuple[Pairing[PairingKey, EntryId], ...],
    place_feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]],
) -> dict[str, tuple[PairingKey, ...]]:
    members: dict[str, list[PairingKey]] = {bracket: [] for bracket in place_feeds}
    for pairing in pairings if members else ():
        if pairing.bracket in members:
            members[pairing.bracket].append(pairing.key)
    for bracket, keys in members.items():
        if not keys:
            raise GraphError(f"A seat is fed by {bracket}, which is not in the draw.")
    return {bracket: tuple(keys) for bracket, keys in members.items()}


def _in_order(
    pairings: dict[PairingKey, Pairing[PairingKey, EntryId]],
    feeds: dict[PairingKey, tuple[Feed[PairingKey], ...]],
    place_feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]],
    members: dict[str, tuple[PairingKey, ...]],
) -> tuple[Pairing[PairingKey, EntryId], ...]:
    targets: dict[PairingKey, list[PairingKey]] = {
        key: [feed.target for feed in sent] for key, sent in feeds.items()
    }
    for bracket, sent_on in place_feeds.items():
        for key in members[bracket]:
            targets.setdefault(key, []).extend(feed.target for feed in sent_on)
    awaited = dict.fromkeys(pairings, 0)
    for reached in targets.values():
        for target in reached:
            awaited[target] += 1
    ready = deque(key for key, number in awaited.items() if number == 0)
    ordered: list[Pairing[PairingKey, EntryId]] = []
    while ready:
        key = ready.popleft()
        ordered.append(pairings[key])
        for target in targets.get(key, ()):
            awaited[target] -= 1
            if awaited[target] == 0:
                ready.append(target)
    if len(ordered) != len(pairings):
        circle = next(key for key, number in awaited.items() if number)
        raise GraphError(f"Pairing {circle} is fed in a circle.")
    return tuple(ordered)


def _refuse_an_entry_seated_twice(ordered: tuple[Pairing[PairingKey, EntryId], ...]) -> None:
    seated: dict[EntryId, list[PairingKey]] = {}
    for pairing in ordered:
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromEntry) and source.entry is not None:
                seated.setdefault(source.entry, []).append(pairing.key)
    repeated = {entry: keys for entry, keys in seated.items() if len(keys) > 1}
    if not repeated:
        return
    part_of = _connected(ordered)
    for entry, keys in repeated.items():
        if len({part_of[key] for key in keys}) < len(keys):
            raise GraphError(f"Entry {entry} is seated twice.")


def _connected(ordered: tuple[Pairing[PairingKey, EntryId], ...]) -> dict[PairingKey, int]:
    """A number for each pairing, the same for those that feeds connect."""
    part_of: dict[PairingKey, int] = {}
    members: dict[int, list[PairingKey]] = {}
    for number, pairing in enumerate(ordered):
        part_of[pairing.key], members[number] = number, [pairing.key]
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromPairing):
                _join(part_of, members, part_of[source.pairing], part_of[pairing.key])
    return part_of


def _join(part_of: dict[PairingKey, int], members: dict[int, list[PairingKey]], one: int, other: int) -> None:
    if one != other:
        small, large = sorted((one, other), key=lambda part: len(members[part]))
        part_of.update(dict.fromkeys(members[small], large))
        members[large] += members.pop(small)
