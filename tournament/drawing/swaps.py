"""Two seats of the draw exchanged by hand, while nothing that follows from either has begun.

In a fixed schedule two players are exchanged whole, in all their rounds; so one changes groups. Swapping the same two
again undoes it. What may not be is refused with its reason; nothing is then changed.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournament.access.actors import Actor
from tournament.brackets import advancing, seat_changes
from tournament.brackets.open_seats import EntrySeat, Place, by_feed, entry_seats
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Entry, SeatChangeKind, Shape, Tournament
from tournament.runtime.errors import Refused

Takers = Iterator[tuple[EntrySeat, uuid.UUID | None]]


@dataclass(frozen=True, slots=True)
class Swap:
    """Two seats by their feeds, and who was seen to sit there (None: a bye)."""

    one: int
    other: int
    seen: tuple[uuid.UUID | None, uuid.UUID | None]


class Seats:
    """The seats of a draw, found by their feeds, with those that change hands together."""

    def __init__(self, seats: Sequence[EntrySeat]) -> None:
        self.all = seats
        self.found = by_feed(seats)
        self._rows: dict[tuple[str, uuid.UUID | None], list[EntrySeat]] = {}
        for seat in seats:
            if seat.is_scheduled:
                self._rows.setdefault((seat.bracket, seat.entry), []).append(seat)

    def row(self, seat: EntrySeat) -> Place:
        """The seat with all that go with it."""
        return tuple(self._rows[seat.bracket, seat.entry]) if seat.is_scheduled else (seat,)

    @cached_property
    def _met(self) -> Mapping[tuple[str, frozenset[uuid.UUID | None]], set[int]]:
        """In which pairings of a bracket any two sit."""
        met: dict[tuple[str, frozenset[uuid.UUID | None]], set[int]] = {}
        for seat in self.all:
            met.setdefault((seat.bracket, frozenset((seat.entry, seat.opponent))), set()).add(seat.pairing)
        return met

    def meet(self, one: uuid.UUID, other: uuid.UUID, bracket: str) -> Collection[int]:
        """The pairings of this bracket in which these two sit."""
        return self._met.get((bracket, frozenset((one, other))), set())

    def takers(self, one: EntrySeat, other: EntrySeat) -> Takers:
        """Each seat that would change hands with who would take it."""
        yield from ((seat, other.entry) for seat in self.row(one))
        yield from ((seat, one.entry) for seat in self.row(other))


def swap(tournament_id: uuid.UUID, wanted: Swap, actor: Actor, reason: str = "") -> None:
    """Exchanges who sits on two seats; a reason is needed once the draw is known: released, or made with dice.

    Raises Refused where others sit there meanwhile, where play has begun, and for seats that make no sense.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        seats = Seats(entry_seats(locked.tournament))
        one, other = (_found(seats, feed) for feed in (wanted.one, wanted.other))
        if (one.entry, other.entry) != wanted.seen:
            raise Refused("seats-changed", "Somebody changed these seats meanwhile. Look again.")
        _refuse(one, other, seats)
        takers = {seat.feed: taker for seat, taker in seats.takers(one, other)}
        _refuse_one_player_against_themselves(takers, seats)
        _refuse_without_reason(locked.tournament, reason)
        seat_changes.give(locked, takers, SeatChangeKind.SWAP, actor, reason)
        before, after = _told(one, other), _told(other, one)
        deed = Deed("swap seats", "pairing", one.pairing, {"seats": before}, {"seats": after}, reason)
        journal.write(locked.tournament, actor, deed)


def is_possible(one: EntrySeat, other: EntrySeat, seats: Seats) -> bool:
    """Whether these two seats could be exchanged as things are."""
    try:
        _refuse(one, other, seats)
    except Refused:
        return False
    return True


def _found(seats: Seats, feed: int) -> EntrySeat:
    if feed not in seats.found:
        raise Refused("no-such-seat", "This seat is no longer drawn. Load the page again.")
    return seats.found[feed]


def _refuse(one: EntrySeat, other: EntrySeat, seats: Seats) -> None:
    in_schedules = one.is_scheduled and other.is_scheduled
    if one.bracket != other.bracket and not in_schedules:
        raise Refused("other-bracket", "These seats are of two brackets. Choose two seats of one bracket.")
    if one.entry == other.entry:
        raise Refused("same-on-both", "The same sits on both seats, so there is nothing to swap.")
    if one.pairing == other.pairing and not in_schedules:
        raise Refused("same-match", "These two meet each other already. Choose seats of two matches.")
    takers = list(seats.takers(one, other))
    if any(seat.is_fixed for seat, _ in takers):
        raise Refused(
            "seat-is-played",
            "A match of this seat, or the next one after it, has begun. Its players stay where they are.",
        )
    if any(seat.opposite_is_bye and taker is None for seat, taker in takers):
        raise Refused("two-byes", "Two byes would meet. Choose another seat.")
    if one.shape == Shape.TABLE and not in_schedules:
        _refuse_in_a_table(one, other, seats)


def _refuse_in_a_table(one: EntrySeat, other: EntrySeat, seats: Seats) -> None:
    """Everybody sits once in a round, and nobody meets the same opponent twice by hand."""
    if one.round != other.round:
        raise Refused("other-round", "Everybody plays once in a round. Choose two seats of one round.")
    here = {one.pairing, other.pairing}
    for seat, taker in seats.takers(one, other):
        if taker and seat.opponent and not here.issuperset(seats.meet(taker, seat.opponent, one.bracket)):
            raise Refused("meet-twice", "These two meet in another round already. Choose another seat.")


def _refuse_one_player_against_themselves(takers: Mapping[int, uuid.UUID | None], seats: Seats) -> None:
    told = [(taker, seats.found[feed].opponent) for feed, taker in takers.items()]
    entries = [entry for pair in told for entry in pair if entry]
    player = dict(Entry.objects.filter(pk__in=entries).values_list("pk", "player_id"))
    for taker, opponent in told:
        if taker and opponent and taker != opponent and player[taker] == player[opponent]:
            raise Refused("same-player", "Both entries are of one player. Choose another seat.")


def _refuse_without_reason(tournament: Tournament, reason: str) -> None:
    draw = advancing.current_draw(tournament)
    if draw is not None and (draw.is_released or draw.secret) and not reason.strip():
        raise Refused("reason-needed", "This draw is known. Give a reason: it is kept in the journal.")


def _told(*seats: EntrySeat) -> list[str]:
    return [str(seat.entry) if seat.entry else "bye" for seat in seats]
