"""Rounds that should have begun by the plan of the director. Reads only."""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from tournament.brackets.round_basis import in_planned_bracket
from tournament.models import Round, Tournament
from tournament.queries.desk.urgent import TournamentName


@dataclass(frozen=True, slots=True)
class LateRound:
    """Round `number` has no match that has begun, and its planned start is over."""

    tournament: TournamentName
    number: int
    planned_at: datetime


def find_late_rounds(
    tournaments: Iterable[Tournament], over: Collection[uuid.UUID], now: datetime
) -> tuple[LateRound, ...]:
    """The next round of each tournament that is not over, if it is late. One statement; none without planned times."""
    planned = {row: row.planned_times for row in tournaments if row.planned_times and row.pk not in over}
    if not planned:
        return ()
    rounds = Round.objects.filter(
        in_planned_bracket(), bracket__tournament__in=planned, pairings__match__began_at__isnull=False
    )
    begun = dict(rounds.order_by().values_list("bracket__tournament").annotate(Max("number")))
    late = []
    for row, times in planned.items():
        number = begun.get(row.pk, 0) + 1
        if number in times and times[number] < now:
            late.append(LateRound(TournamentName(row.pk, row.name, row.slug), number, times[number]))
    return tuple(sorted(late, key=lambda round_: round_.planned_at))
