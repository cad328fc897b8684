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
from matches.statements import RowInsert
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
from tournament.results.locking import Seats, seats_of
from tournament.runtime.errors import NotFound, Refused

FACTS = (
    "pairing_id", "kind", "left_id", "right_id", "winner_id", "left_points", "right_points", "match_id", "card_id",
)  # fmt: skip

Number = TypeVar("Number", int, int | None)
_result_insertion = RowInsert(Result)


@dataclass(frozen=True, slots=True)
class Posting:
    """A result to post. `winner` is an entry's id; None if both lost or the result is retracted.

    With a `card` the points are by the sides of the match. `match` is locked. `seats` are set if they were already
    read under the locks.
    """

    kind: ResultKind
    winner: uuid.UUID | None
    left_points: int | None = None
    right_points: int | None = None
    card: Card | None = None
    match: Match | None = None
    confirmed_by: str = ConfirmedBy.DESK
    seats: Seats | None = None


def load_pairing(pairing_id: int) -> Pairing:
    """The pairing with match, round, bracket, tournament and event. Raises NotFound."""
    pairings = Pairing.objects.select_related("match", "round__bracket__tournament__event")
    pairing = pairings.filter(pk=pairing_id).first()
    if pairing is None:
        raise NotFound
    return pairing


def post(
    locked: LockedTournament, pairing: Pairing, posting: Posting, actor: Actor, reason: str = ""
) -> Result:
    """Posts the first result of a pairing; a worker advances the players. Raises Refused if one is posted."""
    seats = posting.seats or seats_of(pairing.pk)
    current = Result.objects.get(pk=seats.result_id) if seats.result_id else None
    if current is not None and current.kind != ResultKind.RETRACTED:
        raise stale_decisions.posted_already(pairing, current)
    result = _write(pairing, seats, posting, current)
    locked.advance_later(result.pk)
    _update_match(locked, posting, seats, result, actor, reason)
    _write_journal(locked, actor, "post result", result, current, reason)
    return result


def correct(
    locked: LockedTournament, pairing: Pairing, posting: Posting, actor: Actor, reason: str = ""
) -> Result:
    """Replaces the posted result and advances at once. Raises Refused if a player's next match has begun."""
    current = require_current_result(pairing.pk)
    _refuse_if_next_match_began(pairing)
    seats = seats_of(pairing.pk)
    result = _write(pairing, seats, posting, current)
    with no_double_entry(locked.tournament):
        _advance_in_transaction(locked, pairing, result)
    _update_match(locked, posting, seats, result, actor, reason)
    _write_journal(locked, actor, "correct result", result, current, reason)
    return result


def retract(
    locked: LockedTournament,
    pairing: Pairing,
    reason: str,
    actor: Actor,
    expected: ExpectedResult | None = None,
) -> None:
    """Retracts the posted result and reopens the match. `expected` as in `award`.

    Raises Refused as `correct` does, and if a later round was paired from this result.
    """
    stale_decisions.refuse_if_result_changed(pairing, current_results([pairing.pk]).get(pairing.pk), expected)
    current = require_current_result(pairing.pk)
    _refuse_if_next_match_began(pairing)
    _refuse_if_next_round_paired(pairing)
    match = scorecard.lock(current.match_id) if current.match_id else None
    posting = Posting(ResultKind.RETRACTED, None, match=match, card=current.card)
    result = _write(pairing, seats_of(pairing.pk), posting, current)
    if match is not None:
        scorecard.reopen(match)
    with no_double_entry(locked.tournament):
        _advance_in_transaction(locked, pairing, result)
    locked.touch(pairing.round.bracket_id)
    _write_journal(locked, actor, "take result back", result, current, reason)


def award(
    locked: LockedTournament,
    pairing: Pairing,
    new_award: Award,
    actor: Actor,
    reason: str = "",
    expected: ExpectedResult | None = None,
) -> Result:
    """Posts a result that was not played to its end, or corrects the posted one to it.

    Raises Refused when the current result is not the expected one.
    """
    pairing = load_pairing(pairing.pk)
    awards.refuse_invalid(pairing, new_award)
    current = current_results([pairing.pk]).get(pairing.pk)
    stale_decisions.refuse_if_result_changed(pairing, current, expected)
    match = scorecard.lock(pairing.match_id) if pairing.match_id else None
    left, right = new_award.points or (None, None)
    posting = Posting(new_award.kind, new_award.winner, left, right, match=match)
    if current is None or current.kind == ResultKind.RETRACTED:
        result = post(locked, pairing, posting, actor, reason)
    else:
        result = correct(locked, pairing, posting, actor, reason)
    if pairing.settled and result.advanced_at is None:
        # A withdrawal decided this pairing, and the winner may have played on since.
        _advance_in_transaction(locked, pairing, result)
    return result


def replace(pairing: Pairing, posting: Posting, correction: Correction) -> Result:
    """Supersedes the posted result as part of a correction. The correction advances the players."""
    result = _write(pairing, seats_of(pairing.pk), posting, require_current_result(pairing.pk))
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
    result = current_results([pairing_id]).get(pairing_id)
    if result is None or result.kind == ResultKind.RETRACTED:
        raise Refused(NOTHING_POSTED)
    return result


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


def _write(pairing: Pairing, seats: Seats, posting: Posting, supersedes: Result | None) -> Result:
    left, right = seats.left, seats.right
    if (
        not left
        or not right
        or (posting.match and {left, right} != {posting.match.left, posting.match.right})
    ):
        raise Refused(PLAYERS_CHANGED)
    points = posting.left_points, posting.right_points
    if posting.card is not None and posting.match is not None:
        points = points_by_side(posting.match, left, points)
    result = Result(
        pairing=pairing,
        kind=posting.kind,
        left_id=left,
        right_id=right,
        winner_id=posting.winner,
        left_points=points[0],
        right_points=points[1],
        match=posting.match,
        card=posting.card,
        confirmed_by=posting.confirmed_by,
        supersedes=supersedes,
        posted_at=timezone.now(),
    )
    _result_insertion.write(result)
    return result


def points_by_side(
    match: Match, left: uuid.UUID | None, points: tuple[Number, Number]
) -> tuple[Number, Number]:
    """Converts points between the seats of a pairing and the sides of its match, in either direction.

    The match keeps the sides on which it was opened; the players may have changed seats since.
    """
    return points if match.left == left else (points[1], points[0])


def _advance_in_transaction(locked: LockedTournament, pairing: Pairing, result: Result) -> None:
    """Advances in this transaction, so that a conflict refuses the whole change."""
    advance_from(locked, [load_pairing(pairing.pk)])
    result.advanced_at = timezone.now()
    result.save(update_fields=["advanced_at"])


def _update_match(
    locked: LockedTournament, posting: Posting, seats: Seats, result: Result, actor: Actor, reason: str
) -> None:
    locked.touch(result.pairing.round.bracket_id)
    if posting.match is not None:
        was_disputed = posting.match.state == MatchState.DISPUTED
        apply_to_match(posting.match, result)
        if seats.is_called:
            locked.ended_matches.add(posting.match.pk)
        if was_disputed:
            questions.close_with_ruling(
                posting.match, questions.RulingText(reason, ""), _ruling_detail(result), actor
            )


def _ruling_detail(result: Result) -> dict[str, object]:
    """The posted result in the form in which a ruling is stored."""
    is_played = result.kind == ResultKind.PLAYED
    detail: dict[str, object] = (
        {"decision": "score"} if is_played else {"decision": "award", "kind": str(result.kind)}
    )
    return detail | {"left": result.left_points, "right": result.right_points}


def _write_journal(
    locked: LockedTournament, actor: Actor, verb: str, result: Result, before: Result | None, reason: str
) -> None:
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
