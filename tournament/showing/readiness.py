"""Whether this installation can do its work, and how late advancing is. Reads only."""

from dataclasses import dataclass

from django.db import Error
from django.db.models import Count, Min
from django.utils import timezone

from tournament import live, outages
from tournament.models import Result

LATE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Readiness:
    """Nobody has moved on `waiting` results yet; `oldest_waiting` is the age in seconds of the oldest of them."""

    database: bool
    broker: bool
    waiting: int = 0
    oldest_waiting: float | None = None

    @property
    def is_ready(self) -> bool:
        """Results can be taken in. Without a broker they are: advancing is late then, nothing is lost."""
        return self.database

    @property
    def says(self) -> str:
        """For whoever looks after it: what to do next."""
        if not self.database:
            return "The database does not answer: no result can be taken in until it does. Start it."
        if not self.broker:
            return "The broker does not answer, or is full: results are kept and advance later. Start it or make room."
        if (self.oldest_waiting or 0) > LATE_SECONDS:
            return "A result waits to be advanced for long: are the workers and the clock running?"
        return "All is well."


def readiness() -> Readiness:
    """A database that is known to be away is asked for by whoever watches for its return: here nobody waits for it."""
    if outages.database.is_on:
        return Readiness(database=False, broker=live.is_reachable())
    try:
        waiting, oldest = _waiting()
    except Error:
        return Readiness(database=False, broker=live.is_reachable())
    return Readiness(database=True, broker=live.is_reachable(), waiting=waiting, oldest_waiting=oldest)


def _waiting() -> tuple[int, float | None]:
    results = Result.objects.filter(advanced_at__isnull=True)
    found = results.aggregate(waiting=Count("pk"), oldest=Min("posted_at"))
    if found["oldest"] is None:
        return 0, None
    return found["waiting"], max(0.0, (timezone.now() - found["oldest"]).total_seconds())
