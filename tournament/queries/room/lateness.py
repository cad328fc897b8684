"""Penalty points that the ruleset provides for late players of a called match (PEN-1). Reads only.

These are proposals to the desk, not penalties: it is unknown which of the two players is missing.
"""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from matches.card_totals import effective_rows
from matches.keepers import Keeper
from matches.models import CardRow, PenaltyKind, RowKind
from rules.clock import late_penalty
from rules.ruleset import Ruleset
from rules.score import Side
from tournament.models import Call, Pairing


@dataclass(frozen=True, slots=True)
class LateSide:
    """The points to give against one player, beyond the points already given for being late."""

    side: Side
    name: str
    given: int
    points: int


@dataclass(frozen=True, slots=True)
class Lateness:
    """Minutes since the call, the penalty points for them, and whether the match is lost."""

    minutes: int
    points: int
    match_lost: bool
    sides: tuple[LateSide, ...]


def lateness_of(pairing: Pairing, names: tuple[str, str], now: datetime | None = None) -> Lateness | None:
    """Returns None if nobody is late yet, if the players are playing, or without a call."""
    match = pairing.match
    call = Call.objects.filter(match=match, ended_at__isnull=True, playing_at__isnull=True).first()
    if match is None or call is None or match.has_begun:
        return None
    minutes = int(((now or timezone.now()) - call.called_at).total_seconds() // 60)
    penalty = late_penalty(minutes, match.length, Ruleset.from_json(match.ruleset))
    if not penalty.points:
        return None
    rows = CardRow.objects.filter(card__match=match, card__keeper=Keeper.DESK.value).order_by("number")
    given = {side: _points_given_late(list(rows), side) for side in Side}
    sides = tuple(
        LateSide(side, name, given[side], max(0, penalty.points - given[side]))
        for side, name in zip((Side.LEFT, Side.RIGHT), names, strict=True)
    )
    return Lateness(minutes, penalty.points, penalty.match_lost, sides)


def _points_given_late(rows: list[CardRow], side: Side) -> int:
    late = [
        row
        for row in effective_rows(rows)
        if row.kind == RowKind.PENALTY and row.penalty_kind == PenaltyKind.LATE
    ]
    return sum(row.points for row in late if row.winner == side.other.value)
