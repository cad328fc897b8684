"""Celery tasks: front doors that take ids, call one work function each and are safe to repeat.

A worker keeps its database connection between tasks, so each begins by dropping one that has broken.
"""

import uuid

from celery import shared_task
from django.db import close_old_connections

from tournament import progression, reports


@shared_task
def advance(result_id: str) -> None:
    """Moves on whoever follows from one posted result."""
    close_old_connections()
    progression.advance(uuid.UUID(result_id))


@shared_task
def sweep() -> None:
    """Finds what a lost message or a time-out left to do."""
    close_old_connections()
    progression.advance_waiting()
    reports.settle_waiting()
