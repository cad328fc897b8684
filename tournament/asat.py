"""A tournament as it stood at a moment: the facts that were known then, resolved as ever. Reads only."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeGuard

from django.db.models import Q

from matches.values import values_of
from tournament import drawsheet
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing, Seat, Source
from tournament.draw.seating import Decision, Facts, Seating, resolve
from tournament.draw.ways_down import drops_before
from tournament.models import JournalLine, KeptSeat, Result, SeatChange, Tournament
from tournament.models import Pairing as PairingRow
from tournament.onemoment import one_moment
from tournament.ranking import rank_of
from tournament.seats import Posted, decision_of

EntrySource = Source[int, uuid.UUID]
Place = tuple[int, Seat]


@dataclass(frozen=True, slots=True)
class AsAt:
    """What was drawn at that moment, the results that stood then by pairing, and who sat where."""

    graph: Graph[int, uuid.UUID]
    results: dict[int, Posted]
    seating: Seating[int, uuid.UUID]


@one_moment()
def as_at(tournament: Tournament, moment: datetime) -> AsAt:
    """The current draw as it stood then; rounds drawn later are not in it."""
    sheet = drawsheet.read(tournament)
    graph = _graph(tournament, moment, sheet.graph)
    results = _results(tournament, moment)
    facts = Facts(
        _decisions(results),
        _withdrawn(tournament, moment),
        _kept(tournament, moment),
        rank_of(tournament, sheet.rows),
    )
    return AsAt(graph, results, resolve(graph, *facts))


def _graph(tournament: Tournament, moment: datetime, now: Graph[int, uuid.UUID]) -> Graph[int, uuid.UUID]:
    drawn = set(
        PairingRow.objects.filter(round__bracket__tournament=tournament)
        .filter(Q(round__drawn_at__isnull=True) | Q(round__drawn_at__lte=moment))
        .values_list("pk", flat=True)
    )
    later = _changed_after(tournament, moment)
    sat, dropped = _sat_before(later), _dropped_before(now, later)

    def then(place: Place, source: EntrySource) -> EntrySource:
        return sat.get(place, dropped.get(place, FromBye()) if _drops(source) else source)

    return Graph(
        Pairing(
            pairing.key,
            pairing.bracket,
            pairing.round,
            pairing.line,
            then((pairing.key, Seat.LEFT), pairing.left),
            then((pairing.key, Seat.RIGHT), pairing.right),
        )
        for pairing in now
        if pairing.key in drawn
    )


def _changed_after(tournament: Tournament, moment: datetime) -> list[SeatChange]:
    """Seats given to others by hand later on, the newest first."""
    later = SeatChange.objects.filter(feed__target__round__bracket__tournament=tournament, at__gt=moment)
    return list(later.order_by("-at", "-pk").select_related("feed"))


def _sat_before(later: Sequence[SeatChange]) -> dict[Place, EntrySource]:
    """Those seats as they were: the oldest later change says who sat there."""
    seats: dict[Place, EntrySource] = {}
    for change in later:
        place = change.feed.target_id, Seat(change.feed.seat)
        seats[place] = FromBye() if change.before_id is None else FromEntry(change.before_id)
    return seats


def _dropped_before(now: Graph[int, uuid.UUID], later: Sequence[SeatChange]) -> dict[Place, EntrySource]:
    """The seats that losers dropped to then, and whose."""
    sources = ((pairing.key, seat, source) for pairing in now for seat, source in pairing.seats)
    drops = {source.pairing: (key, seat) for key, seat, source in sources if _drops(source)}
    became_bye = {change.at: change.feed.target_id for change in later if change.after_id is None}
    for change in later:
        if change.before_id is None:
            drops = drops_before(drops, change.feed.target_id, became_bye.get(change.at))
    return {place: FromPairing(source, Outcome.LOSER) for source, place in drops.items()}


def _drops(source: EntrySource) -> TypeGuard[FromPairing[int]]:
    return isinstance(source, FromPairing) and source.outcome is Outcome.LOSER


def _results(tournament: Tournament, moment: datetime) -> dict[int, Posted]:
    posted = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, posted_at__lte=moment
    ).exclude(superseded_by__posted_at__lte=moment)
    told = (Posted(*values) for values in values_of(posted.values_list(*Posted._fields)))
    return {row.pairing_id: row for row in told}


def _decisions(results: dict[int, Posted]) -> dict[int, Decision[uuid.UUID]]:
    decided = ((pk, decision_of(row)) for pk, row in results.items())
    return {pk: decision for pk, decision in decided if decision is not None}


def _withdrawn(tournament: Tournament, moment: datetime) -> dict[uuid.UUID, float]:
    lines = JournalLine.objects.filter(
        tournament=tournament, verb__in=("withdraw", "undo withdrawal"), at__lte=moment
    ).order_by("at", "pk")
    return _left(lines.values_list("verb", "subject_id", "at"))


def _left(lines: Iterable[tuple[str, str, datetime]]) -> dict[uuid.UUID, float]:
    gone: dict[uuid.UUID, float] = {}
    for verb, entry, at in lines:
        if verb == "withdraw":
            gone[uuid.UUID(entry)] = at.timestamp()
        else:
            gone.pop(uuid.UUID(entry), None)
    return gone


def _kept(tournament: Tournament, moment: datetime) -> dict[tuple[int, Seat], uuid.UUID]:
    kept = KeptSeat.objects.filter(correction__tournament=tournament).filter(
        Q(given_back_at__lte=moment) | Q(given_back_at__isnull=True, correction__made_at__lte=moment)
    )
    standing = kept.filter(Q(lifted_at__isnull=True) | Q(lifted_at__gt=moment))
    return {
        (pairing, Seat(seat)): entry
        for pairing, seat, entry in standing.values_list("pairing_id", "seat", "entry_id")
    }
