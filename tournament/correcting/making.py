"""Makes a correction happen, exactly as it was previewed, in one transaction."""

from django.utils import timezone

from matches import scorecard
from matches.models import Card, Match
from matches.writing import FinalScore
from tournament import journal, posting, progression
from tournament.actors import Actor
from tournament.correcting.previewing import Change, Preview, PreviewChanged, is_still_so, preview_under_lock
from tournament.draw.correcting import Treatment
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import Correction, KeptSeat, Pairing, Result, ResultKind
from tournament.posting import Posting
from tournament.progression import Changes


def correct(shown: Preview, digest: str, reason: str, actor: Actor) -> Correction:
    """Makes a change happen as previewed under this digest; raises PreviewChanged where it would do something else."""
    if not reason.strip():
        raise Refused("reason-needed", "Give a reason: it is kept in the journal.")
    with progression.changing(shown.pairing.round.bracket.tournament_id) as changes:
        pairing = posting.load(shown.pairing.pk)
        now = preview_under_lock(changes.tournament, pairing, shown.change, shown.keep)
        if now.digest != digest or not is_still_so(now):
            raise PreviewChanged(preview_under_lock(changes.tournament, pairing, shown.change, shown.keep))
        correction = Correction.objects.create(
            tournament=changes.tournament,
            pairing=pairing,
            reason=reason,
            made_at=timezone.now(),
            made_by=actor.user,
        )
        before = posting.standing_result(pairing.pk)
        cancelled = _cancel(now, correction)
        result = _rewrite(pairing, now.change, correction)
        _keep(now, correction)
        progression.reseat(changes, [posting.load(pk) for pk in (pairing.pk, *cancelled)])
        changes.touch(pairing.round.bracket_id)
        _note(changes, actor, correction, (before, result), now)
        return correction


def _cancel(now: Preview, correction: Correction) -> list[int]:
    """Takes back the results and matches that cannot stand; returns their pairings."""
    rows = Pairing.objects.filter(pk__in=now.found.cancelled).select_related("match", "round__bracket")
    cancelled = list(rows)
    correction.cancelled = [
        {"pairing": row.pk, "match": str(row.match_id), "state": row.match.state}
        for row in cancelled
        if row.match is not None
    ]
    correction.save(update_fields=["cancelled"])
    decided = now.sheet.facts.decisions
    for row in cancelled:
        if row.pk in decided:
            posting.replace(row, Posting(ResultKind.RETRACTED, None, match=row.match), correction)
    scorecard.cancel(row.match for row in cancelled if row.match is not None)
    Pairing.objects.filter(pk__in=[row.pk for row in cancelled]).update(match=None)
    return [row.pk for row in cancelled]


def _rewrite(pairing: Pairing, change: Change, correction: Correction) -> Result:
    match = scorecard.lock(pairing.match_id) if pairing.match_id else None
    card = _card(match, change)
    written = Posting(
        change.kind, change.winner, change.left_points, change.right_points, card=card, match=match
    )
    return posting.replace(pairing, written, correction)


def _card(match: Match | None, change: Change) -> Card | None:
    """The desk's card with the corrected score, for a result that was played."""
    if match is None or change.kind != ResultKind.PLAYED or change.points is None:
        return None
    card = scorecard.rewrite(match, FinalScore(*change.points))
    if (match.left if card.winner == "left" else match.right) != change.winner:
        raise Refused("score-other-winner", "This score is won by the other player. Check winner and score.")
    return card


def _keep(now: Preview, correction: Correction) -> None:
    known = now.sheet.facts.kept
    KeptSeat.objects.bulk_create(
        KeptSeat(pairing_id=key, seat=seat.value, entry_id=entry, correction=correction)
        for (key, seat), entry in now.found.facts.kept.items()
        if (key, seat) not in known
    )


def _note(
    changes: Changes,
    actor: Actor,
    correction: Correction,
    results: tuple[Result, Result],
    now: Preview,
) -> None:
    before, after = (
        {"kind": str(one.kind), "winner": one.winner_id, "left": one.left_points, "right": one.right_points}
        for one in results
    )
    kept = [one.key for one in now.affected if one.treatment == Treatment.KEEP]
    more = {"correction": correction.pk, "cancelled": list(now.found.cancelled), "kept": kept}
    deed = Deed(
        "correct with consequences", "pairing", correction.pairing_id, before, after | more, correction.reason
    )
    journal.write(changes.tournament, actor, deed)
