"""The lock on an event: on its settings, its logo, screens, slides and kiosk, and on its book."""

import uuid

from tournament.models import Event


def lock_event(event_id: uuid.UUID) -> Event:
    """Locks the event, also one in the bin, until the transaction ends, and returns it; the only function that does.

    Call it in a transaction. Who also needs the lock on a tournament takes that first. Raises Event.DoesNotExist. Rows
    that only refer to the event, such as a journal line, do not wait for the lock.
    """
    return Event.with_deleted.select_for_update(no_key=True).get(pk=event_id)
