"""What a draw is written in: pairings, and what fills their two seats.

Only values. Nothing here knows results, players' names or who sits where.
"""

from __future__ import annotations

from collections.abc import Hashable
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


class FromEntry(NamedTuple, Generic[EntryId]):
    """The seat of an entry; None keeps it open for one not named yet: a group's second, a late entry."""

    entry: EntryId | None


@dataclass(frozen=True, slots=True)
class FromBye:
    """A seat that nobody takes."""


class FromPairing(NamedTuple, Generic[PairingKey]):
    """The seat of whoever wins, or loses, another pairing."""

    pairing: PairingKey
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FromPlace:
    """The seat of whoever comes in that place of a bracket that ranks by records; known once all of it is settled."""

    bracket: str
    place: int


Source: TypeAlias = FromPairing[PairingKey] | FromPlace | FromEntry[EntryId] | FromBye


class Pairing(NamedTuple, Generic[PairingKey, EntryId]):
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
