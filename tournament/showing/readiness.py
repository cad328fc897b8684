"""Whether this installation can do its work, and how late advancing is. Reads only."""

from dataclasses import dataclass

from django.db import Error
from django.utils import timezone

from tournament import live
from tournament.models import Result


@dataclass(frozen=True, slots=True)
class Readiness:
    """`oldest_waiting` is the age in seconds of the oldest result that nobody has moved on yet; None without one."""

    database: bool
    broker: bool
    oldest_waiting: float | None

    @property
    def is_ready(self) -> bool:
        """Results can be taken in. Without a broker they are: advancing is late then, nothing is lost."""
        return self.database


def readiness() -> Readiness:
    try:
        return Readiness(database=True, broker=live.is_reachable(), oldest_waiting=_oldest_waiting())
    except Error:
        return Readiness(database=False, broker=live.is_reachable(), oldest_waiting=None)


def _oldest_waiting() -> float | None:
    waiting = Result.objects.filter(advanced_at__isnull=True).order_by("posted_at")
    posted_at = waiting.values_list("posted_at", flat=True).first()
    return max(0.0, (timezone.now() - posted_at).total_seconds()) if posted_at else None
