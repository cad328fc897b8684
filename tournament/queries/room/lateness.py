"""Who is late for a match that was called, and what the ruleset's ladder makes of it (PEN-1). Reads only.

A proposal to the desk, never a penalty: nobody here knows which of the two is missing.
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
    """What would still be given against one player: `points` beyond those given before for being late."""

    side: Side
    name: str
    given: int
    points: int


@dataclass(frozen=True, slots=True)
class Late:
    """Minutes since the call, the points that the ladder has reached, and whether the match is lost by now."""

    minutes: int
    points: int
    match_lost: bool
    sides: tuple[LateSide, ...]


def late_for(pairing: Pairing, names: tuple[str, str], now: datetime | None = None) -> Late | None:
    """What the ladder says of this match; None while nobody is late, once they play, or without a call."""
    match = pairing.match
    call = Call.objects.filter(match=match, ended_at__isnull=True, playing_at__isnull=True).first()
    if match is None or call is None or match.has_begun:
        return None
    minutes = int(((now or timezone.now()) - call.called_at).total_seconds() // 60)
    reached = late_penalty(minutes, match.length, Ruleset.from_json(match.ruleset))
    if not reached.points:
        return None
    rows = CardRow.objects.filter(card__match=match, card__keeper=Keeper.DESK.value).order_by("number")
    given = {side: _given(list(rows), side) for side in Side}
    sides = tuple(
        LateSide(side, name, given[side], max(0, reached.points - given[side]))
        for side, name in zip((Side.LEFT, Side.RIGHT), names, strict=True)
    )
    return Late(minutes, reached.points, reached.match_lost, sides)


def _given(rows: list[CardRow], side: Side) -> int:
    late = [
        row
        for row in effective_rows(rows)
        if row.kind == RowKind.PENALTY and row.penalty_kind == PenaltyKind.LATE
    ]
    return sum(row.points for row in late if row.winner == side.other.value)
