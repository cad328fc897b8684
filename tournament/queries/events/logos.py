"""Logos of events. Reads only."""

import uuid

from tournament.models import Event, EventLogo
from tournament.runtime.errors import NotFound


def find_logo(event: Event, logo_id: uuid.UUID) -> EventLogo:
    """The current logo with its bytes. Raises NotFound for any other."""
    logo = EventLogo.objects.filter(event=event, pk=logo_id, removed_at__isnull=True).first()
    if logo is None:
        raise NotFound
    return logo
