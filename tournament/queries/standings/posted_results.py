"""Current results with names and rounds, and matches decided by a withdrawal, for public lists. Reads only.

Contains released draws only. The number of statements does not depend on results and tournaments.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import DateTimeField, Exists, IntegerField, OuterRef, QuerySet, Value

from tournament.access.draw_visibility import released_draws
from tournament.models import Pairing, Result, ResultKind, Tournament
from tournament.models.brackets import Settled
from tournament.models.entries import name_of_entry
from tournament.queries.brackets.pairing_state import decided_how
from tournament.queries.brackets.round_names import round_codes_by_id

SIDE_FIELDS = ("_id", "__player__name", "__number", "__player__country")
FIELDS = (
    "pairing__round__bracket__tournament_id",
    "pairing__round__bracket_id",
    "pairing__round__bracket__key",
    "pairing__round__bracket__position",
    "pairing__round_id",
    "pairing__round__number",
    "pairing__line",
    "match_id",
    "kind",
    "winner_id",
    "left_points",
    "right_points",
    "posted_at",
    *(f"left{field}" for field in SIDE_FIELDS),
    *(f"right{field}" for field in SIDE_FIELDS),
)
PAIRING_FIELDS = tuple(field.removeprefix("pairing__") for field in FIELDS)
"""The same fields of a pairing without a result. `kind`, points and time are constants of the query."""


class ResultRow(NamedTuple):
    """A stored result: `FIELDS`."""

    tournament_id: uuid.UUID
    bracket_id: uuid.UUID
    bracket: str
    bracket_position: int
    round_id: int
    round: int
    line: int
    match_id: uuid.UUID | None
    kind: str
    winner_id: uuid.UUID | None
    left_points: int | None
    right_points: int | None
    posted_at: datetime | None
    left_id: uuid.UUID
    left_name: str
    left_number: int
    left_country: str
    right_id: uuid.UUID
    right_name: str
    right_number: int
    right_country: str


@dataclass(frozen=True, slots=True)
class ResultSide:
    entry_id: uuid.UUID
    name: str
    country: str
    points: int | None


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A result, the winner's side first. If both players lost, `has_winner` is False and the sides are by seat.

    `how` is the kind of a result that was not played, else empty. `position` orders the results of a tournament by
    bracket, round and line. A match decided by a withdrawal has no time.
    """

    tournament_id: uuid.UUID
    bracket: str
    round_name: str
    position: tuple[int, int, int]
    match_id: uuid.UUID | None
    first: ResultSide
    second: ResultSide
    has_winner: bool
    how: str
    posted_at: datetime | None

    @property
    def has_points(self) -> bool:
        return self.first.points is not None and self.second.points is not None


def latest_results(tournaments: Iterable[Tournament], most: int) -> list[ResultLine]:
    """Returns the latest results of these tournaments, newest first."""
    return _lines(_rows(_current(tournaments)[:most]))


def result_lines(tournament: Tournament) -> list[ResultLine]:
    """Returns all results of a tournament, newest first, and after them the matches decided by a withdrawal."""
    current = _current([tournament])
    return _lines([*_rows(current), *_withdrawal_rows(tournament, current)])


def _current(tournaments: Iterable[Tournament]) -> "QuerySet[Result]":
    released = released_draws.filter(tournament__in=list(tournaments)).values("tournament")
    results = Result.objects.filter(
        pairing__round__bracket__tournament__in=released, superseded_by__isnull=True
    )
    return results.exclude(kind=ResultKind.RETRACTED).order_by("-posted_at", "-pk")


def _rows(results: "QuerySet[Result]") -> list[ResultRow]:
    return [ResultRow(*values) for values in results.values_list(*FIELDS)]


def _withdrawal_rows(tournament: Tournament, results: "QuerySet[Result]") -> list[ResultRow]:
    decided = Pairing.objects.filter(
        ~Exists(results.filter(pairing=OuterRef("pk"))),
        round__bracket__tournament__in=released_draws.filter(tournament=tournament).values("tournament"),
        settled__in=(Settled.WALKOVER, Settled.NOBODY),
        left__isnull=False,
        right__isnull=False,
    ).annotate(
        kind=Value("withdrawn"),
        left_points=Value(None, output_field=IntegerField()),
        right_points=Value(None, output_field=IntegerField()),
        posted_at=Value(None, output_field=DateTimeField()),
    )
    by_position = decided.order_by("round__bracket__position", "round__number", "line")
    return [ResultRow(*values) for values in by_position.values_list(*PAIRING_FIELDS)]


def _lines(rows: Sequence[ResultRow]) -> list[ResultLine]:
    codes = round_codes_by_id({row.bracket_id for row in rows}) if rows else {}
    return [_line(row, codes[row.round_id]) for row in rows]


def _line(row: ResultRow, round_name: str) -> ResultLine:
    left = ResultSide(
        row.left_id, name_of_entry(row.left_name, row.left_number), row.left_country, row.left_points
    )
    right = ResultSide(
        row.right_id, name_of_entry(row.right_name, row.right_number), row.right_country, row.right_points
    )
    is_turned = row.winner_id == row.right_id
    return ResultLine(
        tournament_id=row.tournament_id,
        bracket=row.bracket,
        round_name=round_name,
        position=(row.bracket_position, row.round, row.line),
        match_id=row.match_id,
        first=right if is_turned else left,
        second=left if is_turned else right,
        has_winner=row.winner_id is not None,
        how=decided_how("", row.kind),
        posted_at=row.posted_at,
    )
