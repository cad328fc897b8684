"""Makes a previewed correction in one transaction."""

import uuid
from collections.abc import Iterable

from django.utils import timezone

from matches import desk_card, scorecard
from matches.rows import FinalScore
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.double_entries import no_double_entry
from tournament.corrections.previewing import (
    Change,
    Preview,
    PreviewChanged,
    is_unchanged,
    preview_under_lock,
    result_to_change,
)
from tournament.draw.graph import Graph, Seat
from tournament.draw.seating.corrections import Treatment
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Correction, KeptSeat, Pairing, Result, ResultKind
from tournament.money.awards import repost_awards
from tournament.refusals.corrections import CORRECTION_REASON_NEEDED
from tournament.results import posting
from tournament.results.locking import LockedPairing, lock_pairing
from tournament.results.posting import Posting
from tournament.runtime.errors import Refused


def correct(seen_preview: Preview, digest: str, reason: str, actor: Actor) -> Correction:
    """Makes the previewed change. Raises PreviewChanged if it would now have other consequences."""
    if not reason.strip():
        raise Refused(CORRECTION_REASON_NEEDED)
    with advancing.lock_tournament(seen_preview.pairing.round.bracket.tournament_id) as locked:
        locked_pairing = lock_pairing(locked, seen_preview.pairing)
        pairing = locked_pairing.pairing
        preview = preview_under_lock(locked.tournament, pairing, seen_preview.change, seen_preview.keep)
        if preview.digest != digest or not is_unchanged(preview):
            raise PreviewChanged(
                preview_under_lock(locked.tournament, pairing, seen_preview.change, seen_preview.keep)
            )
        correction = Correction.objects.create(
            tournament=locked.tournament,
            pairing=pairing,
            reason=reason,
            made_at=timezone.now(),
            made_by=actor.user,
        )
        result_before = result_to_change(pairing, seen_preview.change)
        cancelled = _cancel(locked, preview, correction)
        result = None
        if pairing.pk not in cancelled:
            result = _replace_result(locked_pairing, preview.change, correction)
        _store_kept_seats(preview, correction)
        filling = pairings_feeding(preview.sheet.graph, preview.consequences.released_seats)
        with no_double_entry(locked.tournament):
            advancing.advance_from(locked, advancing.load_pairings({pairing.pk, *cancelled, *filling}))
        locked.touch(pairing.round.bracket_id)
        _write_journal(locked, actor, correction, (result_before, result), preview)
        repost_awards(locked, actor, reason)
        return correction


def _cancel(locked: LockedTournament, preview: Preview, correction: Correction) -> list[int]:
    """Retracts the results and cancels the matches that the correction invalidates; returns their pairings."""
    pairings = advancing.load_pairings(preview.consequences.cancelled)
    cancelled = [lock_pairing(locked, pairing) for pairing in pairings]
    matches = [pairing.match for pairing in pairings if pairing.match is not None]
    correction.cancelled = [
        {"pairing": pairing.pk, "match": str(pairing.match_id), "state": pairing.match.state}
        for pairing in pairings
        if pairing.match is not None
    ]
    correction.save(update_fields=["cancelled"])
    decided = preview.sheet.facts.decisions
    for locked_pairing in cancelled:
        if locked_pairing.pairing.pk in decided:
            posting.replace(locked_pairing, Posting(ResultKind.RETRACTED, None), correction)
    locked.ended_matches.update(match.pk for match in matches)
    scorecard.cancel(matches)
    pairing_ids = [pairing.pk for pairing in pairings]
    Pairing.objects.filter(pk__in=pairing_ids).update(match=None)
    return pairing_ids


def pairings_feeding(graph: Graph[int, uuid.UUID], seats: Iterable[tuple[int, Seat]]) -> set[int]:
    """The pairings that feed these seats: advancing from them fills the seats again."""
    return {graph.filled_by(*seat)[0] for seat in seats}


def _replace_result(locked_pairing: LockedPairing, change: Change, correction: Correction) -> Result | None:
    pairing, locked_match = locked_pairing.pairing, locked_pairing.match
    if change.takes_back:
        return _retract(locked_pairing, correction)
    card, points = None, (change.left_points, change.right_points)
    if locked_match is not None and change.kind == ResultKind.PLAYED and change.points is not None:
        points = left, right = posting.points_by_side(locked_match.match, pairing.left_id, change.points)
        card = desk_card.set_final_score(locked_match, FinalScore(left, right))
    written = Posting(change.kind, change.winner, *points, card=card)
    result = posting.replace(locked_pairing, written, correction)
    if locked_match is not None:
        posting.apply_to_match(locked_match.match, result)
    return result


def _retract(locked_pairing: LockedPairing, correction: Correction) -> Result | None:
    """Reopens the match. Returns None if nothing was posted and only its seats were kept."""
    current = result_to_change(locked_pairing.pairing, Change(ResultKind.RETRACTED, None))
    if current is None:
        return None
    written = Posting(ResultKind.RETRACTED, None, card=current.card)
    result = posting.replace(locked_pairing, written, correction)
    if locked_pairing.match is not None:
        scorecard.reopen(locked_pairing.match)
    return result


def _store_kept_seats(preview: Preview, correction: Correction) -> None:
    """Releases kept seats, then stores the seats that this correction keeps."""
    for key, seat in preview.consequences.released_seats:
        current = KeptSeat.objects.filter(pairing=key, seat=seat.value, lifted_at__isnull=True)
        current.update(lifted_at=correction.made_at, lifted_by=correction)
    stored_seats = preview.sheet.facts.kept_seats
    KeptSeat.objects.bulk_create(
        KeptSeat(pairing_id=key, seat=seat.value, entry_id=entry, correction=correction)
        for (key, seat), entry in preview.consequences.facts.kept_seats.items()
        if stored_seats.get((key, seat)) != entry
    )


def _write_journal(
    locked: LockedTournament,
    actor: Actor,
    correction: Correction,
    results: tuple[Result | None, Result | None],
    preview: Preview,
) -> None:
    before, after = (_facts_json(result) for result in results)
    kept_keys = [affected.key for affected in preview.affected if affected.treatment == Treatment.KEEP]
    consequences = {
        "correction": correction.pk,
        "cancelled": list(preview.consequences.cancelled),
        "kept": kept_keys,
        "lifted": sorted({key for key, _ in preview.consequences.released_seats}),
    }
    entry = JournalEntry(
        "correct with consequences",
        "pairing",
        correction.pairing_id,
        before,
        after | consequences,
        correction.reason,
    )
    journal.write(locked.tournament, actor, entry)


def _facts_json(result: Result | None) -> dict[str, object]:
    if result is None:
        return {"kind": str(ResultKind.RETRACTED)}
    return {
        "kind": str(result.kind),
        "winner": result.winner_id,
        "left": result.left_points,
        "right": result.right_points,
    }
