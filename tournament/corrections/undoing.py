"""Undoes a correction while nothing newer depends on it, and restores what it cancelled."""

import uuid

from django.utils import timezone

from matches import desk_card, scorecard
from matches.locking import lock_match, lock_matches
from matches.models import Match, MatchState
from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.double_entries import no_double_entry
from tournament.brackets.states import current_results, decision_of
from tournament.brackets.storage import Sheet
from tournament.corrections.making import pairings_feeding
from tournament.draw.graph import Seat
from tournament.draw.seating import Facts, Seating, resolve
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Correction, KeptSeat, Pairing, Result, ResultKind, Tournament
from tournament.money.awards import repost_awards
from tournament.refusals.corrections import NEWER_DEPENDS
from tournament.results import posting
from tournament.runtime.errors import NotFound, Refused


def undo(correction_id: uuid.UUID, actor: Actor) -> None:
    """Undoes a correction. Idempotent. Raises Refused once something newer depends on it."""
    correction = Correction.objects.filter(pk=correction_id).first()
    if correction is None:
        raise NotFound
    with advancing.lock_tournament(correction.tournament_id) as locked:
        correction = Correction.objects.get(pk=correction_id)
        if correction.undone_at is not None:
            return
        _lock_matches(correction)
        results = list(correction.results.select_related("supersedes__match"))
        fed_by = _refuse_if_newer_depends(locked.tournament, correction, results)
        _restore_kept_seats(correction)
        _cancel_newer_matches(locked, correction)
        for result in results:
            if result.supersedes is not None:
                posting.restore(result.supersedes, correction)
                _restore_result(result, correction)
        _restore_matches(correction)
        restored = {result.pairing_id for result in results} | {
            cancelled_row["pairing"] for cancelled_row in correction.cancelled
        }
        with no_double_entry(locked.tournament):
            advancing.advance_from(locked, advancing.load_pairings(restored | fed_by), restored)
        correction.undone_at, correction.undone_by = timezone.now(), actor.user
        correction.save(update_fields=["undone_at", "undone_by"])
        locked.touch_all()
        entry = JournalEntry(
            "undo correction", "pairing", correction.pairing_id, after={"correction": correction.pk}
        )
        journal.write(locked.tournament, actor, entry)
        repost_awards(locked, actor, correction.reason)


def _restore_kept_seats(correction: Correction) -> None:
    """Releases the seats that the correction kept, and keeps again those that it released."""
    now = timezone.now()
    KeptSeat.objects.filter(correction=correction, lifted_at__isnull=True).update(lifted_at=now)
    KeptSeat.objects.bulk_create(
        KeptSeat(
            pairing_id=seat.pairing_id,
            seat=seat.seat,
            entry_id=seat.entry_id,
            correction_id=seat.correction_id,
            given_back_at=now,
        )
        for seat in correction.lifted_seats.all()
    )


def _refuse_if_newer_depends(
    tournament: Tournament, correction: Correction, written: list[Result]
) -> set[int]:
    """Raises Refused if a later fact depends on the correction.

    Such facts are a newer result, a match begun by the players it seated, other players in a match it cancelled, and
    kept seats that another correction released. Returns the pairings that feed the seats whose keeping changes.
    """
    sheet = storage.read(tournament)
    facts = _facts_before(sheet, correction, written)
    seating_without = resolve(sheet.graph, *facts)
    own = {cancelled_row["pairing"] for cancelled_row in correction.cancelled}
    begun = storage.pairings_under_way(tournament) | set(sheet.facts.decisions)
    changed = storage.pairings_with_other_players(sheet, facts)
    is_overtaken = (
        _is_superseded(written)
        or not _can_resume(correction, seating_without)
        or _was_played_on(correction, written)
        or _is_kept_by_others(correction)
    )
    own_results = {result.pairing_id for result in written}
    if (
        is_overtaken
        or seating_without.stale & own_results
        or own & begun
        or (changed & begun) - own - own_results
    ):
        raise Refused(NEWER_DEPENDS)
    kept_otherwise = set(sheet.facts.kept_seats.items()) ^ set(facts.kept_seats.items())
    return pairings_feeding(sheet.graph, [seat for seat, _ in kept_otherwise])


def _facts_before(sheet: Sheet, correction: Correction, written: list[Result]) -> Facts[int, uuid.UUID]:
    lifted = KeptSeat.objects.filter(correction=correction, lifted_at__isnull=True)
    removed_seats = {(pairing, Seat(seat)) for pairing, seat in lifted.values_list("pairing_id", "seat")}
    decisions = dict(sheet.facts.decisions)
    for result in written:
        decisions.pop(result.pairing_id, None)
        decision = decision_of(result.supersedes) if result.supersedes else None
        if decision is not None:
            decisions[result.pairing_id] = decision
    kept_seats = {seat: entry for seat, entry in sheet.facts.kept_seats.items() if seat not in removed_seats}
    for lifted_seat in correction.lifted_seats.all():
        kept_seats[lifted_seat.pairing_id, Seat(lifted_seat.seat)] = lifted_seat.entry_id
    return sheet.facts._replace(decisions=decisions, kept_seats=kept_seats)


def _is_superseded(written: list[Result]) -> bool:
    """True if another result is current. A restored result has the same facts and does not count."""
    current = current_results([result.pairing_id for result in written])
    return any(not posting.has_same_facts(result, current[result.pairing_id]) for result in written)


def _was_played_on(correction: Correction, written: list[Result]) -> bool:
    """True if the reopened match was written on or disputed since the correction."""
    reopened = [result for result in written if result.kind == ResultKind.RETRACTED and _is_own(result)]
    return any(
        result.match is not None
        and (
            result.match.state == MatchState.DISPUTED
            or desk_card.has_rows_since(result.match, correction.made_at)
        )
        for result in reopened
    )


def _is_kept_by_others(correction: Correction) -> bool:
    """True if a valid correction released a seat that this one kept, or keeps a seat that this one released."""
    ended = correction.kept_seats.filter(lifted_by__isnull=False, lifted_by__undone_at__isnull=True)
    places = {(seat.pairing_id, seat.seat) for seat in correction.lifted_seats.all()}
    kept_again = KeptSeat.objects.filter(pairing__in=[pk for pk, _ in places], lifted_at__isnull=True)
    others = kept_again.exclude(correction=correction)
    return ended.exists() or any(place in places for place in others.values_list("pairing_id", "seat"))


def _is_own(result: Result) -> bool:
    """True for the corrected result, False for the result of a match that was cancelled with it."""
    correction = result.correction
    return correction is not None and result.pairing_id == correction.pairing_id


def _can_resume(correction: Correction, seating_without: Seating[int, uuid.UUID]) -> bool:
    """True if the players of the cancelled open matches would sit there again, undecided."""
    open_states = {
        uuid.UUID(cancelled_row["match"]): seating_without[cancelled_row["pairing"]]
        for cancelled_row in correction.cancelled
        if cancelled_row["state"] != MatchState.POSTED
    }
    players = Match.objects.filter(pk__in=open_states).values_list("pk", "left", "right")
    return all(
        {open_states[pk].left, open_states[pk].right} == {left, right} and open_states[pk].result.how is None
        for pk, left, right in players
    )


def _lock_matches(correction: Correction) -> None:
    """Locks the matches opened or reopened since, so that none begins during the check."""
    pairing_ids = [
        correction.pairing_id,
        *(cancelled_row["pairing"] for cancelled_row in correction.cancelled),
    ]
    opened = Pairing.objects.filter(pk__in=pairing_ids)
    lock_matches(opened.values_list("match_id", flat=True))


def _cancel_newer_matches(locked: LockedTournament, correction: Correction) -> None:
    """Cancels the matches that were opened in place of the cancelled ones."""
    for cancelled_row in correction.cancelled:
        row = Pairing.objects.select_related("match").get(pk=cancelled_row["pairing"])
        if row.match is not None:
            scorecard.cancel([row.match])
            locked.ended_matches.add(row.match.pk)
            row.match = None
            row.save(update_fields=["match"])


def _restore_result(written: Result, correction: Correction) -> None:
    result = written.supersedes
    if result is None or result.match is None:
        return
    locked_match = lock_match(result.match.pk)
    match = locked_match.match
    scorecard.set_state(match, MatchState.POSTED)
    if _is_own(written):
        desk_card.restore_card(locked_match, correction.made_at)
    posting.apply_to_match(match, result)
    Pairing.objects.filter(pk=result.pairing_id).update(match=match)


def _restore_matches(correction: Correction) -> None:
    for cancelled_row in correction.cancelled:
        row = Pairing.objects.get(pk=cancelled_row["pairing"])
        if str(row.match_id) == cancelled_row["match"]:
            continue
        match = lock_match(uuid.UUID(cancelled_row["match"])).match
        scorecard.set_state(match, MatchState(cancelled_row["state"]))
        row.match = match
        row.save(update_fields=["match"])
