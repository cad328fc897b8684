"""Running scores for spectators: immediate, delayed by minutes, or hidden until the result. Reads only.

A delayed score uses the rows written before the delay. The number of statements is constant, and zero without a
delay. A reported or disputed match is shown as in play until its result is posted, since its state reveals the end.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from matches.card_totals import card_totals
from matches.models import CardRow, Match, MatchState
from tournament.models import Bracket, Room, Tournament

UNDECIDED = (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)
IN_A_BRACKET = "rounds__pairings__match"


@dataclass(frozen=True, slots=True)
class Score:
    """A running score. Points are None if it is hidden."""

    left: int | None = None
    right: int | None = None
    is_crawford: bool = False


NO_SCORE = Score()


@dataclass(frozen=True, slots=True)
class ScoreDelay:
    """The delay for spectators. Rows written after `until` are not visible; `is_hidden` hides every score.

    `mark` is part of every stamp, so that a changed delay changes the stamp.
    """

    until: datetime | None = None
    is_hidden: bool = False
    mark: str = ""

    @property
    def is_live(self) -> bool:
        return self.until is None and not self.is_hidden


LIVE = ScoreDelay()


def delay_for(tournament: Tournament, *, live: bool = False) -> ScoreDelay:
    """The score delay of this tournament; none for readers with `live` access."""
    minutes = tournament.score_delay
    if live or minutes == 0:
        return LIVE
    if minutes is None:
        return ScoreDelay(is_hidden=True, mark="h")
    return ScoreDelay(until=timezone.now() - timedelta(minutes=minutes), mark=f"{minutes}m")


def visible_score(match: Match, sight: ScoreDelay) -> Score:
    """The running score of one match."""
    if not match.has_begun:
        return NO_SCORE
    current_scores = {match.pk: Score(match.left_points, match.right_points, match.is_crawford)}
    return visible_scores(current_scores, sight)[match.pk]


def visible_scores(current_scores: Mapping[uuid.UUID, Score], sight: ScoreDelay) -> dict[uuid.UUID, Score]:
    """The visible part of these current scores of matches that have begun."""
    if sight.until is None:
        return dict.fromkeys(current_scores, NO_SCORE) if sight.is_hidden else dict(current_scores)
    rows = CardRow.objects.filter(card__match__in=list(current_scores), card__match__state__in=UNDECIDED)
    newer = rows.filter(written_at__gt=sight.until).values_list("card__match_id", flat=True)
    return {**current_scores, **_scores_at(set(newer), sight.until)}


class MatchRow(Protocol):
    """The match of a pairing as a bracket reads it; all None where there is none."""

    @property
    def match_id(self) -> uuid.UUID | None: ...
    @property
    def match_state(self) -> str | None: ...
    @property
    def has_begun(self) -> bool: ...
    @property
    def left_points(self) -> int | None: ...
    @property
    def right_points(self) -> int | None: ...
    @property
    def is_crawford(self) -> bool | None: ...


def visible_scores_in(rows: Iterable[MatchRow], sight: ScoreDelay) -> dict[uuid.UUID, Score]:
    """Visible scores of the begun and undecided matches in these rows of a bracket."""
    if sight.is_live:
        return {}
    current_scores = {
        row.match_id: Score(row.left_points, row.right_points, bool(row.is_crawford))
        for row in rows
        if row.match_id is not None and row.has_begun and row.match_state in UNDECIDED
    }
    return visible_scores(current_scores, sight) if current_scores else {}


def visible_stamps(brackets: Collection[uuid.UUID], sight: ScoreDelay) -> dict[uuid.UUID, str]:
    """Returns a stamp of each bracket. It changes when a match begins or is called, or a row becomes visible.

    One statement. For a delay that is not live.
    """
    is_open = Q(**{f"{IN_A_BRACKET}__state__in": UNDECIDED})
    begun = is_open & Q(**{f"{IN_A_BRACKET}__began_at__isnull": False})
    counts = {"begun": Count(IN_A_BRACKET, filter=begun, distinct=True)}
    if sight.until is not None:
        written = is_open & Q(**{f"{IN_A_BRACKET}__cards__rows__written_at__lte": sight.until})
        counts["seen"] = Count(f"{IN_A_BRACKET}__cards__rows", filter=written, distinct=True)
    room = Room.objects.filter(event=OuterRef("tournament__event")).values("version")
    rows_of_brackets = Bracket.objects.filter(pk__in=brackets).annotate(room=Subquery(room), **counts)
    rows = rows_of_brackets.values_list("pk", "room", *counts)
    return {pk: ".".join([sight.mark, *map(str, values)]) for pk, *values in rows}


def visible_stamp(match: Match, sight: ScoreDelay) -> str:
    """A stamp that changes with the visible part of an undecided match."""
    if sight.is_live:
        return f"{match.version}-{match.state}"
    written = CardRow.objects.filter(card__match=match, written_at__lte=sight.until) if sight.until else None
    called = match.calls.filter(ended_at__isnull=True).values_list("table").first()
    return f"{sight.mark}-{match.has_begun}-{called}-{written.count() if written is not None else 0}"


def _scores_at(matches: Collection[uuid.UUID], moment: datetime) -> dict[uuid.UUID, Score]:
    """Returns the scores at this moment, each from the card written last."""
    if not matches:
        return {}
    rows = CardRow.objects.filter(card__match__in=matches, written_at__lte=moment)
    written: dict[uuid.UUID, list[CardRow]] = {pk: [] for pk in matches}
    for row in rows.select_related("card").order_by("written_at", "number"):
        written[row.card.match_id].append(row)
    matches_by_id = Match.objects.in_bulk(list(matches))
    return {pk: _score(matches_by_id[pk], rows_then) for pk, rows_then in written.items()}


def _score(match: Match, rows: list[CardRow]) -> Score:
    if not rows:
        return NO_SCORE
    totals = card_totals(match, sorted((row for row in rows if row.card_id == rows[-1].card_id), key=_number))
    return Score(totals.left, totals.right, totals.is_crawford)


def _number(row: CardRow) -> int:
    return row.number
