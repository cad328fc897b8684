"""Celery tasks: front doors that take ids, call one work function each and are safe to repeat.

A worker keeps its database connection between tasks, so each begins by dropping one that has broken. While the database
is away a task does nothing, and the sweep finds what it left.
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
from tournament.events import cleanup
from tournament.live import delayed_scores
from tournament.records import checking
from tournament.results import report_sweep
from tournament.room import next_calls
from tournament.runtime import database_faults

SWEPT_KEY = "swept"


@shared_task
def advance(result_id: str) -> None:
    """Moves on whoever follows from one posted result."""
    with _connected():
        advancing.advance(uuid.UUID(result_id))


@shared_task(soft_time_limit=settings.RECORD_SECONDS, time_limit=settings.RECORD_SECONDS + 10)
def check_record(record_id: str) -> None:
    """Reads and judges one record; what cannot be judged in time is said to be so."""
    with _connected():
        try:
            checking.check_record(uuid.UUID(record_id))
        except SoftTimeLimitExceeded:
            checking.give_up(uuid.UUID(record_id))


@shared_task
def fill_room(room_id: str) -> None:
    """Calls whoever comes next to the free tables of a room that calls by itself."""
    with _connected():
        next_calls.call_automatically(uuid.UUID(room_id))


@shared_task
def sweep() -> None:
    """Finds what a lost message or a time-out left to do; a step that fails is told, and stops no other."""
    if not _is_due():
        return
    with _connected(), ExitStack() as steps:
        steps.callback(_run_step, cleanup.clean_up_if_due)
        steps.callback(_run_step, delayed_scores.publish_due_scores)
        steps.callback(_run_step, checking.sweep)
        steps.callback(_run_step, report_sweep.settle_reports)
        steps.callback(_run_step, next_calls.call_in_all_rooms)
        steps.callback(_run_step, advancing.advance_waiting)


@contextmanager
def _connected() -> Iterator[None]:
    """What the database meets with is told by `outages`, and is no fault of the task."""
    close_old_connections()
    try:
        yield
    except Error as error:
        if database_faults.record_fault(error) is None:
            raise


def _run_step(step: Callable[[], None]) -> None:
    """What the first step meets with says more than what all others meet with after it."""
    try:
        step()
    except Error as error:
        database_faults.record_fault(error)
        raise


def _is_due() -> bool:
    """False when somebody has just swept: of many sweeps that piled up while nobody worked, one is enough.

    Counted by the broker, so that it does not matter what the clocks of several machines say.
    """
    try:
        return cache.add(SWEPT_KEY, 1, timeout=max(1, int(settings.SWEEP_SECONDS / 2)))
    except RedisError:
        return True
