"""Celery tasks: front doors that take ids, call one work function each and are safe to repeat."""

import uuid

from celery import shared_task

from tournament import progression, reports


@shared_task
def advance(result_id: str) -> None:
    """Moves on whoever follows from one posted result."""
    progression.advance(uuid.UUID(result_id))


@shared_task
def sweep() -> None:
    """Finds what a lost message or a time-out left to do."""
    progression.advance_waiting()
    reports.settle_waiting()
