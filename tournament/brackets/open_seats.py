"""Lists the seats that the draw fills with entries or byes, and whether they can still change. Reads only.

A seat is fixed once its match, or a match that follows from it without play, has begun.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q

from tournament.draw.formats import Format
from tournament.draw.graph import Seat
from tournament.models import Feed, Pairing, Result, ResultKind, Shape, Tournament
from tournament.models.brackets import Settled

UNPLAYED = (Settled.BYE, Settled.WALKOVER, Settled.NOBODY)


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """A seat with its entry (None: a bye) and the opponent (None: a bye or not known yet).

    `is_scheduled`: the seat belongs to a fixed schedule, in which all seats of an entry change together.
    """

    feed: int
    pairing: int
    seat: Seat
    bracket: str
    shape: str
    round: int
    line: int
    entry: uuid.UUID | None
    opponent: uuid.UUID | None
    opposite_is_bye: bool
    is_fixed: bool
    is_scheduled: bool

    @property
    def is_free(self) -> bool:
        return self.entry is None and not self.is_fixed


SeatGroup = tuple[EntrySeat, ...]
"""The seats that one entry takes together: one seat of a tree, all seats of an entry in a fixed schedule."""


def entry_seats(tournament: Tournament) -> list[EntrySeat]:
    """Every seat that the draw fills, in sheet order, in four statements at any size."""
    reading = _PairingLoader(tournament)
    return [
        reading.seat(pairing, Seat(place), feed, entry)
        for pairing in reading.pairings.values()
        for place, feed, entry in reading.filled.get(pairing.key, ())
    ]


def open_pairings(tournament: Tournament, pairings: Collection[int]) -> set[int]:
    """The pairings among these that are not fixed."""
    reading = _PairingLoader(tournament)
    return {key for key in pairings if not reading.is_fixed(key)}


def free_seat_groups(seats: Sequence[EntrySeat], bracket: str | None = None) -> list[SeatGroup]:
    """The free seats of this bracket (None: the brackets that entries are drawn into), opposite an entry if possible.

    In formats that are paired round by round, byes of earlier rounds are not free.
    """
    latest = {
        seat.bracket: seat.round for seat in seats if seat.shape == Shape.TABLE and not seat.is_scheduled
    }
    free = [
        seat
        for seat in seats
        if seat.is_free
        and _is_in_bracket(seat.bracket, bracket)
        and latest.get(seat.bracket, seat.round) == seat.round
    ]
    scheduled = [seat for seat in free if seat.is_scheduled]
    rows = [
        tuple(seat for seat in scheduled if seat.bracket == key)
        for key in dict.fromkeys(seat.bracket for seat in scheduled)
    ]
    singles = [seat for seat in free if not seat.is_scheduled]
    opposite_somebody = [seat for seat in singles if not seat.opposite_is_bye]
    return [*rows, *((seat,) for seat in opposite_somebody or singles)]


def _is_in_bracket(key: str, bracket: str | None) -> bool:
    return key == bracket if bracket is not None else key == "main" or key.startswith("group ")


PAIRING_FIELDS = (
    "pk",
    "round__bracket_id",
    "round__bracket__key",
    "round__bracket__shape",
    "round__number",
    "line",
    "left_id",
    "right_id",
    "left_is_bye",
    "right_is_bye",
    "settled",
)


class _PairingRow(NamedTuple):
    """A stored pairing: `PAIRING_FIELDS`, and whether its match has begun."""

    key: int
    bracket_id: uuid.UUID
    bracket: str
    shape: str
    round: int
    line: int
    left_id: uuid.UUID | None
    right_id: uuid.UUID | None
    left_is_bye: bool
    right_is_bye: bool
    settled: str
    has_begun: bool


class _PairingLoader:
    """Loads the pairings of a tournament, the sources of their seats, and the pairings that follow."""

    def __init__(self, tournament: Tournament) -> None:
        rows = Pairing.objects.filter(round__bracket__tournament=tournament).order_by(
            "round__bracket__position", "round__number", "line"
        )
        begun = rows.annotate(has_begun=Q(match__began_at__isnull=False))
        pairing_rows = (_PairingRow(*values) for values in begun.values_list(*PAIRING_FIELDS, "has_begun"))
        self.pairings = {row.key: row for row in pairing_rows}
        self.filled: dict[int, list[tuple[str, int, uuid.UUID | None]]] = {}
        self.onward: dict[int, list[int]] = {}
        self.placed: dict[uuid.UUID, list[int]] = {}
        self.decided = _decided_pairings(tournament)
        self.is_growing = Format.from_json(tournament.format).is_growing
        self._read_feeds(tournament)

    def seat(self, row: _PairingRow, place: Seat, feed: int, entry: uuid.UUID | None) -> EntrySeat:
        is_left = place is Seat.LEFT
        return EntrySeat(
            feed=feed,
            pairing=row.key,
            seat=place,
            bracket=row.bracket,
            shape=row.shape,
            round=row.round,
            line=row.line,
            entry=entry,
            opponent=row.right_id if is_left else row.left_id,
            opposite_is_bye=row.right_is_bye if is_left else row.left_is_bye,
            is_fixed=self.is_fixed(row.key),
            is_scheduled=row.shape == Shape.TABLE and not self.is_growing,
        )

    def is_fixed(self, key: int) -> bool:
        """True if a match has begun here, or where players of this pairing advanced without play."""
        row = self.pairings[key]
        if key in self.decided or row.has_begun:
            return True
        if row.settled not in UNPLAYED:
            return False
        onward = [*self.onward.get(key, ()), *self.placed.get(row.bracket_id, ())]
        return any(self.is_fixed(target) for target in onward)

    def _read_feeds(self, tournament: Tournament) -> None:
        feeds = Feed.objects.filter(target__round__bracket__tournament=tournament).order_by("seat")
        fields = ("pk", "target_id", "seat", "source_id", "bracket_id", "entry_id")
        for feed, target, seat, source, bracket, entry in feeds.values_list(*fields):
            if source is not None:
                self.onward.setdefault(source, []).append(target)
            elif bracket is not None:
                self.placed.setdefault(bracket, []).append(target)
            else:
                self.filled.setdefault(target, []).append((seat, feed, entry))


def _decided_pairings(tournament: Tournament) -> Collection[int]:
    current = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    )
    return set(current.exclude(kind=ResultKind.RETRACTED).values_list("pairing_id", flat=True))


def seats_by_feed(seats: Iterable[EntrySeat]) -> Mapping[int, EntrySeat]:
    return {seat.feed: seat for seat in seats}
