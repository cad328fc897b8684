"""Records rows of score cards, confirms reports, and posts, corrects and retracts results.

`brackets.advancing` moves the players; `matches.scorecard` writes the cards. A player's row locks only its match.
Posting takes the tournament's lock first.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from matches import scorecard
from matches.card_refusals import CardClosed, CardConflict
from matches.keepers import Keeper
from matches.locking import lock_match
from matches.models import Card, Match, MatchState
from matches.rows import FinalScore, NewRow
from matches.scorecard import WriteResult
from tournament.access.actors import SYSTEM, Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.live import channels, journal
from tournament.live.journal import JournalEntry
from tournament.models import Pairing, Question, Result, ResultKind, Tournament
from tournament.models.desk import ConfirmedBy
from tournament.occupancy import releasing
from tournament.refusals.cards import (
    CARD_CHANGED_SINCE,
    CONFIRMATION_FINAL,
    GAMES_WANTED,
    NOTHING_REPORTED,
    OWN_CARD_WANTED,
    OWN_REPORT,
)
from tournament.refusals.desk import DESK_CARD_BEGUN
from tournament.refusals.disputes import DISPUTED
from tournament.results import posting, questions, stale_decisions
from tournament.results.awards import Award, ExpectedResult
from tournament.results.locking import LockedPairing, lock_match_of, lock_pairing, match_id_of
from tournament.results.posting import Posting
from tournament.runtime.errors import Refused

UNDO_CONFIRMATION = timedelta(minutes=2)
LATE_ROW = gettext_noop(
    "The result was posted before this arrived. The desk has what you sent and will look at it."
)


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """The row was written, or it arrived after posting and became a question at the desk (`LATE_ROW`)."""

    written: WriteResult | None = None
    question: Question | None = None


def enter(pairing: Pairing, keeper: Keeper, writing: NewRow, actor: Actor) -> RowOutcome:
    """Writes a row on the actor's own card. Raises the errors of `scorecard.write`.

    A player's row that arrives after the result was posted changes nothing and opens a question at the desk.
    """
    if keeper is Keeper.DESK:
        return enter_at_desk(pairing, keeper, writing, actor)
    tournament = pairing.round.bracket.tournament
    try:
        with transaction.atomic():
            locked_match = lock_match(match_id_of(pairing))
            if isinstance(writing.content, FinalScore) and not (
                tournament.final_score_allowed or _is_answer(tournament, locked_match.match, keeper)
            ):
                raise Refused(GAMES_WANTED)
            begins = not locked_match.match.has_begun
            written = scorecard.write(locked_match, keeper, writing, by=keeper)
            releasing.note_first_game(written)
            transaction.on_commit(lambda: channels.publish_score(pairing, begins=begins), robust=True)
    except CardClosed as closed:
        if closed.match.state != MatchState.POSTED:
            raise
        question = questions.open_for_late_row(tournament, closed.match, keeper, writing, actor)
        channels.publish_score(pairing)
        return RowOutcome(question=question)
    if written.card.is_complete and (tournament.two_cards or written.match.reported_by != keeper.value):
        settle_report(pairing)
    return RowOutcome(written=written)


def _is_answer(tournament: Tournament, match: Match, keeper: Keeper) -> bool:
    """True if the opponent's card alone reports a result: a final score then says what is right instead."""
    is_reported_by_other = match.state == MatchState.REPORTED and match.reported_by != keeper.value
    return is_reported_by_other and not tournament.two_cards


def settle_report(pairing: Pairing) -> None:
    """Posts a report if both players' cards agree. If they differ, opens a question at the desk.

    With two required cards no question opens: a player adopts the opponent's card or asks the desk.
    """
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match, cards = locked_match.match, locked_match.cards
        left, right = cards.get(Keeper.LEFT), cards.get(Keeper.RIGHT)
        if match.state != MatchState.REPORTED or not (
            left and right and left.is_complete and right.is_complete
        ):
            return
        if left.agrees_with(right):
            second = Keeper(match.reported_by).side
            confirmed_by = second.other.value if second else ConfirmedBy.DESK
            basis = cards[Keeper(match.reported_by)]
            posting.post(locked, locked_pairing, posting_for_card(match, basis, confirmed_by), SYSTEM)
            return
        if not locked.tournament.two_cards and questions.open_for_different_cards(
            locked.tournament, match, (left.tail, right.tail)
        ):
            scorecard.set_state(match, MatchState.DISPUTED)
            locked.touch_match(locked_pairing.pairing)


def confirm(pairing: Pairing, keeper: Keeper, tail: uuid.UUID | None, actor: Actor) -> Match:
    """Posts the reported card for the other side or the desk. `tail` is the last row that they saw.

    Idempotent. Raises Refused for one's own report, for a changed card, and if nothing is reported.
    """
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match, cards = locked_match.match, locked_match.cards
        if match.state == MatchState.POSTED:
            return match
        card = _reported_card(match, cards)
        if keeper.value == match.reported_by:
            raise Refused(OWN_REPORT)
        if tail is not None and card.tail != tail:
            raise Refused(CARD_CHANGED_SINCE)
        if locked.tournament.two_cards and keeper.side:
            _refuse_without_own_card(cards.get(keeper), card)
        posting.post(locked, locked_pairing, posting_for_card(match, card, keeper.value), actor)
        return match


def undo_confirmation(pairing: Pairing, keeper: Keeper, actor: Actor) -> None:
    """Retracts the result that this player confirmed: the report waits for an answer again.

    Raises Refused if the player did not confirm it, later than UNDO_CONFIRMATION, and like `retract`.
    """
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        result = posting.require_posted_result(locked_pairing)
        own = locked_match.cards.get(keeper)
        if not may_undo_confirmation(result, keeper, is_own_card_complete=bool(own and own.is_complete)):
            raise Refused(CONFIRMATION_FINAL)
        posting.retract(locked, locked_pairing, "", actor)


def may_undo_confirmation(result: Result, keeper: Keeper, *, is_own_card_complete: bool) -> bool:
    """A complete card of the player's own would confirm the report again at once."""
    is_recent = timezone.now() - result.posted_at <= UNDO_CONFIRMATION
    is_own = result.kind == ResultKind.PLAYED and result.confirmed_by == keeper.value
    return is_recent and is_own and not is_own_card_complete


def confirm_by_timeout(pairing: Pairing) -> None:
    """Posts a report that nobody contested in time. Skips a report that was renewed since `pairing` was loaded."""
    seen_at = pairing.match.reported_at if pairing.match else None
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        if match.reported_at != seen_at:
            return
        card = _reported_card(match, locked_match.cards)
        posting.post(locked, locked_pairing, posting_for_card(match, card, ConfirmedBy.TIMEOUT), SYSTEM)


def enter_at_desk(pairing: Pairing, keeper: Keeper, writing: NewRow, actor: Actor) -> RowOutcome:
    """Writes a row of the desk on any card of the match.

    A card that becomes complete is posted at once. On a posted match the row corrects the result, or retracts it if
    the card no longer ends the match. Raises Refused if that would change a match that has begun, and for a row that
    supersedes none once a result is posted.
    """
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        was_posted, begins = match.state == MatchState.POSTED, not match.has_begun
        try:
            written = scorecard.write(locked_match, keeper, writing, by=Keeper.DESK)
        except CardConflict:
            stale_decisions.refuse_if_posted(pairing)
            raise
        locked.touch_match(locked_pairing.pairing, begins=begins)
        if written.is_repeat:
            return RowOutcome(written=written)
        if was_posted and writing.supersedes is None:
            stale_decisions.refuse_if_posted(pairing)
        journal_entry = JournalEntry("write on card", "match", match.pk, after=_score_json(written.card))
        journal.write(locked.tournament, actor, journal_entry)
        releasing.note_first_game(written)
        if was_posted:
            _update_posted_result(locked, locked_pairing, written, actor)
        elif written.card.is_complete:
            posting.post(
                locked, locked_pairing, posting_for_card(match, written.card, Keeper.DESK.value), actor
            )
        return RowOutcome(written=written)


def enter_final_score(pairing: Pairing, key: uuid.UUID, score: FinalScore, actor: Actor) -> RowOutcome:
    """Writes a final score as the first row of the desk's own card. Idempotent by key.

    Raises Refused if the desk has a card already, and like `enter_at_desk`.
    """
    try:
        new_row = NewRow(key, match_id_of(pairing), score)
        return enter_at_desk(pairing, Keeper.DESK, new_row, actor)
    except CardConflict:
        raise Refused(DESK_CARD_BEGUN) from None


def award(  # noqa: PLR0913 (what is awarded, and what it rests on)
    pairing: Pairing,
    winner: uuid.UUID | None,
    kind: str,
    reason: str,
    actor: Actor,
    points: tuple[int, int] | None = None,
    *,
    expected: ExpectedResult | None = None,
) -> None:
    """Posts a result that was not played to its end; `awards` validates it.

    `points` are left and right. Raises Refused if the current result is not the expected one.
    """
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        locked_pairing = lock_pairing(locked, pairing)
        posting.award(
            locked, locked_pairing, Award(ResultKind(kind), winner, points), actor, reason, expected
        )


def retract(pairing: Pairing, reason: str, actor: Actor, *, expected: ExpectedResult | None = None) -> None:
    """Retracts a posted result. Raises Refused if that would change a match that has begun."""
    with advancing.lock_tournament(_tournament_id(pairing)) as locked:
        posting.retract(locked, lock_pairing(locked, pairing), reason, actor, expected)


def _update_posted_result(
    locked: LockedTournament, locked_pairing: LockedPairing, written: WriteResult, actor: Actor
) -> None:
    if written.card.is_complete:
        new_posting = posting_for_card(written.match, written.card, Keeper.DESK.value)
        posting.correct(locked, locked_pairing, new_posting, actor)
    else:
        posting.retract(locked, locked_pairing, "", actor)


def posting_for_card(match: Match, card: Card, confirmed_by: str) -> Posting:
    return Posting(
        kind=ResultKind.PLAYED,
        winner=match.left if card.winner == "left" else match.right,
        left_points=card.left_points,
        right_points=card.right_points,
        card=card,
        confirmed_by=confirmed_by,
    )


def _score_json(card: Card) -> dict[str, object]:
    return {
        "card": card.keeper,
        "left": card.left_points,
        "right": card.right_points,
        "rows": card.rows_written,
    }


def _refuse_without_own_card(own: Card | None, reported: Card) -> None:
    if own is None or not own.is_complete or not own.agrees_with(reported):
        raise Refused(OWN_CARD_WANTED)


def _reported_card(match: Match, cards: Mapping[Keeper, Card]) -> Card:
    if match.state == MatchState.DISPUTED:
        raise Refused(DISPUTED)
    card = cards.get(Keeper(match.reported_by)) if match.reported_by else None
    if match.state != MatchState.REPORTED or card is None:
        raise Refused(NOTHING_REPORTED)
    return card


def _tournament_id(pairing: Pairing) -> uuid.UUID:
    tournament: Tournament = pairing.round.bracket.tournament
    return tournament.pk
