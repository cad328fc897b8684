"""Disputes of one match as its players and the desk see them: who asked what, with which photos, and what was decided.

Reads only, three statements; the photos themselves are not loaded.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from matches.keepers import Keeper
from matches.models import Match
from tournament.models import Evidence, Question
from tournament.models.desk import QuestionKind
from tournament.results.questions import AUTOMATIC, TAKEN_BACK


@dataclass(frozen=True, slots=True)
class PhotoShown:
    id: uuid.UUID
    by: Keeper
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """What one side asked; `is_by_itself`: two complete cards differed, and nobody asked."""

    id: uuid.UUID
    by: Keeper
    name: str
    note: str
    at: datetime
    photos: tuple[PhotoShown, ...]
    is_by_itself: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """A ruling. `name` is the player whose card stands; `who` the account that decided; `kind` what else than play
    the desk posted; `points` where it was a score, the own ones first, as the phone shows them. Without a text the desk
    only entered a result."""

    text: str
    rule: str
    decision: str
    kind: str
    name: str
    points: tuple[int, int] | None
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DisputesShown:
    """What is asked and still open, what was decided (the latest first), and photos of what is over.

    `is_mine`: whoever looks is one who asked, and could take it back.
    """

    asked: tuple[Asked, ...] = ()
    decided: tuple[Decided, ...] = ()
    earlier: tuple[PhotoShown, ...] = ()
    is_mine: bool = False

    @property
    def is_open(self) -> bool:
        return bool(self.asked)

    @property
    def stamp(self) -> str:
        """Changes with everything that is told here."""
        photos = sum(len(one.photos) for one in self.asked)
        return f"{len(self.asked)}-{photos}-{len(self.decided)}-{len(self.earlier)}-{self.is_mine}"

    @property
    def is_by_itself(self) -> bool:
        """Nobody asked: two cards differ."""
        return all(one.is_by_itself for one in self.asked)


def disputes_of(match: Match, names: tuple[str, str], keeper: Keeper = Keeper.DESK) -> DisputesShown:
    """`names` are those of the left and the right player; `keeper` looks."""
    called = {Keeper.LEFT: names[0], Keeper.RIGHT: names[1], Keeper.DESK: ""}
    rows = Question.objects.filter(match=match, kind=QuestionKind.DISAGREEMENT).select_related("closed_by")
    questions = list(rows)
    photos = _photos(questions, called)
    over = [row for row in questions if row.closed_at is not None]
    asked = tuple(_asked(row, called, photos[row.pk]) for row in questions if row.closed_at is None)
    return DisputesShown(
        asked=asked,
        is_mine=any(one.by is keeper and not one.is_by_itself for one in asked),
        decided=tuple(_decided(over, called, keeper)),
        earlier=tuple(photo for row in over for photo in photos[row.pk]),
    )


def _photos(rows: Sequence[Question], called: Mapping[Keeper, str]) -> Mapping[uuid.UUID, list[PhotoShown]]:
    found: dict[uuid.UUID, list[PhotoShown]] = {row.pk: [] for row in rows}
    if found:
        kept = Evidence.objects.filter(question__in=rows).order_by("uploaded_at")
        for pk, question, by, at in kept.values_list("pk", "question_id", "uploaded_by", "uploaded_at"):
            found[question].append(PhotoShown(pk, Keeper(by), called[Keeper(by)], at))
    return found


def _asked(row: Question, called: Mapping[Keeper, str], photos: Sequence[PhotoShown]) -> Asked:
    by = Keeper(row.asked_by)
    is_by_itself = bool(row.detail.get(AUTOMATIC))
    return Asked(row.pk, by, called[by], row.note, row.opened_at, tuple(photos), is_by_itself)


def _decided(rows: Sequence[Question], called: Mapping[Keeper, str], keeper: Keeper) -> list[Decided]:
    """One ruling may answer what both asked: it is told once."""
    ruled = {
        (row.closed_at, row.ruling): _ruling(row, row.closed_at, called, keeper)
        for row in rows
        if row.closed_at is not None and not row.detail.get(TAKEN_BACK)
    }
    return sorted(ruled.values(), key=lambda one: one.at, reverse=True)


def _ruling(row: Question, at: datetime, called: Mapping[Keeper, str], keeper: Keeper) -> Decided:
    detail: Mapping[str, Any] = row.detail
    card = detail.get("card", "")
    return Decided(
        text=row.ruling,
        rule=row.rule,
        decision=detail.get("decision", ""),
        kind=detail.get("kind", ""),
        name=called[Keeper(card)] if card else "",
        points=_points(detail, keeper),
        who=row.closed_by.get_username() if row.closed_by else "",
        at=at,
    )


def _points(detail: Mapping[str, Any], keeper: Keeper) -> tuple[int, int] | None:
    left, right = detail.get("left"), detail.get("right")
    if left is None or right is None:
        return None
    return (right, left) if keeper is Keeper.RIGHT else (left, right)
