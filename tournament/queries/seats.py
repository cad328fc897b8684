"""The seats of a draw for directors who want to change them, and the changes made by hand. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, groupby

from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.drawing import swaps
from tournament.drawing.swaps import SeatIndex, Swap
from tournament.models import SeatChange, SeatChangeKind, Tournament
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.numbering import Number
from tournament.queries.entries.names import entry_names

MOST_CHANGES = 40


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat and its name, empty for a bye. `is_offered`: it can be swapped with the chosen seat."""

    seat: EntrySeat
    name: str
    is_chosen: bool
    is_offered: bool

    @property
    def token(self) -> str:
        """Identifies the seat and its displayed entry in a form."""
        return f"{self.seat.feed}:{self.seat.entry or ''}"


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """One line of the sheet; `opposite` is the opponent if the draw fills one seat only. A bye has no `number`."""

    number: str
    seats: tuple[SeatLine, ...]
    opposite: str


@dataclass(frozen=True, slots=True)
class SeatRound:
    bracket: str
    number: int
    meetings: tuple[MeetingLine, ...]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A swap or a late entry: names before and after on each seat, empty for a bye.

    `id` is that of its first row. `back` swaps the two seats of a swap again.
    """

    id: int
    kind: str
    at: datetime
    by: str
    reason: str
    seats: tuple[tuple[str, str], ...]
    back: Swap | None


@dataclass(frozen=True, slots=True)
class SeatList:
    """`partner`: the seat to swap the chosen one with, if both are named and can be swapped."""

    rounds: tuple[SeatRound, ...]
    chosen: SeatLine | None
    partner: SeatLine | None


def list_seats(tournament: Tournament, chosen: int | None = None, partner: int | None = None) -> SeatList:
    """Returns every seat that the draw fills, round by round; `chosen` and `partner` are feeds of seats to swap."""
    seats, names = SeatIndex(entry_seats(tournament)), entry_names(tournament)
    numbers = load_numbers(tournament)
    chosen_seat = seats.by_feed.get(chosen) if chosen is not None else None
    lines = [
        SeatLine(
            seat=seat,
            name=_name(seat.entry, names),
            is_chosen=seat == chosen_seat,
            is_offered=chosen_seat is not None and swaps.is_possible(chosen_seat, seat, seats),
        )
        for seat in seats.seats
    ]
    rounds = groupby(lines, key=lambda row: (row.seat.bracket, row.seat.round))
    return SeatList(
        rounds=tuple(SeatRound(*key, _meetings(rows, names, numbers)) for key, rows in rounds),
        chosen=next((row for row in lines if row.is_chosen), None),
        partner=next((row for row in lines if row.is_offered and row.seat.feed == partner), None),
    )


def can_swap_seats(tournament: Tournament) -> bool:
    """True if at least two seats can be swapped now."""
    seats = SeatIndex(entry_seats(tournament))
    open_seats = [seat for seat in seats.seats if not seat.is_fixed]
    return any(swaps.is_possible(first, second, seats) for first, second in combinations(open_seats, 2))


def changes_by_hand(tournament: Tournament, most: int | None = None) -> list[ChangeLine]:
    """Returns the changes of the drawn sheet, newest first, up to `most` rows if given."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament)
    newest = rows.select_related("by").order_by("-at", "pk")[:most]
    names = entry_names(tournament)
    together = groupby(newest, key=lambda row: (row.at, row.kind))
    return [_change(list(rows), names) for _, rows in together]


def find_swap_back(tournament: Tournament, change_id: int) -> Swap | None:
    """Returns the swap that undoes this change; None if it is not the first row of a swap of this tournament."""
    changes = changes_by_hand(tournament)
    return next((change.back for change in changes if change.id == change_id), None)


def has_swapped_seats(tournament: Tournament) -> bool:
    """True if seats of the drawn sheet were swapped by hand."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament)
    return rows.filter(kind=SeatChangeKind.SWAP).exists()


def _meetings(
    rows: Iterable[SeatLine], names: Mapping[uuid.UUID, str], numbers: Mapping[int, Number]
) -> tuple[MeetingLine, ...]:
    meetings = []
    for pairing, pairing_rows in groupby(rows, key=lambda row: row.seat.pairing):
        seats, number = tuple(pairing_rows), numbers.get(pairing)
        opposite = _name(seats[0].seat.opponent, names) if len(seats) == 1 else ""
        meetings.append(MeetingLine(number.called if number else "", seats, opposite))
    return tuple(meetings)


def _change(rows: list[SeatChange], names: Mapping[uuid.UUID, str]) -> ChangeLine:
    first = rows[0]
    exchanged = {row.after_id: row for row in rows}
    return ChangeLine(
        id=first.pk,
        kind=first.kind,
        at=first.at,
        by=first.by.get_username() if first.by else "",
        reason=first.reason,
        seats=tuple((_name(row.before_id, names), _name(row.after_id, names)) for row in exchanged.values()),
        back=_swap_back(first.kind, list(exchanged.values())),
    )


def _swap_back(kind: str, rows: list[SeatChange]) -> Swap | None:
    if kind != SeatChangeKind.SWAP or len(rows) != 2:
        return None
    first, second = rows
    return Swap(first.feed_id, second.feed_id, (first.after_id, second.after_id))


def _name(entry: uuid.UUID | None, names: Mapping[uuid.UUID, str]) -> str:
    return names[entry] if entry is not None else ""
