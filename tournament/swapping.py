"""Two seats of the draw exchanged by hand, while nothing that follows from either has begun.

Swapping the same two again undoes it. What may not be is refused with its reason; nothing is then changed.
"""

import uuid
from dataclasses import dataclass

from tournament import journal, progression, seatchanges
from tournament.actors import Actor
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import Entry, SeatChangeKind, Shape, Tournament
from tournament.openseats import EntrySeat, by_feed, entry_seats


@dataclass(frozen=True, slots=True)
class Swap:
    """Two seats by their feeds, and who was seen to sit there (None: a bye)."""

    one: int
    other: int
    seen: tuple[uuid.UUID | None, uuid.UUID | None]


def swap(tournament_id: uuid.UUID, wanted: Swap, actor: Actor, reason: str = "") -> None:
    """Exchanges who sits on two seats of one bracket; a reason is needed once the draw was released.

    Raises Refused where others sit there meanwhile, where play has begun, and for seats that make no sense.
    """
    with progression.changing(tournament_id) as changes:
        seats = entry_seats(changes.tournament)
        one, other = (_found(seats, feed) for feed in (wanted.one, wanted.other))
        if (one.entry, other.entry) != wanted.seen:
            raise Refused("seats-changed", "Somebody changed these seats meanwhile. Look again.")
        _refuse(one, other, seats)
        _refuse_one_player_against_themselves(one, other)
        _refuse_without_reason(changes.tournament, reason)
        seatchanges.give(
            changes, {one.feed: other.entry, other.feed: one.entry}, SeatChangeKind.SWAP, actor, reason
        )
        before, after = _told(one, other), _told(other, one)
        deed = Deed("swap seats", "pairing", one.pairing, {"seats": before}, {"seats": after}, reason)
        journal.write(changes.tournament, actor, deed)


def is_possible(one: EntrySeat, other: EntrySeat, seats: list[EntrySeat]) -> bool:
    """Whether these two seats could be exchanged as things are."""
    try:
        _refuse(one, other, seats)
    except Refused:
        return False
    return True


def _found(seats: list[EntrySeat], feed: int) -> EntrySeat:
    found = by_feed(seats).get(feed)
    if found is None:
        raise Refused("no-such-seat", "This seat is no longer drawn. Load the page again.")
    return found


def _refuse(one: EntrySeat, other: EntrySeat, seats: list[EntrySeat]) -> None:
    if one.bracket != other.bracket:
        raise Refused("other-bracket", "These seats are of two brackets. Choose two seats of one bracket.")
    if one.pairing == other.pairing:
        raise Refused("same-match", "These two meet each other already. Choose seats of two matches.")
    if one.entry == other.entry:
        raise Refused("same-on-both", "The same sits on both seats, so there is nothing to swap.")
    if one.is_fixed or other.is_fixed:
        raise Refused(
            "seat-is-played",
            "A match of this seat, or the next one after it, has begun. Its players stay where they are.",
        )
    if any(seat.opposite_is_bye and taker is None for seat, taker in _takers(one, other)):
        raise Refused("two-byes", "Two byes would meet. Choose another seat.")
    if one.shape == Shape.TABLE:
        _refuse_in_a_table(one, other, seats)


def _refuse_in_a_table(one: EntrySeat, other: EntrySeat, seats: list[EntrySeat]) -> None:
    """Everybody sits once in a round, and nobody meets the same opponent twice by hand."""
    if one.round != other.round:
        raise Refused("other-round", "Everybody plays once in a round. Choose two seats of one round.")
    elsewhere = {
        frozenset((seat.entry, seat.opponent))
        for seat in seats
        if seat.bracket == one.bracket and seat.pairing not in (one.pairing, other.pairing)
    }
    for seat, taker in _takers(one, other):
        if taker and seat.opponent and frozenset((taker, seat.opponent)) in elsewhere:
            raise Refused("meet-twice", "These two meet in another round already. Choose another seat.")


def _refuse_one_player_against_themselves(one: EntrySeat, other: EntrySeat) -> None:
    entries = [one.entry, one.opponent, other.entry, other.opponent]
    player = dict(Entry.objects.filter(pk__in=[pk for pk in entries if pk]).values_list("pk", "player_id"))
    for seat, taker in _takers(one, other):
        if taker and seat.opponent and player[taker] == player[seat.opponent]:
            raise Refused("same-player", "Both entries are of one player. Choose another seat.")


def _refuse_without_reason(tournament: Tournament, reason: str) -> None:
    draw = progression.current_draw(tournament)
    if draw is not None and draw.is_released and not reason.strip():
        raise Refused("reason-needed", "This draw was released. Give a reason: it is kept in the journal.")


def _takers(one: EntrySeat, other: EntrySeat) -> tuple[tuple[EntrySeat, uuid.UUID | None], ...]:
    """Each seat with who would take it."""
    return (one, other.entry), (other, one.entry)


def _told(*seats: EntrySeat) -> list[str]:
    return [str(seat.entry) if seat.entry else "bye" for seat in seats]
