"""Readiness: reports if results can be saved, and how late advancing is. Reads only."""

from dataclasses import dataclass

from django.db import Error
from django.db.models import Count, Min
from django.utils import timezone

from tournament.models import Result
from tournament.runtime import database_faults, publish, write_probe
from tournament.runtime.migration_state import SENTENCES, Tables, state_of_tables

LATE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Readiness:
    """`waiting` results are not advanced yet; `oldest_waiting` is the age in seconds of the oldest of them."""

    database: bool
    broker: bool
    is_writable: bool = True
    tables: Tables = Tables.CURRENT
    waiting: int = 0
    oldest_waiting: float | None = None

    @property
    def is_ready(self) -> bool:
        """True if results can be saved. They can without a broker: advancing is then late, and nothing is lost."""
        return self.database and self.is_writable and self.tables is Tables.CURRENT

    @property
    def says(self) -> str:
        """Describes the fault and the operator's next step."""
        if not self.database:
            return "The database does not answer: no result can be taken in until it does. Start it."
        if self.tables is not Tables.CURRENT:
            return str(SENTENCES[self.tables])
        if not self.is_writable:
            return "The database cannot write: no result can be taken in. Make room on its disk."
        if not self.broker:
            return "Redis does not answer, or is full: results are kept and advance later. Start it or make room."
        if (self.oldest_waiting or 0) > LATE_SECONDS:
            return "A result waits to be advanced for long: are the workers and the clock running?"
        return "All is well."


def health() -> Readiness:
    """Readiness for health checks: also checks the tables' release, and probes a write."""
    write_probe.probe()
    try:
        tables = Tables.CURRENT if database_faults.database.is_active else state_of_tables()
    except Error:
        return Readiness(database=False, broker=publish.is_reachable())
    if tables is not Tables.CURRENT:
        return Readiness(database=True, broker=publish.is_reachable(), tables=tables)
    return readiness()


def readiness() -> Readiness:
    """Readiness without waiting for a database that is known to be away."""
    if database_faults.database.is_active:
        return Readiness(database=False, broker=publish.is_reachable())
    try:
        waiting, oldest = _waiting_results()
    except Error:
        return Readiness(database=False, broker=publish.is_reachable())
    return Readiness(
        database=True,
        broker=publish.is_reachable(),
        is_writable=not database_faults.disk.is_active,
        waiting=waiting,
        oldest_waiting=oldest,
    )


def _waiting_results() -> tuple[int, float | None]:
    results = Result.objects.filter(advanced_at__isnull=True)
    totals = results.aggregate(waiting=Count("pk"), oldest=Min("posted_at"))
    if totals["oldest"] is None:
        return 0, None
    return totals["waiting"], max(0.0, (timezone.now() - totals["oldest"]).total_seconds())
