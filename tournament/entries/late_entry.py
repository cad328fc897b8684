"""Entering after the draw: into a seat that is still free, or, where rounds are paired as they come, into the next.

Only the player who had the bye moves, and those in brackets for losers where these are laid out again.
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
from tournament.entries.registration import EntryCard
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Feed, Pairing, SeatChangeKind, Tournament
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class LateEntry:
    """Who comes, and the seat by its feed; None: by chance, from a seed text that is made where none is given.

    `given_losses` are what the player starts with in an event with lives: for rounds missed, as the director says.
    """

    card: EntryCard
    feed: int | None = None
    seed_text: str = ""
    given_losses: int = 0


@dataclass(frozen=True, slots=True)
class Drawn:
    """The places there were to draw from, and the one drawn with this seed text (empty: it was chosen)."""

    place: SeatGroup
    among: int
    seed_text: str = ""


def enter(tournament_id: uuid.UUID, late: LateEntry, actor: Actor) -> Entry:
    """Enters a player after the draw; raises Refused before it, and where no seat is free."""
    with advancing.lock_tournament(tournament_id) as locked:
        if advancing.current_draw(locked.tournament) is None:
            raise Refused("no-draw", "There is no draw yet. Enter the player on the entry list.")
        _refuse_losses(locked.tournament, late.given_losses)
        if joins_the_next_round(locked.tournament) and late.feed is None:
            refuse_after_the_last_round(locked.tournament)
            return _admit(locked, late, actor)
        drawn = draw_place(locked.tournament, late.feed, late.seed_text)
        entry = _admit(locked, late, actor)
        take(locked, entry, drawn, SeatChangeKind.LATE_ENTRY, actor)
        return entry


def joins_the_next_round(tournament: Tournament) -> bool:
    """Whether nobody needs a seat, because each round is paired from whoever is there."""
    return Format.from_json(tournament.format).is_growing


def is_last_round_paired(tournament: Tournament) -> bool:
    """Returns True if every planned round is paired. A player who joins then would never play."""
    planned, last = Format.from_json(tournament.format).rounds, last_round(tournament)
    return planned > 0 and last is not None and last.number >= planned


def refuse_after_the_last_round(tournament: Tournament) -> None:
    """Raises Refused where every planned round is paired."""
    if is_last_round_paired(tournament):
        raise Refused(
            "no-round-left",
            "The last round is paired: a player who joins now would not play. A jackpot still takes players.",
        )


def most_given_losses(tournament: Tournament) -> int:
    """With how many losses a late player may start: fewer than there are lives, and none where there are no lives."""
    chosen = Format.from_json(tournament.format)
    return chosen.lives - 1 if chosen.kind == Kind.LIVES else 0


def _refuse_losses(tournament: Tournament, given: int) -> None:
    most = most_given_losses(tournament)
    if given and not most:
        raise Refused("no-lives", "Only in an event with two lives or more can a player start with a loss.")
    if not 0 <= given <= most:
        raise Refused(
            "losses-out-of-range", "Give 0 to {most} losses: with more the player would be out.", most=most
        )


def _admit(locked: LockedTournament, late: LateEntry, actor: Actor) -> Entry:
    entry = registration.admit(locked, late.card, actor, "enter late")
    if late.given_losses:
        registration.give_losses(locked, entry, late.given_losses, actor)
    return entry


def places(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> list[SeatGroup]:
    """The free places, but those where one would meet one of these entries at once."""
    free = free_seat_groups(entry_seats(tournament), bracket)
    return [place for place in free if not any(seat.opponent in avoiding for seat in place if seat.opponent)]


def loser_would_be_out(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> bool:
    """Whether a match on a free place would be lost for good, though other losers of that round go on."""
    free = places(tournament, bracket, avoiding)
    return bool(free) and seat_changes.loser_would_be_out(tournament, free[0][0])


def brackets_would_be_laid_out_again(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> bool:
    """Whether a player on a free place would make the brackets for losers be laid out again."""
    free = places(tournament, bracket, avoiding)
    return bool(free) and seat_changes.would_be_laid_out_again(tournament, free[0][0])


def matches_that_would_wait(
    tournament: Tournament, bracket: str | None = None, avoiding: Collection[uuid.UUID] = ()
) -> dict[int, Pairing]:
    """Matches that are ready and would wait for the late player's first one, by the feeds of the free seats."""
    free = {place[0].pairing: place[0].feed for place in places(tournament, bracket, avoiding)}
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
) -> Drawn:
    """The place of this seat, or one by chance; raises Refused where none is free."""
    free = places(tournament, bracket, avoiding)
    if feed is not None:
        chosen = next((place for place in free if any(seat.feed == feed for seat in place)), None)
        if chosen is None:
            raise Refused("seat-not-free", "This seat is not free any more. Choose another one.")
        return Drawn(chosen, len(free))
    if not free:
        raise Refused(
            "no-free-seat",
            "No seat is free: every place is taken, or the next match after it has begun. Offer a jackpot instead.",
        )
    seed = seed_text.strip() or secrets.token_hex(16)
    return Drawn(chance.shuffle(free, seed)[0], len(free), seed)


def take(locked: LockedTournament, entry: Entry, drawn: Drawn, kind: SeatChangeKind, actor: Actor) -> None:
    """Seats the entry there, with the draw of the place in the journal."""
    seat_changes.change_seats(locked, {seat.feed: entry.pk for seat in drawn.place}, kind, actor)
    first = drawn.place[0]
    said = {
        "bracket": first.bracket,
        "round": first.round,
        "line": first.line,
        "seed": drawn.seed_text,
        "free_seats": drawn.among,
    }
    journal.write(locked.tournament, actor, JournalEntry("give seat", "entry", entry.pk, after=said))
