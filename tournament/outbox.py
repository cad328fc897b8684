"""Wakes the workers after a commit. The rows not yet advanced are the real queue; a lost wake-up costs a sweep."""

import logging
import uuid
from collections.abc import Iterable

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)
ADVANCE = "tournament.tasks.advance"


def prepare() -> None:
    """Loads what the first wake-up needs, so that no result waits for that. Connects to nothing."""
    _ = current_app.connection_for_write().transport, current_app.amqp.send_task_message, current_app.tasks


def wake(results: Iterable[uuid.UUID]) -> None:
    """Queues the advancing of posted results; never waits for a broker that is gone, never raises."""
    for result in results:
        try:
            current_app.send_task(ADVANCE, args=[str(result)], retry=False)
        except OperationalError as error:
            log.warning("the broker is away; result %s waits for the sweep: %s", result, error)
