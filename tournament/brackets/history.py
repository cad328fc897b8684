"""Resolves a tournament from the facts that were known at a past moment. Reads only."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard

from django.db.models import Q

from tournament.brackets import former_draws, storage
from tournament.brackets.former_draws import DrawnSheet, EntrySource, ManualSeat
from tournament.brackets.play_off_places import GAVE_UP_PLACE
from tournament.brackets.ranking import rank_function
from tournament.brackets.states import PostedResult, WithdrawnEntries, decision_of
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing, Seat
from tournament.draw.seating import Decision, Facts, Seating, resolve
from tournament.draw.seating.drops_before_swap import drops_before
from tournament.models import JournalLine, KeptSeat, Result, Tournament
from tournament.runtime.snapshot import consistent_read

SeatKey = tuple[int, Seat]


@dataclass(frozen=True, slots=True)
class HistoricDraw:
    """The graph at that moment, the results in force by pairing, and the seating.

    `is_certain` is False if seats were changed by hand in a draw of an earlier version, in which losers drop out of
    pairings with a bye. Seats of second-chance brackets may then differ.
    """

    graph: Graph[int, uuid.UUID]
    results: dict[int, PostedResult]
    seating: Seating[int, uuid.UUID]
    is_certain: bool


@consistent_read()
def draw_as_of(tournament: Tournament, moment: datetime) -> HistoricDraw:
    """The draw in force at the moment, also if it was taken back later, with the rounds drawn until then."""
    sheet = storage.read(tournament)
    sheets = [
        former_draws.current_sheet(tournament, sheet.graph),
        *former_draws.sheets_in_force_at(tournament, moment),
    ]
    later_changes = [
        change for sheet_in_force in sheets for change in sheet_in_force.manual_seats if change.at > moment
    ]
    later_changes.sort(key=lambda change: change.at, reverse=True)
    graph = Graph(
        pairing
        for sheet_in_force in sheets
        for pairing in _pairings_then(sheet_in_force, later_changes, moment)
    )
    results = _results_at(tournament, moment)
    withdrawn, without_place = _withdrawn_at(tournament, moment)
    facts = Facts(
        _decisions(results),
        withdrawn,
        _kept_seats_at(tournament, moment),
        rank_function(tournament, sheet.rows),
        without_place,
    )
    is_certain = not later_changes or not any(map(_has_drops_out_of_byes, sheets))
    return HistoricDraw(graph, results, resolve(graph, *facts), is_certain)


def _pairings_then(
    sheet: DrawnSheet, later: Sequence[ManualSeat], moment: datetime
) -> Iterator[Pairing[int, uuid.UUID]]:
    """The pairings drawn until the moment, with the seats before the `later` changes."""
    sat, dropped = _former_occupants(later), _former_drops(sheet.pairings, later)

    def then(place: SeatKey, source: EntrySource) -> EntrySource:
        return sat.get(place, dropped.get(place, FromBye()) if _is_drop(source) else source)

    for key, bracket, number, line, left, right in sheet.pairings:
        drawn_at = sheet.drawn_at.get(key)
        if drawn_at is None or drawn_at <= moment:
            seats = then((key, Seat.LEFT), left), then((key, Seat.RIGHT), right)
            yield Pairing(key, bracket, number, line, *seats)


def _former_occupants(later: Sequence[ManualSeat]) -> dict[SeatKey, EntrySource]:
    """The former occupants of changed seats. The oldest later change decides."""
    return {
        (change.pairing, change.seat): FromBye() if change.before is None else FromEntry(change.before)
        for change in later
    }


def _former_drops(
    now: Iterable[Pairing[int, uuid.UUID]], later: Sequence[ManualSeat]
) -> dict[SeatKey, EntrySource]:
    """The seats that losers dropped to at the moment, with the source pairing."""
    sources = ((pairing.key, seat, source) for pairing in now for seat, source in pairing.seats)
    drops = {source.pairing: (key, seat) for key, seat, source in sources if _is_drop(source)}
    became_bye = {change.at: change.pairing for change in later if change.after is None}
    for change in later:
        if change.before is None:
            drops = drops_before(drops, change.pairing, became_bye.get(change.at))
    return {place: FromPairing(source, Outcome.LOSER) for source, place in drops.items()}


def _has_drops_out_of_byes(sheet: DrawnSheet) -> bool:
    """True if a loser drops out of a pairing with a bye that no change by hand made."""
    byes = {pairing.key for pairing in sheet.pairings if FromBye() in (pairing.left, pairing.right)}
    byes -= {change.pairing for change in sheet.manual_seats}
    sources = (source for pairing in sheet.pairings for _, source in pairing.seats)
    return any(_is_drop(source) and source.pairing in byes for source in sources)


def _is_drop(source: EntrySource) -> TypeGuard[FromPairing[int]]:
    return isinstance(source, FromPairing) and source.outcome is Outcome.LOSER


def _results_at(tournament: Tournament, moment: datetime) -> dict[int, PostedResult]:
    posted = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, posted_at__lte=moment
    ).exclude(superseded_by__posted_at__lte=moment)
    rows = (PostedResult(*values) for values in posted.values_list(*PostedResult._fields))
    return {row.pairing_id: row for row in rows}


def _decisions(results: dict[int, PostedResult]) -> dict[int, Decision[uuid.UUID]]:
    decided = ((pk, decision_of(row)) for pk, row in results.items())
    return {pk: decision for pk, decision in decided if decision is not None}


def _withdrawn_at(tournament: Tournament, moment: datetime) -> WithdrawnEntries:
    lines = JournalLine.objects.filter(
        tournament=tournament, verb__in=("withdraw", "undo withdrawal"), at__lte=moment
    ).order_by("at", "pk")
    return _replay_withdrawals(lines.values_list("verb", "subject_id", "at", "after"))


def _replay_withdrawals(lines: Iterable[tuple[str, str, datetime, dict[str, Any]]]) -> WithdrawnEntries:
    entries = WithdrawnEntries({}, set())
    for verb, subject, at, after in lines:
        entry = uuid.UUID(subject)
        entries.withdrawn.pop(entry, None)
        entries.without_place.discard(entry)
        if verb == "withdraw":
            entries.withdrawn[entry] = at.timestamp()
        if after.get(GAVE_UP_PLACE):
            entries.without_place.add(entry)
    return entries


def _kept_seats_at(tournament: Tournament, moment: datetime) -> dict[tuple[int, Seat], uuid.UUID]:
    stored = KeptSeat.objects.filter(correction__tournament=tournament).filter(
        Q(given_back_at__lte=moment) | Q(given_back_at__isnull=True, correction__made_at__lte=moment)
    )
    valid = stored.filter(Q(lifted_at__isnull=True) | Q(lifted_at__gt=moment))
    return {
        (pairing, Seat(seat)): entry
        for pairing, seat, entry in valid.values_list("pairing_id", "seat", "entry_id")
    }
