"""Posts results, the facts that advance players. The only module that writes a result.

Called by the desk inside `lock_tournament`, after the match's lock if there is a match. A result is never overwritten:
a correction supersedes it.
"""

import uuid
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Q, Subquery
from django.utils import timezone

from matches import scorecard
from matches.models import Card, Match, MatchState
from tournament.access.actors import Actor
from tournament.brackets.advancing import LockedTournament, advance_from
from tournament.brackets.double_entries import no_double_entry
from tournament.brackets.states import current_results
from tournament.draw.formats import Format
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Correction, Pairing, Result, ResultKind, Shape
from tournament.models.desk import ConfirmedBy
from tournament.refusals.results import (
    NEXT_MATCH_HAS_BEGUN,
    NEXT_ROUND_PAIRED,
    NOTHING_POSTED,
    PLAYERS_CHANGED,
)
from tournament.results import awards, questions, stale_decisions
from tournament.results.awards import Award, ExpectedResult
from tournament.results.locking import LockedPairing
from tournament.runtime.errors import NotFound, Refused

FACTS = (
    "pairing_id", "kind", "left_id", "right_id", "winner_id", "left_points", "right_points", "match_id", "card_id",
)  # fmt: skip

Number = TypeVar("Number", int, int | None)


@dataclass(frozen=True, slots=True)
class Posting:
    """A result to post. `winner` is an entry's id; None if both lost or the result is retracted.

    With a `card` the points are by the sides of the match.
    """

    kind: ResultKind
    winner: uuid.UUID | None
    left_points: int | None = None
    right_points: int | None = None
    card: Card | None = None
    confirmed_by: str = ConfirmedBy.DESK


def load_pairing(pairing_id: int) -> Pairing:
    """The pairing with match, round, bracket, tournament and event. Raises NotFound."""
    pairings = Pairing.objects.select_related("match", "round__bracket__tournament__event")
    pairing = pairings.filter(pk=pairing_id).first()
    if pairing is None:
        raise NotFound
    return pairing


def post(
    locked: LockedTournament, locked_pairing: LockedPairing, posting: Posting, actor: Actor, reason: str = ""
) -> Result:
    """Posts the first result of a pairing; a worker advances the players. Raises Refused if one is posted."""
    if locked_pairing.posted_result is not None:
        raise stale_decisions.posted_already(locked_pairing.pairing, locked_pairing.posted_result)
    result = _write(locked_pairing, posting)
    locked.advance_later(result.pk)
    _update_match(locked, locked_pairing, result, actor, reason)
    _write_journal(locked, actor, "post result", result, reason)
    return result


def correct(
    locked: LockedTournament, locked_pairing: LockedPairing, posting: Posting, actor: Actor, reason: str = ""
) -> Result:
    """Replaces the posted result and advances at once. Raises Refused if a player's next match has begun."""
    require_posted_result(locked_pairing)
    _refuse_if_next_match_began(locked_pairing.pairing)
    result = _write(locked_pairing, posting)
    with no_double_entry(locked.tournament):
        _advance_in_transaction(locked, locked_pairing.pairing, result)
    _update_match(locked, locked_pairing, result, actor, reason)
    _write_journal(locked, actor, "correct result", result, reason)
    return result


def retract(
    locked: LockedTournament,
    locked_pairing: LockedPairing,
    reason: str,
    actor: Actor,
    expected: ExpectedResult | None = None,
) -> None:
    """Retracts the posted result and reopens the match. `expected` as in `award`.

    Raises Refused as `correct` does, and if a later round was paired from this result.
    """
    pairing = locked_pairing.pairing
    stale_decisions.refuse_if_result_changed(pairing, locked_pairing.posted_result, expected)
    current = require_posted_result(locked_pairing)
    _refuse_if_next_match_began(pairing)
    _refuse_if_next_round_paired(pairing)
    result = _write(locked_pairing, Posting(ResultKind.RETRACTED, None, card=current.card))
    if locked_pairing.match is not None:
        scorecard.reopen(locked_pairing.match)
    with no_double_entry(locked.tournament):
        _advance_in_transaction(locked, pairing, result)
    locked.touch(pairing.round.bracket_id)
    _write_journal(locked, actor, "take result back", result, reason)


def award(
    locked: LockedTournament,
    locked_pairing: LockedPairing,
    new_award: Award,
    actor: Actor,
    reason: str = "",
    expected: ExpectedResult | None = None,
) -> Result:
    """Posts a result that was not played to its end, or corrects the posted one to it.

    Raises Refused when the current result is not the expected one.
    """
    pairing, current = locked_pairing.pairing, locked_pairing.posted_result
    awards.refuse_invalid(pairing, new_award)
    stale_decisions.refuse_if_result_changed(pairing, current, expected)
    posting = Posting(new_award.kind, new_award.winner, *(new_award.points or (None, None)))
    if current is None:
        result = post(locked, locked_pairing, posting, actor, reason)
    else:
        result = correct(locked, locked_pairing, posting, actor, reason)
    if pairing.settled and result.advanced_at is None:
        # A withdrawal decided this pairing, and the winner may have played on since.
        _advance_in_transaction(locked, pairing, result)
    return result


def replace(locked_pairing: LockedPairing, posting: Posting, correction: Correction) -> Result:
    """Supersedes the posted result as part of a correction. The correction advances the players."""
    require_posted_result(locked_pairing)
    result = _write(locked_pairing, posting)
    _assign_to_correction(result, correction)
    return result


def restore(result: Result, correction: Correction) -> Result:
    """Posts the facts that `correction` superseded again, as a new row."""
    restored = Result.objects.create(
        **{name: getattr(result, name) for name in FACTS},
        confirmed_by=result.confirmed_by,
        supersedes=current_results([result.pairing_id])[result.pairing_id],
        posted_at=timezone.now(),
    )
    _assign_to_correction(restored, correction)
    return restored


def apply_to_match(match: Match, result: Result) -> None:
    """Writes the points and the winner of this result to the match."""
    left, right = points_by_side(match, result.left_id, (result.left_points, result.right_points))
    points = None if left is None or right is None else (left, right)
    scorecard.post(match, match.side_of(result.winner_id) if result.winner_id else None, points)


def has_same_facts(result: Result, other: Result) -> bool:
    """Compares the facts of two results of a pairing."""
    return all(getattr(result, name) == getattr(other, name) for name in FACTS)


def _assign_to_correction(result: Result, correction: Correction) -> None:
    result.correction, result.advanced_at = correction, timezone.now()
    result.save(update_fields=["correction", "advanced_at"])


def require_current_result(pairing_id: int) -> Result:
    """The current result. Raises Refused if no result is posted."""
    return _require(current_results([pairing_id]).get(pairing_id))


def find_current_result(pairing_id: int) -> Result | None:
    """The current result; None if no result is posted."""
    result = current_results([pairing_id]).get(pairing_id)
    return None if result is None or result.kind == ResultKind.RETRACTED else result


def _require(result: Result | None) -> Result:
    if result is None or result.kind == ResultKind.RETRACTED:
        raise Refused(NOTHING_POSTED)
    return result


def require_posted_result(locked_pairing: LockedPairing) -> Result:
    """The posted result of a locked pairing. Raises Refused if there is none."""
    return _require(locked_pairing.posted_result)


def _refuse_if_next_match_began(pairing: Pairing) -> None:
    """Raises Refused if a later match has begun: only a correction with consequences can change this result."""
    first = Result.objects.filter(pairing=pairing, supersedes__isnull=True).values("posted_at")
    bracket = pairing.round.bracket
    seats_of_players = Q(match__left__in=(pairing.left_id, pairing.right_id)) | Q(
        match__right__in=(pairing.left_id, pairing.right_id)
    )
    later = Pairing.objects.filter(seats_of_players, match__began_at__gt=Subquery(first)).exclude(
        pk=pairing.pk
    )
    if later.filter(Q(round__bracket=bracket) | Q(round__bracket__jackpot__isnull=True)).exists():
        raise Refused(NEXT_MATCH_HAS_BEGUN)


def _refuse_if_next_round_paired(pairing: Pairing) -> None:
    """Raises Refused if the next round is paired: a reopened match would give a player two open matches."""
    later = Pairing.objects.filter(
        Q(left__in=(pairing.left_id, pairing.right_id)) | Q(right__in=(pairing.left_id, pairing.right_id)),
        round__bracket=pairing.round.bracket,
        round__number__gt=pairing.round.number,
        settled="",
    )
    bracket = pairing.round.bracket
    is_growing = Format.from_json(bracket.tournament.format).is_growing and bracket.shape == Shape.TABLE
    if not is_growing or not later.exists():
        return
    raise Refused(
        NEXT_ROUND_PAIRED, round=later.order_by("-round__number").values_list("round__number", flat=True)[0]
    )


def _write(locked_pairing: LockedPairing, posting: Posting) -> Result:
    """Stores a result that supersedes the newest one of the pairing."""
    pairing, match = locked_pairing.pairing, locked_pairing.pairing.match
    left, right = pairing.left_id, pairing.right_id
    if not left or not right or (match and {left, right} != {match.left, match.right}):
        raise Refused(PLAYERS_CHANGED)
    points = posting.left_points, posting.right_points
    if posting.card is not None and match is not None:
        points = points_by_side(match, left, points)
    return Result.objects.create(
        pairing=pairing,
        kind=posting.kind,
        left_id=left,
        right_id=right,
        winner_id=posting.winner,
        left_points=points[0],
        right_points=points[1],
        match=match,
        card=posting.card,
        confirmed_by=posting.confirmed_by,
        supersedes=locked_pairing.newest_result,
        posted_at=timezone.now(),
    )


def points_by_side(
    match: Match, left: uuid.UUID | None, points: tuple[Number, Number]
) -> tuple[Number, Number]:
    """Converts points between the seats of a pairing and the sides of its match, in either direction.

    The match keeps the sides on which it was opened; the players may have changed seats since.
    """
    return points if match.left == left else (points[1], points[0])


def _advance_in_transaction(locked: LockedTournament, pairing: Pairing, result: Result) -> None:
    """Advances in this transaction, so that a conflict refuses the whole change."""
    advance_from(locked, [pairing])
    result.advanced_at = timezone.now()
    result.save(update_fields=["advanced_at"])


def _update_match(
    locked: LockedTournament, locked_pairing: LockedPairing, result: Result, actor: Actor, reason: str
) -> None:
    locked.touch(locked_pairing.pairing.round.bracket_id)
    if locked_pairing.match is None:
        return
    match = locked_pairing.match.match
    was_disputed = match.state == MatchState.DISPUTED
    apply_to_match(match, result)
    locked.ended_matches.add(match.pk)
    if was_disputed:
        ruling = questions.RulingText(reason, "")
        questions.close_with_ruling(match, ruling, _ruling_detail(result), actor)


def _ruling_detail(result: Result) -> dict[str, object]:
    """The posted result in the form in which a ruling is stored."""
    is_played = result.kind == ResultKind.PLAYED
    detail: dict[str, object] = (
        {"decision": "score"} if is_played else {"decision": "award", "kind": str(result.kind)}
    )
    return detail | {"left": result.left_points, "right": result.right_points}


def _write_journal(locked: LockedTournament, actor: Actor, verb: str, result: Result, reason: str) -> None:
    before = result.supersedes
    journal_entry = JournalEntry(
        verb,
        "pairing",
        result.pairing_id,
        before=_facts_json(before) if before else {},
        after=_facts_json(result),
        reason=reason,
    )
    journal.write(locked.tournament, actor, journal_entry)


def _facts_json(result: Result) -> dict[str, object]:
    return {
        "kind": str(result.kind),
        "winner": str(result.winner_id) if result.winner_id else None,
        "left": result.left_points,
        "right": result.right_points,
        "confirmed_by": str(result.confirmed_by),
    }
