"""Disputes of one match for its players and the desk: questions, photos and rulings.

Reads only, in three statements; the image data is not loaded.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from matches.keepers import Keeper
from matches.models import Match
from tournament.models import Evidence, Question
from tournament.models.desk import QuestionKind
from tournament.results.questions import AUTOMATIC, TAKEN_BACK


@dataclass(frozen=True, slots=True)
class DisputePhoto:
    id: uuid.UUID
    by: Keeper
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """The open question of one side. `is_automatic`: it opened automatically because two complete cards differ."""

    id: uuid.UUID
    by: Keeper
    name: str
    note: str
    at: datetime
    photos: tuple[DisputePhoto, ...]
    is_automatic: bool


@dataclass(frozen=True, slots=True)
class DeskRuling:
    """A ruling. `name` is the player whose card is valid, `who` the user who decided, `kind` the kind of an award.

    `points` is the score, the viewer's own points first. Without a text the desk only entered a result.
    """

    text: str
    rule: str
    decision: str
    kind: str
    name: str
    points: tuple[int, int] | None
    who: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MatchDisputes:
    """Open disputes, rulings (newest first), and photos of closed disputes.

    `is_mine`: the viewer opened one of the disputes and can withdraw it.
    """

    open_disputes: tuple[OpenDispute, ...] = ()
    decided: tuple[DeskRuling, ...] = ()
    earlier: tuple[DisputePhoto, ...] = ()
    is_mine: bool = False

    @property
    def is_open(self) -> bool:
        return bool(self.open_disputes)

    @property
    def stamp(self) -> str:
        """Changes with every value of this page."""
        photos = sum(len(dispute.photos) for dispute in self.open_disputes)
        return f"{len(self.open_disputes)}-{photos}-{len(self.decided)}-{len(self.earlier)}-{self.is_mine}"

    @property
    def is_automatic(self) -> bool:
        """True if no player asked: two complete cards differ."""
        return all(dispute.is_automatic for dispute in self.open_disputes)


def list_disputes(match_id: uuid.UUID) -> QuerySet[Question]:
    """Returns the disputes of this match, open and decided, oldest first."""
    disputes = Question.objects.filter(match_id=match_id, kind=QuestionKind.DISAGREEMENT)
    return disputes.select_related("closed_by")


def load_disputes(match: Match, names: tuple[str, str], keeper: Keeper = Keeper.DESK) -> MatchDisputes:
    """Loads the disputes. `names` are those of the left and the right player; `keeper` is the viewer."""
    names_by_keeper = {Keeper.LEFT: names[0], Keeper.RIGHT: names[1], Keeper.DESK: ""}
    rows = list_disputes(match.pk)
    questions = list(rows)
    photos = _photos(questions, names_by_keeper)
    closed_questions = [row for row in questions if row.closed_at is not None]
    disputes = tuple(
        _open_dispute(row, names_by_keeper, photos[row.pk]) for row in questions if row.closed_at is None
    )
    return MatchDisputes(
        open_disputes=disputes,
        is_mine=any(dispute.by is keeper and not dispute.is_automatic for dispute in disputes),
        decided=tuple(_rulings(closed_questions, names_by_keeper, keeper)),
        earlier=tuple(photo for row in closed_questions for photo in photos[row.pk]),
    )


def _photos(
    rows: Sequence[Question], names_by_keeper: Mapping[Keeper, str]
) -> Mapping[uuid.UUID, list[DisputePhoto]]:
    photos: dict[uuid.UUID, list[DisputePhoto]] = {row.pk: [] for row in rows}
    if photos:
        rows_of_photos = Evidence.objects.filter(question__in=rows).order_by("uploaded_at")
        for pk, question, by, at in rows_of_photos.values_list(
            "pk", "question_id", "uploaded_by", "uploaded_at"
        ):
            photos[question].append(DisputePhoto(pk, Keeper(by), names_by_keeper[Keeper(by)], at))
    return photos


def _open_dispute(
    row: Question, names_by_keeper: Mapping[Keeper, str], photos: Sequence[DisputePhoto]
) -> OpenDispute:
    by = Keeper(row.asked_by)
    is_automatic = bool(row.detail.get(AUTOMATIC))
    return OpenDispute(row.pk, by, names_by_keeper[by], row.note, row.opened_at, tuple(photos), is_automatic)


def _rulings(
    rows: Sequence[Question], names_by_keeper: Mapping[Keeper, str], keeper: Keeper
) -> list[DeskRuling]:
    """Rulings, the latest first. A ruling that answers both players appears once."""
    rulings = {
        (row.closed_at, row.ruling): _desk_ruling(row, row.closed_at, names_by_keeper, keeper)
        for row in rows
        if row.closed_at is not None and not row.detail.get(TAKEN_BACK)
    }
    return sorted(rulings.values(), key=lambda ruling: ruling.at, reverse=True)


def _desk_ruling(
    row: Question, at: datetime, names_by_keeper: Mapping[Keeper, str], keeper: Keeper
) -> DeskRuling:
    detail: Mapping[str, Any] = row.detail
    card = detail.get("card", "")
    return DeskRuling(
        text=row.ruling,
        rule=row.rule,
        decision=detail.get("decision", ""),
        kind=detail.get("kind", ""),
        name=names_by_keeper[Keeper(card)] if card else "",
        points=_points(detail, keeper),
        who=row.closed_by.get_username() if row.closed_by else "",
        at=at,
    )


def _points(detail: Mapping[str, Any], keeper: Keeper) -> tuple[int, int] | None:
    left, right = detail.get("left"), detail.get("right")
    if left is None or right is None:
        return None
    return (right, left) if keeper is Keeper.RIGHT else (left, right)
