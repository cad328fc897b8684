"""Enters players after the draw: on a free seat or, if each round is paired separately, into the next round.

Other players keep their seats, except the one who had the bye, and players in loser brackets that are rebuilt.
"""

import secrets
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.brackets import advancing, seat_changes
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.open_seats import SeatGroup, entry_seats, free_seat_groups
from tournament.brackets.round_basis import last_round
from tournament.draw import chance
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import Outcome
from tournament.entries import registration
from tournament.entries.registration import EntryDetails
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Feed, Pairing, SeatChangeKind, Tournament
from tournament.refusals.entries import (
    LOSSES_OUT_OF_RANGE,
    NO_FREE_SEAT,
    NO_ROUND_LEFT,
    NOT_DRAWN_YET,
    ONE_LIFE_ONLY,
    SEAT_NOT_FREE,
)
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class LateEntryRequest:
    """`feed`: the seat; None draws a free one from `seed_text`, which is generated if empty.

    `starting_losses`: losses for the rounds that were missed, in an event with lives. The director decides.
    """

    details: EntryDetails
    feed: int | None = None
    seed_text: str = ""
    starting_losses: int = 0


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A seat drawn from `free_count` free ones. `seed_text` is empty if the director chose the seat."""

    place: SeatGroup
    free_count: int
    seed_text: str = ""


def enter(tournament_id: uuid.UUID, late: LateEntryRequest, actor: Actor) -> Entry:
    """Enters a player after the draw. Raises Refused before the draw, and if no seat is free."""
    with advancing.lock_tournament(tournament_id) as locked:
        if advancing.current_draw(locked.tournament) is None:
            raise Refused(NOT_DRAWN_YET)
        _refuse_losses(locked.tournament, late.starting_losses)
        if joins_the_next_round(locked.tournament) and late.feed is None:
            refuse_after_the_last_round(locked.tournament)
            locked.touch_all()  # with lives, the standings list the entry before its first match
            return _create_entry(locked, late, actor)
        drawn_place = draw_place(locked.tournament, late.feed, late.seed_text)
        entry = _create_entry(locked, late, actor)
        seat_entry(locked, entry, drawn_place, SeatChangeKind.LATE_ENTRY, actor)
        return entry


def joins_the_next_round(tournament: Tournament) -> bool:
    """Returns True if a late player needs no seat, because each round is paired from the players present."""
    return Format.from_json(tournament.format).is_growing


def is_last_round_paired(tournament: Tournament) -> bool:
    """Returns True if every planned round is paired. A player who joins then would never play."""
    planned, last = Format.from_json(tournament.format).rounds, last_round(tournament)
    return planned > 0 and last is not None and last.number >= planned


def refuse_after_the_last_round(tournament: Tournament) -> None:
    """Raises Refused if every planned round is paired."""
    if is_last_round_paired(tournament):
        raise Refused(NO_ROUND_LEFT)


def max_starting_losses(tournament: Tournament) -> int:
    """Returns the most losses that a late player may start with: one less than the lives, 0 without lives."""
    chosen = Format.from_json(tournament.format)
    return chosen.lives - 1 if chosen.kind == Kind.LIVES else 0


def _refuse_losses(tournament: Tournament, losses: int) -> None:
    most = max_starting_losses(tournament)
    if losses and not most:
        raise Refused(ONE_LIFE_ONLY)
    if not 0 <= losses <= most:
        raise Refused(LOSSES_OUT_OF_RANGE, most=most)


def _create_entry(locked: LockedTournament, late: LateEntryRequest, actor: Actor) -> Entry:
    entry = registration.create_entry(locked, late.details, actor, "enter late")
    if late.starting_losses:
        registration.set_starting_losses(locked, entry, late.starting_losses, actor)
    return entry


def available_places(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> list[SeatGroup]:
    """Returns the free places whose first opponent is not in `avoiding`."""
    free = free_seat_groups(entry_seats(tournament), bracket)
    return [place for place in free if not any(seat.opponent in avoiding for seat in place if seat.opponent)]


def loser_would_be_out(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> bool:
    """Returns True if a loss on a free place would knock the player out while other losers of that round play on."""
    free = available_places(tournament, bracket, avoiding)
    return bool(free) and seat_changes.loser_would_be_out(tournament, free[0][0])


def brackets_would_be_laid_out_again(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> bool:
    """Returns True if seating a player on a free place would rebuild the loser brackets."""
    free = available_places(tournament, bracket, avoiding)
    return bool(free) and seat_changes.would_be_laid_out_again(tournament, free[0][0])


def matches_that_would_wait(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> dict[int, Pairing]:
    """Returns the ready matches that would wait for the late player's first match, by feed of the free seat."""
    free = {place[0].pairing: place[0].feed for place in available_places(tournament, bracket, avoiding)}
    onward = Feed.objects.filter(source__in=free, outcome=Outcome.WINNER)
    ready = onward.exclude(target__left=None).exclude(target__right=None).filter(target__settled="")
    rows = ready.select_related("target__round__bracket", "target__left__player", "target__right__player")
    return {free[feed.source_id]: feed.target for feed in rows if feed.source_id is not None}


def draw_place(
    tournament: Tournament,
    feed: int | None = None,
    seed_text: str = "",
    bracket: str | None = None,
    avoiding: Collection[uuid.UUID] = (),
) -> DrawnPlace:
    """Returns the place of this seat, or a random free place. Raises Refused if none is free."""
    free = available_places(tournament, bracket, avoiding)
    if feed is not None:
        chosen = next((place for place in free if any(seat.feed == feed for seat in place)), None)
        if chosen is None:
            raise Refused(SEAT_NOT_FREE)
        return DrawnPlace(chosen, len(free))
    if not free:
        raise Refused(NO_FREE_SEAT)
    seed = seed_text.strip() or secrets.token_hex(16)
    return DrawnPlace(chance.shuffle(free, seed)[0], len(free), seed)


def seat_entry(
    locked: LockedTournament, entry: Entry, drawn_place: DrawnPlace, kind: SeatChangeKind, actor: Actor
) -> None:
    """Seats the entry, and writes the draw of the place to the journal."""
    seat_changes.change_seats(locked, {seat.feed: entry.pk for seat in drawn_place.place}, kind, actor)
    first = drawn_place.place[0]
    after = {
        "bracket": first.bracket,
        "round": first.round,
        "line": first.line,
        "seed": drawn_place.seed_text,
        "free_seats": drawn_place.free_count,
    }
    journal.write(locked.tournament, actor, JournalEntry("give seat", "entry", entry.pk, after=after))
