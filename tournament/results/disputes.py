"""Disputes: a player asks the desk to decide, with a note and photos, and the desk rules.

While a dispute is open only the desk can post the result. The players can still write on their cards, so no game is
lost. The ruling is stored in the question and is made once.
"""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from matches import desk_card, scorecard
from matches.keepers import Keeper
from matches.locking import LockedMatch
from matches.models import Card, Match, MatchState
from matches.rows import FinalScore
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Evidence, Pairing, Question
from tournament.models.desk import QuestionKind
from tournament.refusals.cards import CARD_CHANGED_SINCE, MATCH_CANCELLED
from tournament.refusals.disputes import (
    CARD_INCOMPLETE,
    DISPUTE_AFTER_POSTING,
    FINAL_SCORE_WANTED,
    NO_OPEN_DISPUTE,
    NO_OWN_DISPUTE,
    NOTHING_TO_DECIDE,
    PHOTOS_ENOUGH,
    RULING_TEXT_WANTED,
)
from tournament.results import desk, posting, questions
from tournament.results.locking import LockedPairing, lock_match_of
from tournament.results.photos import photo_as_jpeg
from tournament.runtime import storage_quota
from tournament.runtime.errors import Refused

MOST_PHOTOS = 4
"""From each side, with one dispute."""


class Decision(StrEnum):
    """The effect of a ruling: one card is valid, a score is set, or play continues."""

    CARD = "card"
    SCORE = "score"
    PLAY_ON = "play_on"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The desk's decision in words. `rule` is the id of a rule or free text.

    `keeper` names the valid card and `tail` the last row of it that the desk saw. `score` is left and right.
    """

    text: str
    decision: Decision = Decision.CARD
    rule: str = ""
    keeper: Keeper | None = None
    tail: uuid.UUID | None = None
    score: tuple[int, int] | None = None

    @classmethod
    def for_card(cls, keeper: Keeper, text: str) -> "Ruling":
        return cls(text, keeper=keeper)


def open_dispute(pairing: Pairing, keeper: Keeper, note: str, actor: Actor, photo: bytes = b"") -> Question:
    """Opens a dispute, or returns the player's open one. The result waits for the desk.

    Raises Refused for an invalid photo, for a posted result and for a cancelled match.
    """
    jpeg = photo_as_jpeg(photo) if photo else b""
    storage_quota.refuse_beyond_limit(pairing.round.bracket.tournament.event, len(jpeg))
    with advancing.lock_tournament(pairing.round.bracket.tournament.pk) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        _refuse_when_over(match)
        question = _own_question(match, keeper) or questions.open_for_dispute(
            locked.tournament, match, keeper, note, actor
        )
        if jpeg:
            _store_photo(locked, question, keeper, jpeg, actor)
        scorecard.set_state(match, MatchState.DISPUTED)
        locked.touch_match(locked_pairing.pairing)
        return question


def add_photo(pairing: Pairing, keeper: Keeper, data: bytes, actor: Actor) -> Evidence:
    """Adds a photo to an open dispute. Idempotent for the same file. Raises Refused if no dispute is open."""
    jpeg = photo_as_jpeg(data)
    storage_quota.refuse_beyond_limit(pairing.round.bracket.tournament.event, len(jpeg))
    with advancing.lock_tournament(pairing.round.bracket.tournament.pk) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        question = _own_question(match, keeper) or _open_questions(match).first()
        if question is None or match.state != MatchState.DISPUTED:
            raise Refused(NO_OPEN_DISPUTE)
        evidence = _store_photo(locked, question, keeper, jpeg, actor)
        scorecard.set_state(match, MatchState.DISPUTED)
        locked.touch_match(locked_pairing.pairing)
        return evidence


def withdraw_dispute(pairing: Pairing, keeper: Keeper, actor: Actor) -> None:
    """Withdraws a player's own dispute. If no other is open, the state of the match follows from its cards.

    Raises Refused if the player has no open dispute.
    """
    with advancing.lock_tournament(pairing.round.bracket.tournament.pk) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        question = _own_question(match, keeper)
        if question is None:
            raise Refused(NO_OWN_DISPUTE)
        questions.withdraw(question)
        journal.write(locked.tournament, actor, JournalEntry("take dispute back", "match", match.pk))
        if not _open_questions(match).exists():
            scorecard.reopen(locked_match)
        else:
            scorecard.set_state(match, MatchState.DISPUTED)
        locked.touch_match(locked_pairing.pairing)
    desk.settle_report(pairing)


def rule(pairing: Pairing, ruling: Ruling, actor: Actor) -> None:
    """Carries out the desk's ruling.

    Raises Refused if nothing is disputed or reported, if the card changed or does not end the match, and for an empty
    text. Raises RuleBroken for an impossible score.
    """
    if not ruling.text.strip():
        raise Refused(RULING_TEXT_WANTED)
    with advancing.lock_tournament(pairing.round.bracket.tournament.pk) as locked:
        locked_pairing, locked_match = lock_match_of(locked, pairing)
        match = locked_match.match
        if match.state not in (MatchState.DISPUTED, MatchState.REPORTED):
            raise Refused(NOTHING_TO_DECIDE)
        detail = _ruling_detail(locked_match, ruling)
        ruling_text = questions.RulingText(ruling.text.strip(), ruling.rule.strip())
        questions.store_ruling(locked.tournament, match, ruling_text, detail, actor)
        journal_entry = JournalEntry("rule", "match", match.pk, after=dict(detail), reason=ruling.text[:200])
        journal.write(locked.tournament, actor, journal_entry)
        _carry_out(locked, locked_pairing, locked_match, ruling, actor)


def _carry_out(
    locked: LockedTournament,
    locked_pairing: LockedPairing,
    locked_match: LockedMatch,
    ruling: Ruling,
    actor: Actor,
) -> None:
    if ruling.decision is Decision.PLAY_ON:
        scorecard.reopen(locked_match)
        locked.touch_match(locked_pairing.pairing)
        return
    if ruling.decision is Decision.SCORE and ruling.score is not None:
        card = desk_card.set_final_score(locked_match, FinalScore(*ruling.score))
    else:
        card = _ruled_card(locked_match, ruling)
    ruled = desk.posting_for_card(locked_match.match, card, Keeper.DESK.value)
    posting.post(locked, locked_pairing, ruled, actor, ruling.text[:200])


def _ruling_detail(locked_match: LockedMatch, ruling: Ruling) -> Mapping[str, Any]:
    """The ruling as stored in the question. Raises Refused if it is not possible."""
    detail: dict[str, Any] = {"decision": ruling.decision.value, "rule": ruling.rule}
    if ruling.decision is Decision.PLAY_ON:
        return detail
    if ruling.decision is Decision.SCORE:
        if ruling.score is None:
            raise Refused(FINAL_SCORE_WANTED)
        return detail | {"left": ruling.score[0], "right": ruling.score[1]}
    card = _ruled_card(locked_match, ruling)
    return detail | {"card": card.keeper, "left": card.left_points, "right": card.right_points}


def _ruled_card(locked_match: LockedMatch, ruling: Ruling) -> Card:
    card = locked_match.cards.get(ruling.keeper) if ruling.keeper else None
    if card is None or not card.is_complete:
        raise Refused(CARD_INCOMPLETE)
    if ruling.tail is not None and card.tail != ruling.tail:
        raise Refused(CARD_CHANGED_SINCE)
    return card


def _store_photo(
    locked: LockedTournament, question: Question, keeper: Keeper, jpeg: bytes, actor: Actor
) -> Evidence:
    sha256 = hashlib.sha256(jpeg).hexdigest()
    stored_photo = question.evidence.filter(sha256=sha256).first()
    if stored_photo is not None:
        return stored_photo
    if question.evidence.filter(uploaded_by=keeper.value).count() >= MOST_PHOTOS:
        raise Refused(PHOTOS_ENOUGH, most=MOST_PHOTOS)
    journal_entry = JournalEntry(
        "add photo", "match", question.match_id, after={"size": len(jpeg), "sha256": sha256}
    )
    journal.write(locked.tournament, actor, journal_entry)
    return Evidence.objects.create(
        question=question,
        photo=jpeg,
        size=len(jpeg),
        sha256=sha256,
        uploaded_by=keeper.value,
        uploaded_at=timezone.now(),
    )


def _open_questions(match: Match) -> QuerySet[Question]:
    return Question.objects.filter(match=match, kind=QuestionKind.DISAGREEMENT, closed_at__isnull=True)


def _own_question(match: Match, keeper: Keeper) -> Question | None:
    """The player's open question, without questions that opened automatically."""
    own_questions = _open_questions(match).filter(asked_by=keeper.value)
    return next((row for row in own_questions if not row.detail.get(questions.AUTOMATIC)), None)


def _refuse_when_over(match: Match) -> None:
    if match.state == MatchState.POSTED:
        raise Refused(DISPUTE_AFTER_POSTING)
    if match.state == MatchState.CANCELLED:
        raise Refused(MATCH_CANCELLED)
