"""Opens questions for the desk and closes them with a ruling. Writes questions and their journal entries only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.card_refusals import KEY_REUSED
from matches.keepers import Keeper
from matches.models import GameRecord, Match, MatchState
from matches.rows import FinalScore, NewRow, Stop, Strike
from rules.score import Game, Penalty
from tournament.access.actors import SYSTEM, Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Question, Tournament
from tournament.models.desk import QuestionKind
from tournament.refusals.disputes import RULING_WANTED
from tournament.runtime.errors import Refused

AUTOMATIC, TAKEN_BACK = "by_itself", "taken_back"
NO_LONGER_DIFFERENT = "The record and the reported score are no longer different."


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """A game record with another score than the report. `is_sure` is False if the order of players is unknown."""

    brought_by: Keeper
    score: tuple[int, int]
    reported: tuple[int, int]
    is_sure: bool


@dataclass(frozen=True, slots=True)
class RulingText:
    """The words of a ruling and the rule that it applies; both may be empty."""

    text: str
    rule: str


@transaction.atomic
def open_for_late_row(
    tournament: Tournament, match: Match, keeper: Keeper, writing: NewRow, actor: Actor
) -> Question:
    """Stores a row that arrived after posting. Idempotent by the row's key.

    Raises Refused if the key belongs to another row.
    """
    question, is_new = Question.objects.get_or_create(
        key=writing.key,
        defaults={
            "tournament": tournament,
            "match": match,
            "kind": QuestionKind.LATE_CARD,
            "asked_by": keeper.value,
            "detail": _row_json(writing),
            "opened_at": timezone.now(),
        },
    )
    if (question.match_id, question.asked_by, question.detail) != (
        match.pk,
        keeper.value,
        _row_json(writing),
    ):
        raise Refused(KEY_REUSED)
    if is_new:
        journal_entry = JournalEntry("hand in late", "match", match.pk, after=question.detail)
        journal.write(question.tournament, actor, journal_entry)
    return question


def open_for_dispute(
    tournament: Tournament, match: Match, keeper: Keeper, note: str, actor: Actor
) -> Question:
    """Opens a player's dispute. The caller holds the desk's locks."""
    question = Question.objects.create(
        tournament=tournament,
        match=match,
        kind=QuestionKind.DISAGREEMENT,
        asked_by=keeper.value,
        note=note[:500],
        key=uuid.uuid4(),
        opened_at=timezone.now(),
    )
    journal_entry = JournalEntry("disagree", "match", match.pk, after={"note": question.note})
    journal.write(tournament, actor, journal_entry)
    return question


def open_for_different_cards(
    tournament: Tournament, match: Match, tails: tuple[uuid.UUID, uuid.UUID]
) -> bool:
    """Opens a question about two different complete cards, once per pair of tails. False if it exists."""
    question, is_new = Question.objects.get_or_create(
        key=uuid.uuid5(match.pk, f"{tails[0]} {tails[1]}"),
        defaults={
            "tournament": tournament,
            "match": match,
            "kind": QuestionKind.DISAGREEMENT,
            "asked_by": match.reported_by,
            "detail": {AUTOMATIC: True},
            "opened_at": timezone.now(),
        },
    )
    if is_new:
        journal.write(
            tournament, SYSTEM, JournalEntry("disagree", "match", match.pk, after={"note": question.note})
        )
    return is_new


def update_record_question(
    tournament: Tournament, match: Match, record: GameRecord, difference: RecordDifference | None
) -> bool:
    """Opens one question per difference between a game record and the report; closes obsolete ones.

    The caller holds the match's lock. Returns True if the desk's questions changed.
    """
    key = (
        uuid.uuid5(record.pk, repr((difference.score, difference.reported, difference.is_sure)))
        if difference
        else None
    )
    about = Question.objects.filter(match=match, kind=QuestionKind.RECORD, detail__record=str(record.pk))
    ended = about.filter(closed_at__isnull=True).exclude(key=key or uuid.UUID(int=0))
    has_ended = bool(ended.update(closed_at=timezone.now(), ruling=NO_LONGER_DIFFERENT))
    if difference is None or key is None or about.filter(key=key).exists():
        return has_ended
    question = Question.objects.create(
        tournament=tournament,
        match=match,
        kind=QuestionKind.RECORD,
        asked_by=difference.brought_by.value,
        detail={
            "record": str(record.pk),
            "left": difference.score[0],
            "right": difference.score[1],
            "reported_left": difference.reported[0],
            "reported_right": difference.reported[1],
            "is_sure": difference.is_sure,
        },
        key=key,
        opened_at=timezone.now(),
    )
    journal.write(
        tournament, SYSTEM, JournalEntry("find difference", "match", match.pk, after=question.detail)
    )
    return True


def close_with_ruling(match: Match, ruling: RulingText, detail: Mapping[str, Any], actor: Actor) -> bool:
    """Closes the open disputes of the match with this ruling. Returns False if none was open."""
    rows = Question.objects.filter(match=match, closed_at__isnull=True, kind=QuestionKind.DISAGREEMENT)
    questions, fields = list(rows), _closing_fields(ruling, actor)
    for question in questions:
        for name, value in {**fields, "detail": {**question.detail, **detail}}.items():
            setattr(question, name, value)
        question.save()
    return bool(questions)


def store_ruling(
    tournament: Tournament, match: Match, ruling: RulingText, detail: Mapping[str, Any], actor: Actor
) -> None:
    """Closes the open disputes with this ruling, or stores the ruling in a new closed question."""
    if not close_with_ruling(match, ruling, detail, actor):
        Question.objects.create(
            tournament=tournament,
            match=match,
            kind=QuestionKind.DISAGREEMENT,
            asked_by=Keeper.DESK.value,
            detail=dict(detail),
            key=uuid.uuid4(),
            opened_at=timezone.now(),
            **_closing_fields(ruling, actor),
        )


def _closing_fields(ruling: RulingText, actor: Actor) -> dict[str, Any]:
    return {
        "closed_at": timezone.now(),
        "closed_by": actor.user,
        "ruling": ruling.text[:500],
        "rule": ruling.rule[:20],
    }


def withdraw(question: Question) -> None:
    """Closes a question without a ruling."""
    question.closed_at, question.detail = timezone.now(), {**question.detail, TAKEN_BACK: True}
    question.save(update_fields=["closed_at", "detail"])


@transaction.atomic
def close(question: Question, ruling: str, actor: Actor) -> None:
    """Closes a question. Idempotent. Raises Refused for an open dispute, which needs a ruling."""
    if question.kind == QuestionKind.DISAGREEMENT and question.match.state == MatchState.DISPUTED:
        raise Refused(RULING_WANTED)
    closed = Question.objects.filter(pk=question.pk, closed_at__isnull=True).update(
        closed_at=timezone.now(), closed_by=actor.user, ruling=ruling[:500]
    )
    if closed:
        journal_entry = JournalEntry("close question", "match", question.match_id, reason=ruling[:200])
        journal.write(question.tournament, actor, journal_entry)


def _row_json(writing: NewRow) -> dict[str, Any]:
    match writing.content:
        case Game() as game:
            return {
                "kind": "game",
                "winner": game.winner.value,
                "win": int(game.win),
                "ending": game.ending.value,
                "cube": game.cube,
            }
        case Penalty() as penalty:
            return {"kind": "penalty", "against": penalty.against.value, "points": penalty.points}
        case FinalScore() as final:
            return {"kind": "final", "left": final.left, "right": final.right}
        case Strike():
            return {"kind": "strike", "supersedes": str(writing.supersedes)}
        case Stop():
            return {"kind": "stop"}
