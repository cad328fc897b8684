"""Gives seats of the draw to other entries by hand. The only module that writes seat changes and their feeds.

Requires the tournament's lock; the caller checks `open_seats` first. No player drops out of a pairing with a bye: when
it becomes a match, its loser gets a free drop if there is one.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping

from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing, second_chances
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.kept_seats import no_double_seating
from tournament.brackets.open_seats import EntrySeat, entry_seats, free_seat_groups, open_pairings
from tournament.draw.graph import Outcome, Seat
from tournament.models import Feed, Pairing, SeatChange, SeatChangeKind, Tournament
from tournament.refusals.seats import BYE_DECIDES_SECOND_CHANCE
from tournament.runtime.errors import Refused

A_BYE = {"source": None, "bracket": None, "entry": None}


def change_seats(
    locked: LockedTournament,
    seats: Mapping[int, uuid.UUID | None],
    kind: SeatChangeKind,
    actor: Actor,
    reason: str = "",
) -> list[SeatChange]:
    """Gives each seat, by feed id, to an entry (None: a bye), and settles all that follows."""
    feeds = list(Feed.objects.filter(pk__in=seats).order_by("pk"))
    now = timezone.now()
    changes = SeatChange.objects.bulk_create(
        SeatChange(
            feed=feed,
            kind=kind,
            before_id=feed.entry_id,
            after_id=seats[feed.pk],
            reason=reason,
            at=now,
            by=actor.user,
        )
        for feed in feeds
    )
    moves_bye = any(None in (feed.entry_id, seats[feed.pk]) for feed in feeds)
    for feed in feeds:
        feed.entry_id = seats[feed.pk]
    Feed.objects.bulk_update(feeds, ["entry"])
    changed = {feed.target_id for feed in feeds}
    more_pairings = _lay_out_simple_consolation(locked, kind, actor) if moves_bye else set()
    more_pairings = more_pairings or _connect_losers(locked, changed, actor)
    with no_double_seating(locked.tournament):
        advancing.assign_seats(locked, {(feed.target_id, Seat(feed.seat)): feed.entry_id for feed in feeds})
        rows = Pairing.objects.filter(pk__in=more_pairings).select_related("round__bracket", "match")
        advancing.advance_from(locked, rows)
    return changes


def _lay_out_simple_consolation(locked: LockedTournament, kind: SeatChangeKind, actor: Actor) -> set[int]:
    """Lays out again a consolation into which losers drop after a bye.

    Returns the keys of the pairings to settle: none for other consolations, and none for one that has begun or cannot
    match the byes. A swap raises Refused in that last case.
    """
    if not second_chances.depend_on_byes(locked.tournament):
        return set()
    laid_out = {row.pk for row in second_chances.lay_out_again(locked, actor)}
    if not laid_out and kind == SeatChangeKind.SWAP:
        raise Refused(BYE_DECIDES_SECOND_CHANCE)
    return laid_out


def _connect_losers(locked: LockedTournament, changed: Collection[int], actor: Actor) -> set[int]:
    """Connects the losers of these pairings to a drop, or lays out the second-chance brackets again if none is free.

    Returns the keys of the pairings to settle.
    """
    reached = _add_drops(locked.tournament, changed)
    if not _pairings_without_drop(locked.tournament, changed):
        return reached
    return {row.pk for row in second_chances.lay_out_again(locked, actor)} or reached


def loser_would_be_out(tournament: Tournament, seat: EntrySeat) -> bool:
    """True if giving away this bye would put the loser out, although other losers of the round play on."""
    return _has_no_free_drop(tournament, seat) and not second_chances.can_be_laid_out_again(tournament, seat)


def would_be_laid_out_again(tournament: Tournament, seat: EntrySeat) -> bool:
    """True if giving away this bye would lay out the second-chance brackets again."""
    return _has_no_free_drop(tournament, seat) and second_chances.can_be_laid_out_again(tournament, seat)


def _has_no_free_drop(tournament: Tournament, seat: EntrySeat) -> bool:
    pairing = _without_loser_feed(tournament, [seat.pairing]).first()
    return pairing is not None and next(_free_drops(tournament, pairing), None) is None


def _add_drops(tournament: Tournament, changed: Collection[int]) -> set[int]:
    """Adds a drop for each loser of a bye that became a match, while one is free. Returns the target pairings.

    A target that was a bye becomes a match too, so its loser gets a drop in turn.
    """
    reached: set[int] = set()
    for pairing in _pairings_without_drop(tournament, changed):
        drop = next(_free_drops(tournament, pairing), None)
        if drop is not None:
            drop.source, drop.outcome = pairing, Outcome.LOSER.value
            drop.save(update_fields=["source", "outcome"])
            reached |= {drop.target_id} | _add_drops(tournament, [drop.target_id])
    return reached


def _pairings_without_drop(tournament: Tournament, changed: Collection[int]) -> list[Pairing]:
    """Pairings of two entries whose loser is out, although other losers of the round play on."""
    byes = Feed.objects.filter(target__in=changed, **A_BYE)
    return list(_without_loser_feed(tournament, changed).exclude(pk__in=byes.values("target")).order_by("pk"))


def _without_loser_feed(tournament: Tournament, pairings: Collection[int]) -> QuerySet[Pairing]:
    dropping = Feed.objects.filter(source__round__bracket__tournament=tournament, outcome=Outcome.LOSER)
    rows = Pairing.objects.filter(pk__in=pairings, round__in=dropping.values("source__round"))
    return rows.exclude(pk__in=dropping.values("source")).select_related("round")


def _free_drops(tournament: Tournament, pairing: Pairing) -> Iterator[Feed]:
    """Drops that this round does not need: of a match that became a bye, then byes in the target bracket."""
    drops = Feed.objects.filter(source__round=pairing.round, outcome=Outcome.LOSER).order_by("pk")
    used_drops = list(drops.select_related("target__round__bracket"))
    of_byes = set(
        Feed.objects.filter(target__round=pairing.round, **A_BYE).values_list("target_id", flat=True)
    )
    open_targets = open_pairings(tournament, {drop.target_id for drop in used_drops})
    yield from (drop for drop in used_drops if drop.source_id in of_byes and drop.target_id in open_targets)
    seats = entry_seats(tournament)
    for key in dict.fromkeys(drop.target.round.bracket.key for drop in used_drops):
        for place in free_seat_groups(seats, key):
            yield Feed.objects.get(pk=place[0].feed)
