"""Wakes the workers after a commit. The rows that wait are the real queue; a lost wake-up costs a sweep."""

import logging
import uuid
from collections.abc import Iterable

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)
ADVANCE = "tournament.tasks.advance"
CHECK_RECORD = "tournament.tasks.check_record"
FILL_ROOM = "tournament.tasks.fill_room"
# Workers take results first; the higher the figure, the later.
AFTER_RESULTS = 9


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


def wake_for_records(records: Iterable[uuid.UUID]) -> None:
    """Queues the checking of records, behind every result; never waits, never raises."""
    for record in records:
        try:
            current_app.send_task(CHECK_RECORD, args=[str(record)], retry=False, priority=AFTER_RESULTS)
        except OperationalError as error:
            log.warning("the broker is away; record %s waits for the sweep: %s", record, error)


def wake_for_room(room: uuid.UUID) -> None:
    """Queues the calling of whoever comes next; never waits, never raises."""
    try:
        current_app.send_task(FILL_ROOM, args=[str(room)], retry=False)
    except OperationalError as error:
        log.warning("the broker is away; room %s waits for the sweep: %s", room, error)
