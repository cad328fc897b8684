"""Queues tasks after a commit. Unprocessed rows are the outbox: the sweep finds a row whose message was lost.

No function here waits for the broker or raises.
"""

import uuid
from collections.abc import Iterable

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import ResponseError

from tournament.runtime import database_faults

ADVANCE = "tournament.tasks.advance"
CHECK_RECORD = "tournament.tasks.check_record"
FILL_ROOM = "tournament.tasks.fill_room"
COMPUTE_WORTH = "tournament.tasks.compute_worth"


def warm_up() -> None:
    """Imports what the first message needs, so that no result waits for the import. Connects to nothing."""
    _ = current_app.connection_for_write().transport, current_app.amqp.send_task_message, current_app.tasks


def enqueue_advances(results: Iterable[uuid.UUID]) -> None:
    for result in results:
        _send(ADVANCE, result)


def enqueue_record_checks(records: Iterable[uuid.UUID]) -> None:
    for record in records:
        _send(CHECK_RECORD, record)


def enqueue_room_filling(room: uuid.UUID) -> None:
    """Queues the calling of the next matches in a room."""
    _send(FILL_ROOM, room)


def enqueue_worth(tournament: uuid.UUID) -> None:
    """Queues the computation of what the players of a tournament can expect to win."""
    _send(COMPUTE_WORTH, tournament)


def _send(task: str, row: uuid.UUID) -> None:
    try:
        current_app.send_task(task, args=[str(row)], retry=False)
    except OperationalError as error:
        is_refused = isinstance(error.__cause__, ResponseError)  # the broker answers, so it is not away
        (database_faults.messages if is_refused else database_faults.broker).failed(error)
    else:
        database_faults.broker.succeeded()
        database_faults.messages.succeeded()
