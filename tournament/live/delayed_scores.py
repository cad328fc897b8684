"""Scores that onlookers see late: tells live pages when one has come in sight. Writes nothing.

Nothing is remembered of what was told: each sweep tells again of what came in sight since the one before last, and a
page that has it already gets a short answer.
"""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from matches.models import MatchState
from tournament.models import Bracket, Tournament
from tournament.runtime import publish

SWEEPS_BACK = 3
# Whatever is watched live is played within this time of its draw's release; older tournaments are not looked through.
STILL_PLAYED = timedelta(days=180)


def publish_due_scores() -> None:
    """Announces every bracket in which a row of a card is just old enough to be seen: a statement for each delay."""
    now = timezone.now()
    late = Tournament.objects.filter(score_delay__gt=0, draws__released_at__gt=now - STILL_PLAYED)
    for delay in late.order_by().values_list("score_delay", flat=True).distinct():
        delayed = late.filter(score_delay=delay)
        for bracket in _came_in_sight(delayed, now - timedelta(minutes=delay or 0)):
            publish.publish_score(bracket)


def _came_in_sight(tournaments: QuerySet[Tournament], until: datetime) -> list[uuid.UUID]:
    since = until - timedelta(seconds=SWEEPS_BACK * settings.SWEEP_SECONDS)
    rows = Bracket.objects.filter(
        tournament__in=tournaments,
        rounds__pairings__match__state__in=(MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED),
        rounds__pairings__match__cards__rows__written_at__gt=since,
        rounds__pairings__match__cards__rows__written_at__lte=until,
    )
    return list(rows.values_list("pk", flat=True).distinct())
