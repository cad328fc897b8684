"""Celery tasks: each takes an id, calls one work function and is idempotent.

A worker keeps its database connection between tasks, so each task first drops a broken one. While the database is away
a task does nothing; the sweep repeats its work later.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from django.db import Error, close_old_connections
from redis.exceptions import RedisError

from tournament.brackets import advancing
from tournament.drawing import round_release
from tournament.events import cleanup
from tournament.live import delayed_scores
from tournament.money import worth
from tournament.records import checking
from tournament.results import report_sweep
from tournament.room import next_calls
from tournament.runtime import database_faults

SWEPT_KEY = "swept"


@shared_task
def advance(result_id: str) -> None:
    """Advances the players of one posted result."""
    with _connected():
        advancing.advance(uuid.UUID(result_id))


@shared_task(soft_time_limit=settings.RECORD_SECONDS, time_limit=settings.RECORD_SECONDS + 10)
def check_record(record_id: str) -> None:
    """Checks one game record. After the time limit the record is marked as not checked."""
    with _connected():
        try:
            checking.check_record(uuid.UUID(record_id))
        except SoftTimeLimitExceeded:
            checking.give_up(uuid.UUID(record_id))


@shared_task
def fill_room(room_id: str) -> None:
    """Calls the next matches to free tables of a room with automatic calls."""
    with _connected():
        next_calls.call_automatically(uuid.UUID(room_id))


@shared_task
def compute_worth(tournament_id: str) -> None:
    """Computes and caches what the players of a tournament can expect to win."""
    with _connected():
        worth.compute_and_cache(uuid.UUID(tournament_id))


@shared_task
def sweep() -> None:
    """Repeats work whose message was lost or timed out. A failing step is logged and stops no other step."""
    if not _is_due():
        return
    with _connected(), ExitStack() as steps:
        steps.callback(_run_step, cleanup.clean_up_if_due)
        steps.callback(_run_step, delayed_scores.publish_due_scores)
        steps.callback(_run_step, checking.sweep)
        steps.callback(_run_step, report_sweep.settle_reports)
        steps.callback(_run_step, next_calls.call_in_all_rooms)
        steps.callback(_run_step, round_release.pair_due_rounds)
        steps.callback(_run_step, advancing.advance_waiting)


@contextmanager
def _connected() -> Iterator[None]:
    """Drops a broken connection, and records outages of the database instead of raising them."""
    close_old_connections()
    try:
        yield
    except Error as error:
        if database_faults.record_fault(error) is None:
            raise


def _run_step(step: Callable[[], None]) -> None:
    """Records a fault of the database at once, because the first error says more than the ones that follow."""
    try:
        step()
    except Error as error:
        database_faults.record_fault(error)
        raise


def _is_due() -> bool:
    """False shortly after another sweep, so that queued-up sweeps run once.

    Uses a key with a lifetime in the broker, independent of the clocks of several machines.
    """
    try:
        return cache.add(SWEPT_KEY, 1, timeout=max(1, int(settings.SWEEP_SECONDS / 2)))
    except RedisError:
        return True
