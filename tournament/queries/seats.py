"""The seats of a draw for directors who want to change them, and the changes made by hand. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.drawing import swaps
from tournament.drawing.swaps import SeatIndex
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

    `back` are the tokens of a swap's two seats, for swapping them again.
    """

    kind: str
    at: datetime
    by: str
    reason: str
    seats: tuple[tuple[str, str], ...]
    back: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatList:
    rounds: tuple[SeatRound, ...]
    chosen: SeatLine | None


def list_seats(tournament: Tournament, chosen: int | None = None) -> SeatList:
    """Returns every seat that the draw fills, round by round; `chosen` is the feed of the seat to swap."""
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
    )


def changes_by_hand(tournament: Tournament, most: int | None = None) -> list[ChangeLine]:
    """Returns the changes of the drawn sheet, newest first, up to `most` rows if given."""
    rows = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament)
    newest = rows.select_related("by").order_by("-at", "pk")[:most]
    names = entry_names(tournament)
    together = groupby(newest, key=lambda row: (row.at, row.kind))
    return [_change(list(rows), names) for _, rows in together]


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
    is_swap = first.kind == SeatChangeKind.SWAP and len(exchanged) == 2
    return ChangeLine(
        kind=first.kind,
        at=first.at,
        by=first.by.get_username() if first.by else "",
        reason=first.reason,
        seats=tuple((_name(row.before_id, names), _name(row.after_id, names)) for row in exchanged.values()),
        back=tuple(f"{row.feed_id}:{row.after_id or ''}" for row in exchanged.values()) if is_swap else (),
    )


def _name(entry: uuid.UUID | None, names: Mapping[uuid.UUID, str]) -> str:
    return names[entry] if entry is not None else ""
