"""Questions that only the desk can settle: opened, closed with a ruling, and kept. Writes questions only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import GameRecord, Match, MatchState
from matches.writing import FinalScore, Stop, Strike, Writing
from rules.score import Game, Penalty
from tournament.access.actors import SYSTEM, Actor
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Question, Tournament
from tournament.models.desk import QuestionKind
from tournament.runtime.errors import Refused

BY_ITSELF, TAKEN_BACK = "by_itself", "taken_back"
SETTLED_BY_ITSELF = "The record and the reported score are no longer different."


@dataclass(frozen=True, slots=True)
class RecordDiffers:
    """A record that comes to another score than was reported; not `is_sure` when it differs in either order."""

    brought_by: Keeper
    score: tuple[int, int]
    reported: tuple[int, int]
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the desk said, if anything, and the rule it rests on."""

    text: str
    rule: str


@transaction.atomic
def ask_about_late_card(
    tournament: Tournament, match: Match, keeper: Keeper, writing: Writing, actor: Actor
) -> Question:
    """A row arrived after posting: what it said is kept. The same row again is the same question.

    Raises Refused for a key that belongs to another row.
    """
    question, is_new = Question.objects.get_or_create(
        key=writing.key,
        defaults={
            "tournament": tournament,
            "match": match,
            "kind": QuestionKind.LATE_CARD,
            "asked_by": keeper.value,
            "detail": _told(writing),
            "opened_at": timezone.now(),
        },
    )
    if (question.match_id, question.asked_by, question.detail) != (match.pk, keeper.value, _told(writing)):
        raise Refused("key-reused", "This key was used for another game. Use a new key.")
    if is_new:
        deed = Deed("hand in late", "match", match.pk, after=question.detail)
        journal.write(question.tournament, actor, deed)
    return question


def ask_about_disagreement(
    tournament: Tournament, match: Match, keeper: Keeper, note: str, actor: Actor
) -> Question:
    """A player wants the desk to decide; inside the locks of the desk."""
    question = Question.objects.create(
        tournament=tournament,
        match=match,
        kind=QuestionKind.DISAGREEMENT,
        asked_by=keeper.value,
        note=note[:500],
        key=uuid.uuid4(),
        opened_at=timezone.now(),
    )
    deed = Deed("disagree", "match", match.pk, after={"note": question.note})
    journal.write(tournament, actor, deed)
    return question


def ask_about_cards(tournament: Tournament, match: Match, tails: tuple[uuid.UUID, uuid.UUID]) -> bool:
    """Two complete cards that differ ask by themselves, once as they are now; False when they have."""
    question, is_new = Question.objects.get_or_create(
        key=uuid.uuid5(match.pk, f"{tails[0]} {tails[1]}"),
        defaults={
            "tournament": tournament,
            "match": match,
            "kind": QuestionKind.DISAGREEMENT,
            "asked_by": match.reported_by,
            "detail": {BY_ITSELF: True},
            "opened_at": timezone.now(),
        },
    )
    if is_new:
        journal.write(tournament, SYSTEM, Deed("disagree", "match", match.pk, after={"note": question.note}))
    return is_new


def settle_about_record(
    tournament: Tournament, match: Match, record: GameRecord, differs: RecordDiffers | None
) -> bool:
    """Asks once about each difference between a record and the reported score; ends questions that are answered.

    Under the match's lock. True when the desk has something new to look at.
    """
    key = uuid.uuid5(record.pk, repr((differs.score, differs.reported, differs.is_sure))) if differs else None
    about = Question.objects.filter(match=match, kind=QuestionKind.RECORD, detail__record=str(record.pk))
    ended = about.filter(closed_at__isnull=True).exclude(key=key or uuid.UUID(int=0))
    has_ended = bool(ended.update(closed_at=timezone.now(), ruling=SETTLED_BY_ITSELF))
    if differs is None or key is None or about.filter(key=key).exists():
        return has_ended
    question = Question.objects.create(
        tournament=tournament,
        match=match,
        kind=QuestionKind.RECORD,
        asked_by=differs.brought_by.value,
        detail={
            "record": str(record.pk),
            "left": differs.score[0],
            "right": differs.score[1],
            "reported_left": differs.reported[0],
            "reported_right": differs.reported[1],
            "is_sure": differs.is_sure,
        },
        key=key,
        opened_at=timezone.now(),
    )
    journal.write(tournament, SYSTEM, Deed("find difference", "match", match.pk, after=question.detail))
    return True


def answer(match: Match, ruled: Ruled, told: Mapping[str, Any], actor: Actor) -> bool:
    """Closes what is open about the two players' cards, with what was decided; False when nothing was."""
    asked = Question.objects.filter(match=match, closed_at__isnull=True, kind=QuestionKind.DISAGREEMENT)
    questions, closed = list(asked), _closed(ruled, actor)
    for question in questions:
        for name, value in {**closed, "detail": {**question.detail, **told}}.items():
            setattr(question, name, value)
        question.save()
    return bool(questions)


def keep_ruling(
    tournament: Tournament, match: Match, ruled: Ruled, told: Mapping[str, Any], actor: Actor
) -> None:
    """The desk's ruling on the two players' cards; one that nobody asked for is kept as well."""
    if not answer(match, ruled, told, actor):
        Question.objects.create(
            tournament=tournament,
            match=match,
            kind=QuestionKind.DISAGREEMENT,
            asked_by=Keeper.DESK.value,
            detail=dict(told),
            key=uuid.uuid4(),
            opened_at=timezone.now(),
            **_closed(ruled, actor),
        )


def _closed(ruled: Ruled, actor: Actor) -> dict[str, Any]:
    by = {"closed_at": timezone.now(), "closed_by": actor.user}
    return {**by, "ruling": ruled.text[:500], "rule": ruled.rule[:20]}


def take_back(question: Question) -> None:
    """Whoever asked does not ask any more: closed without a ruling."""
    question.closed_at, question.detail = timezone.now(), {**question.detail, TAKEN_BACK: True}
    question.save(update_fields=["closed_at", "detail"])


@transaction.atomic
def close(question: Question, ruling: str, actor: Actor) -> None:
    """The desk has dealt with it. Closing again changes nothing.

    Raises Refused for what two players wait for: only a ruling ends that.
    """
    if question.kind == QuestionKind.DISAGREEMENT and question.match.state == MatchState.DISPUTED:
        raise Refused("ruling-wanted", "The players wait for a ruling. Decide it on the page of the match.")
    closed = Question.objects.filter(pk=question.pk, closed_at__isnull=True).update(
        closed_at=timezone.now(), closed_by=actor.user, ruling=ruling[:500]
    )
    if closed:
        deed = Deed("close question", "match", question.match_id, reason=ruling[:200])
        journal.write(question.tournament, actor, deed)


def _told(writing: Writing) -> dict[str, Any]:
    match writing.what:
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
