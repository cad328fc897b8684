"""Celery tasks: front doors that take ids, call one work function each and are safe to repeat.

A worker keeps its database connection between tasks, so each begins by dropping one that has broken.
"""

import uuid
from contextlib import ExitStack

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import close_old_connections

from tournament import late_scores, progression, records, reports
from tournament.room import filling


@shared_task
def advance(result_id: str) -> None:
    """Moves on whoever follows from one posted result."""
    close_old_connections()
    progression.advance(uuid.UUID(result_id))


@shared_task(soft_time_limit=settings.RECORD_SECONDS, time_limit=settings.RECORD_SECONDS + 10)
def check_record(record_id: str) -> None:
    """Reads and judges one record; what cannot be judged in time is said to be so."""
    close_old_connections()
    try:
        records.check(uuid.UUID(record_id))
    except SoftTimeLimitExceeded:
        records.give_up(uuid.UUID(record_id))


@shared_task
def fill_room(room_id: str) -> None:
    """Calls whoever comes next to the free tables of a room that calls by itself."""
    close_old_connections()
    filling.fill_by_itself(uuid.UUID(room_id))


@shared_task
def sweep() -> None:
    """Finds what a lost message or a time-out left to do; a step that fails is told, and stops no other."""
    close_old_connections()
    with ExitStack() as steps:
        steps.callback(late_scores.tell_what_came_in_sight)
        steps.callback(records.check_waiting)
        steps.callback(reports.settle_waiting)
        steps.callback(filling.fill_waiting)
        steps.callback(progression.advance_waiting)
