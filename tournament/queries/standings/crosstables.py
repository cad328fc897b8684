"""Crosstables of round robins and groups: the results of each entry against each other, with marks of qualification.

Reads only. The number of statements does not depend on the number of groups and entries.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.draw.formats import Format, Kind
from tournament.models import Pairing, Tournament
from tournament.models.brackets import Settled
from tournament.places.families import PLAY_OFF
from tournament.queries.standings.current_results import current_results
from tournament.queries.standings.lines import StandingLine
from tournament.queries.standings.standings import Ranking

WIDEST = 24


class Qualification(StrEnum):
    """IN_PLACE: the entry is in a place that leads to the play-off, and its group is not over."""

    NONE = ""
    IN_PLACE = "in_place"
    QUALIFIED = "qualified"


@dataclass(frozen=True, slots=True)
class CrossResult:
    """A result against one opponent. Points are None if nothing was played."""

    match_id: uuid.UUID | None
    is_won: bool
    points: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class CrossCell:
    """The results against one opponent; none on the diagonal (`is_self`)."""

    is_self: bool
    results: tuple[CrossResult, ...]


@dataclass(frozen=True, slots=True)
class CrossRow:
    line: StandingLine
    cells: tuple[CrossCell, ...]
    qualification: Qualification


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Rows and columns are in the order of the standings."""

    ranking: Ranking
    rows: tuple[CrossRow, ...]

    @property
    def key(self) -> str:
        return self.ranking.key


Results = Mapping[tuple[str, uuid.UUID, uuid.UUID], Sequence[CrossResult]]


def has_crosstables(tournament: Tournament) -> bool:
    return Format.from_json(tournament.format).kind in (Kind.ROUND_ROBIN, Kind.GROUPS)


def crosstables(tournament: Tournament, rankings: Iterable[Ranking]) -> list[Crosstable]:
    """Returns a crosstable of each of these rankings that is by records and not wider than `WIDEST` entries.

    Expects all rankings of the tournament if it has a play-off.
    """
    if not has_crosstables(tournament):
        return []
    rankings = list(rankings)
    results = _load_results(tournament)
    play_off = next((ranking for ranking in rankings if ranking.key == PLAY_OFF), None)
    qualifiers = Format.from_json(tournament.format).qualifiers if play_off is not None else 0
    in_play_off = {line.entry_id for line in play_off.lines} if play_off is not None else set()
    return [
        Crosstable(
            ranking,
            tuple(
                CrossRow(
                    line,
                    _cells(ranking, line, results),
                    _qualification(ranking, line, qualifiers, in_play_off),
                )
                for line in ranking.lines
            ),
        )
        for ranking in rankings
        if ranking.is_table and len(ranking.lines) <= WIDEST
    ]


def _load_results(tournament: Tournament) -> Results:
    """Returns the results by bracket, entry and opponent, in the order of play. Withdrawals have no points."""
    points = {
        row.pairing_id: {row.left_id: row.left_points, row.right_id: row.right_points}
        for row in current_results(tournament)
    }
    settled = Pairing.objects.filter(
        round__bracket__tournament=tournament, left__isnull=False, right__isnull=False
    ).exclude(settled__in=("", Settled.BYE))
    ordered = settled.order_by("round__bracket__position", "round__number", "line")
    results: dict[tuple[str, uuid.UUID, uuid.UUID], list[CrossResult]] = defaultdict(list)
    for pk, bracket, left, right, winner, match in ordered.values_list(
        "pk", "round__bracket__key", "left", "right", "winner", "match"
    ):
        for entry, opponent in ((left, right), (right, left)):
            own, theirs = points.get(pk, {}).get(entry), points.get(pk, {}).get(opponent)
            score = None if own is None or theirs is None else (own, theirs)
            results[bracket, entry, opponent].append(CrossResult(match, winner == entry, score))
    return results


def _cells(ranking: Ranking, line: StandingLine, results: Results) -> tuple[CrossCell, ...]:
    return tuple(
        CrossCell(
            other.entry_id == line.entry_id,
            tuple(results.get((ranking.key, line.entry_id, other.entry_id), ())),
        )
        for other in ranking.lines
    )


def _qualification(
    ranking: Ranking, line: StandingLine, qualifiers: int, in_play_off: Collection[uuid.UUID]
) -> Qualification:
    if ranking.is_over:
        return Qualification.QUALIFIED if line.entry_id in in_play_off else Qualification.NONE
    has_played = any(other.won for other in ranking.lines)
    return Qualification.IN_PLACE if has_played and line.place_from <= qualifiers else Qualification.NONE
