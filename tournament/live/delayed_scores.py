"""Publishes delayed scores when they become visible to spectators. Writes nothing.

Keeps no state: each sweep publishes the scores that became visible during the last sweeps again. A page that already
has them gets a short 304 answer.
"""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.score_visibility import UNDECIDED
from tournament.models import Bracket, Tournament
from tournament.runtime import publish

SWEEPS_BACK = 3
# Tournaments whose draw was released earlier are not searched.
STILL_PLAYED = timedelta(days=180)


def publish_due_scores() -> None:
    """Publishes every bracket in which a row of a card just became visible. One query per delay."""
    now = timezone.now()
    delayed = Tournament.objects.filter(score_delay__gt=0, draws__released_at__gt=now - STILL_PLAYED)
    for delay in delayed.order_by().values_list("score_delay", flat=True).distinct():
        tournaments = delayed.filter(score_delay=delay)
        for bracket in _brackets_due(tournaments, now - timedelta(minutes=delay or 0)):
            publish.publish_score(bracket)


def _brackets_due(tournaments: QuerySet[Tournament], until: datetime) -> list[uuid.UUID]:
    since = until - timedelta(seconds=SWEEPS_BACK * settings.SWEEP_SECONDS)
    rows = Bracket.objects.filter(
        tournament__in=tournaments,
        rounds__pairings__match__state__in=UNDECIDED,
        rounds__pairings__match__cards__rows__written_at__gt=since,
        rounds__pairings__match__cards__rows__written_at__lte=until,
    )
    return list(rows.values_list("pk", flat=True).distinct())
