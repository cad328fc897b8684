"""Undoes a correction while nothing newer depends on it: what it cancelled stands again as it did."""

import uuid

from django.utils import timezone

from matches import scorecard
from matches.models import MatchState
from tournament import drawsheet, journal, posting, progression
from tournament.actors import Actor
from tournament.correcting.previewing import under_way
from tournament.draw.graph import Seat
from tournament.errors import NotFound, Refused
from tournament.journal import Deed
from tournament.models import Correction, KeptSeat, Pairing, Result, Tournament
from tournament.seats import decision_of


def undo(correction_id: uuid.UUID, actor: Actor) -> None:
    """Gives back what a correction changed; raises Refused once something newer depends on it."""
    found = Correction.objects.filter(pk=correction_id).first()
    if found is None:
        raise NotFound
    with progression.changing(found.tournament_id) as changes:
        correction = Correction.objects.get(pk=correction_id)
        if correction.undone_at is not None:
            return
        written = list(correction.results.select_related("supersedes__match", "supersedes__card"))
        _refuse_what_is_newer(changes.tournament, correction, written)
        KeptSeat.objects.filter(correction=correction).update(lifted_at=timezone.now())
        _clear(correction)
        for result in written:
            if result.supersedes is not None:
                posting.give_back(result.supersedes, correction)
                _stand_again(result.supersedes)
        _give_matches_back(correction)
        restored = {result.pairing_id for result in written} | {
            one["pairing"] for one in correction.cancelled
        }
        progression.reseat(changes, [posting.load(pk) for pk in sorted(restored)], restored)
        correction.undone_at, correction.undone_by = timezone.now(), actor.user
        correction.save(update_fields=["undone_at", "undone_by"])
        changes.touch_all()
        deed = Deed("undo correction", "pairing", correction.pairing_id, after={"correction": correction.pk})
        journal.write(changes.tournament, actor, deed)


def _refuse_what_is_newer(tournament: Tournament, correction: Correction, written: list[Result]) -> None:
    """Refuses where a later fact rests on the correction: a newer result, or a match begun by those it seated."""
    newer = Result.objects.filter(supersedes__in=written).exists()
    sheet = drawsheet.read(tournament)
    restored = {
        result.pairing_id: decision_of(result.supersedes)
        for result in written
        if result.supersedes is not None
    }
    lifted = KeptSeat.objects.filter(correction=correction, lifted_at__isnull=True)
    gone = {(pairing, Seat(seat)) for pairing, seat in lifted.values_list("pairing_id", "seat")}
    decisions = dict(sheet.facts.decisions)
    for key, decision in restored.items():
        decisions.pop(key, None)
        if decision is not None:
            decisions[key] = decision
    kept = {seat: entry for seat, entry in sheet.facts.kept.items() if seat not in gone}
    facts = sheet.facts._replace(decisions=decisions, kept=kept)
    begun = set(under_way(tournament)) | set(sheet.facts.decisions)
    own = set(restored) | {one["pairing"] for one in correction.cancelled}
    changed = drawsheet.players_change(sheet, facts)
    restarted = {one["pairing"] for one in correction.cancelled} & begun
    if newer or restarted or (changed & begun) - own:
        raise Refused(
            "newer-depends", "A later result or match rests on this correction. Correct that one instead."
        )


def _clear(correction: Correction) -> None:
    """Cancels what was opened meanwhile for others in the place of the cancelled matches."""
    for one in correction.cancelled:
        row = Pairing.objects.select_related("match").get(pk=one["pairing"])
        if row.match is not None:
            scorecard.cancel([row.match])
            row.match = None
            row.save(update_fields=["match"])


def _stand_again(result: Result) -> None:
    if result.match is not None:
        scorecard.give_back(scorecard.lock(result.match.pk), MatchState.POSTED, result.card)
        Pairing.objects.filter(pk=result.pairing_id).update(match=result.match)


def _give_matches_back(correction: Correction) -> None:
    for one in correction.cancelled:
        row = Pairing.objects.get(pk=one["pairing"])
        if str(row.match_id) == one["match"]:
            continue
        match = scorecard.lock(uuid.UUID(one["match"]))
        scorecard.give_back(match, MatchState(one["state"]), None)
        row.match = match
        row.save(update_fields=["match"])
