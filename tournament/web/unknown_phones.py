"""The page for a phone without an open link."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.access import permissions
from tournament.models import Event


def unknown_phone(request: HttpRequest, tokens: Sequence[str], status: int) -> HttpResponse:
    """Says that the event is over if all events of these tokens are archived. Otherwise advises to scan a code."""
    event = _archived_event(tokens)
    if event is not None:
        return render(request, "errors/archived_event.html", {"event": event}, status=status)
    return render(request, "errors/unknown_phone.html", status=status)


def _archived_event(tokens: Sequence[str]) -> Event | None:
    """Returns the event of the first token that is not revoked; None if one of the events is open or in the bin."""
    events = [link.entry.tournament.event for link in permissions.any_links(tokens) if link.is_open]
    is_archived = all(event.closed_at is not None and event.deleted_at is None for event in events)
    return events[0] if events and is_archived else None
