"""Values that a draw consists of: pairings and the sources of their seats."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from tournament.draw.sentence_error import SentenceError

EntryId = TypeVar("EntryId", bound=Hashable)
PairingKey = TypeVar("PairingKey", bound=Hashable)


class GraphError(SentenceError):
    """These pairings are not a valid draw. The message names the pairing and the reason."""


class Seat(StrEnum):
    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> Seat:
        return Seat.RIGHT if self is Seat.LEFT else Seat.LEFT


class Outcome(StrEnum):
    """A player that a pairing sends to another pairing.

    FIRST_LOSS is the loser if it sat on the left, the seat of the unbeaten finalist, who then plays again. If the right
    player lost, FIRST_LOSS is a bye and the next pairing is settled by it.
    """

    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"


class Bye(Enum):
    """The occupant of a seat that no player takes. The opponent advances without a match."""

    BYE = "bye"


BYE: Final = Bye.BYE

Occupant: TypeAlias = EntryId | Bye | None
"""An entry, a bye, or None while the occupant is unknown."""


class FromEntry(NamedTuple, Generic[EntryId]):
    """The seat of an entry. None keeps the seat open for an entry that is named later, such as a late entry."""

    entry: EntryId | None


@dataclass(frozen=True, slots=True)
class FromBye:
    """The seat of a bye."""


class FromPairing(NamedTuple, Generic[PairingKey]):
    """The seat of the winner or loser of another pairing."""

    pairing: PairingKey
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FromPlace:
    """The seat of the entry in this place of a bracket that is ranked by records.

    Known when all its pairings are settled.
    """

    bracket: str
    place: int


Source: TypeAlias = FromPairing[PairingKey] | FromPlace | FromEntry[EntryId] | FromBye


class Pairing(NamedTuple, Generic[PairingKey, EntryId]):
    """One meeting of a draw. `round` and `line` count from 1 within the bracket."""

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
    """The winner or loser of `source` takes this seat of `target`."""

    source: PairingKey
    outcome: Outcome
    target: PairingKey
    seat: Seat


class PlaceFeed(NamedTuple, Generic[PairingKey]):
    """The entry in `place` of `bracket`, counted from 1, takes this seat of `target`."""

    bracket: str
    place: int
    target: PairingKey
    seat: Seat
