"""Collects the state of database, broker, queues and workers at each request for the metrics. Never raises.

If the database or the broker is down, its gauge is 0 and metrics that depend on it are omitted.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import Error, connection
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from deploy.monitoring import task_metrics
from matches.models import GameRecord, RecordState
from tournament.queries.readiness import health
from tournament.runtime.migration_state import Tables

VERSION = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
DATABASE_SIZE = "SELECT pg_database_size(current_database())"


class InstallationCollector(Collector):
    def collect(self) -> Iterator[Metric]:
        for name in ("director_build_info", "director_version"):
            version = GaugeMetricFamily(name, "The release of this web process.", labels=["version"])
            version.add_metric([VERSION], 1)
            yield version
        yield from _health_metrics()
        yield from _task_metrics()


def _health_metrics() -> Iterator[Metric]:
    state = health()
    yield _gauge("director_database_up", "1 if the database answers.", state.database)
    writable = state.database and state.is_writable
    yield _gauge("director_database_writable", "1 if the last write to the database succeeded.", writable)
    current = state.tables is Tables.CURRENT
    yield _gauge("director_tables_current", "1 if the tables belong to this release.", current)
    yield _gauge("director_broker_up", "1 if Redis answers.", state.broker)
    if not state.database or not current:
        return
    yield _gauge("director_results_waiting", "Results posted and not yet advanced.", state.waiting)
    yield _gauge(
        "director_oldest_result_waiting_seconds",
        "Age of the oldest result not yet advanced; 0 if none waits.",
        state.oldest_waiting or 0.0,
    )
    try:
        yield from _database_metrics()
    except Error:
        return


def _database_metrics() -> Iterator[Metric]:
    waiting = GameRecord.objects.filter(state=RecordState.WAITING).count()
    yield _gauge("director_records_waiting", "Game records that wait for their check.", waiting)
    yield _gauge("director_database_bytes", "The size of the database.", _database_size())


def _database_size() -> int:
    if connection.vendor == "sqlite":
        return Path(str(connection.settings_dict["NAME"])).stat().st_size
    with connection.cursor() as cursor:
        cursor.execute(DATABASE_SIZE)
        return int(cursor.fetchone()[0])


def _task_metrics() -> Iterator[Metric]:
    try:
        works = task_metrics.task_totals()
    except RedisError:
        return
    seconds = SummaryMetricFamily(
        "director_task_seconds", "Number and total duration of the workers' tasks.", labels=["task"]
    )
    failures = CounterMetricFamily("director_task_failures", "Failed tasks of the workers.", labels=["task"])
    for work in works:
        seconds.add_metric([work.task], count_value=int(work.runs), sum_value=work.seconds)
        failures.add_metric([work.task], work.failed)
        if work.task == task_metrics.SWEEP:
            yield _gauge(
                "director_last_sweep_timestamp_seconds",
                "End of the last sweep, in Unix seconds.",
                work.ended_at,
            )
    yield seconds
    yield failures


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=float(value))
