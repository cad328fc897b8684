"""Swaps two seats of the draw, while no match that follows from either has begun.

In a fixed schedule two players swap all their seats, so a swap can move a player to another group. Swapping the same
seats again undoes a swap.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournament.access.actors import Actor
from tournament.brackets import advancing, seat_changes
from tournament.brackets.open_seats import EntrySeat, SeatGroup, entry_seats, seats_by_feed
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, SeatChange, SeatChangeKind, Shape, Tournament
from tournament.refusals.seats import (
    MEET_TWICE,
    NO_SUCH_SEAT,
    OTHER_BRACKET,
    OTHER_ROUND,
    SAME_MATCH,
    SAME_ON_BOTH,
    SAME_PLAYER,
    SEAT_IS_PLAYED,
    SEATS_CHANGED,
    SWAP_REASON_NEEDED,
    TWO_BYES,
)
from tournament.runtime.errors import Refused

Takers = Iterator[tuple[EntrySeat, uuid.UUID | None]]


@dataclass(frozen=True, slots=True)
class Swap:
    """Two seats by the ids of their feeds, and the entries that the user saw there (None: a bye)."""

    first: int
    second: int
    expected: tuple[uuid.UUID | None, uuid.UUID | None]


class SeatIndex:
    """The seats of a draw by feed, and the groups of seats that can only be swapped together."""

    def __init__(self, seats: Sequence[EntrySeat]) -> None:
        self.seats = seats
        self.by_feed = seats_by_feed(seats)
        self._schedules: dict[tuple[str, uuid.UUID | None], list[EntrySeat]] = {}
        for seat in seats:
            if seat.is_scheduled:
                self._schedules.setdefault((seat.bracket, seat.entry), []).append(seat)

    def group(self, seat: EntrySeat) -> SeatGroup:
        """The seats that are swapped together with this one, itself included."""
        return tuple(self._schedules[seat.bracket, seat.entry]) if seat.is_scheduled else (seat,)

    @cached_property
    def _meetings(self) -> Mapping[tuple[str, frozenset[uuid.UUID | None]], set[int]]:
        """The pairings in which two entries meet, by bracket."""
        meetings: dict[tuple[str, frozenset[uuid.UUID | None]], set[int]] = {}
        for seat in self.seats:
            meetings.setdefault((seat.bracket, frozenset((seat.entry, seat.opponent))), set()).add(
                seat.pairing
            )
        return meetings

    def meetings(self, left: uuid.UUID, right: uuid.UUID, bracket: str) -> Collection[int]:
        """The pairings of this bracket in which these two entries meet."""
        return self._meetings.get((bracket, frozenset((left, right))), set())

    def takers(self, first: EntrySeat, second: EntrySeat) -> Takers:
        """Each seat that the swap changes, with the entry that takes it (None: a bye)."""
        yield from ((seat, second.entry) for seat in self.group(first))
        yield from ((seat, first.entry) for seat in self.group(second))


def swap(tournament_id: uuid.UUID, requested: Swap, actor: Actor, reason: str = "") -> SeatChange:
    """Swaps two seats and returns the first change. A reason is required once the draw is known: released, or made
    with dice.

    Raises Refused if other entries sit there now, if play has begun, and for two seats that cannot be swapped.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        seats = SeatIndex(entry_seats(locked.tournament))
        first, second = (_find_seat(seats, feed) for feed in (requested.first, requested.second))
        if (first.entry, second.entry) != requested.expected:
            raise Refused(SEATS_CHANGED)
        _refuse(first, second, seats)
        takers = {seat.feed: taker for seat, taker in seats.takers(first, second)}
        _refuse_self_pairing(takers, seats)
        _refuse_without_reason(locked.tournament, reason)
        changes = seat_changes.change_seats(locked, takers, SeatChangeKind.SWAP, actor, reason)
        before, after = _seats_json(first, second), _seats_json(second, first)
        journal_entry = JournalEntry(
            "swap seats", "pairing", first.pairing, {"seats": before}, {"seats": after}, reason
        )
        journal.write(locked.tournament, actor, journal_entry)
        return changes[0]


def is_possible(first: EntrySeat, second: EntrySeat, seats: SeatIndex) -> bool:
    """Returns True if these two seats can be swapped now."""
    try:
        _refuse(first, second, seats)
    except Refused:
        return False
    return True


def _find_seat(seats: SeatIndex, feed: int) -> EntrySeat:
    if feed not in seats.by_feed:
        raise Refused(NO_SUCH_SEAT)
    return seats.by_feed[feed]


def _refuse(first: EntrySeat, second: EntrySeat, seats: SeatIndex) -> None:
    in_schedules = first.is_scheduled and second.is_scheduled
    if first.bracket != second.bracket and not in_schedules:
        raise Refused(OTHER_BRACKET)
    if first.entry == second.entry:
        raise Refused(SAME_ON_BOTH)
    if first.pairing == second.pairing and not in_schedules:
        raise Refused(SAME_MATCH)
    takers = list(seats.takers(first, second))
    if any(seat.is_fixed for seat, _ in takers):
        raise Refused(SEAT_IS_PLAYED)
    if any(seat.opposite_is_bye and taker is None for seat, taker in takers):
        raise Refused(TWO_BYES)
    if first.shape == Shape.TABLE and not in_schedules:
        _refuse_by_records(first, second, seats)


def _refuse_by_records(first: EntrySeat, second: EntrySeat, seats: SeatIndex) -> None:
    """Raises Refused if a swap would break a bracket that is paired by records.

    Everybody plays once in a round, and a swap must not make two entries meet again.
    """
    if first.round != second.round:
        raise Refused(OTHER_ROUND)
    own_pairings = {first.pairing, second.pairing}
    for seat, taker in seats.takers(first, second):
        if (
            taker
            and seat.opponent
            and not own_pairings.issuperset(seats.meetings(taker, seat.opponent, first.bracket))
        ):
            raise Refused(MEET_TWICE)


def _refuse_self_pairing(takers: Mapping[int, uuid.UUID | None], seats: SeatIndex) -> None:
    pairs = [(taker, seats.by_feed[feed].opponent) for feed, taker in takers.items()]
    entries = [entry for pair in pairs for entry in pair if entry]
    player_of = dict(Entry.objects.filter(pk__in=entries).values_list("pk", "player_id"))
    for taker, opponent in pairs:
        if taker and opponent and taker != opponent and player_of[taker] == player_of[opponent]:
            raise Refused(SAME_PLAYER)


def _refuse_without_reason(tournament: Tournament, reason: str) -> None:
    draw = advancing.current_draw(tournament)
    if draw is not None and draw.is_public and not reason.strip():
        raise Refused(SWAP_REASON_NEEDED)


def _seats_json(*seats: EntrySeat) -> list[str]:
    return [str(seat.entry) if seat.entry else "bye" for seat in seats]
