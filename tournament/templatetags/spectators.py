"""Canonical addresses of public pages, and the players that a spectator follows."""

import uuid
from collections.abc import Collection
from typing import Any

from django import template
from django.http import HttpRequest

from tournament.pages.phones.address import for_phones, secret_address

register = template.Library()


@register.filter
def is_among(entry: uuid.UUID, followed: Collection[uuid.UUID]) -> bool:
    return entry in followed


@register.simple_tag(takes_context=True)
def canonical(context: dict[str, Any]) -> str:
    """Returns the address of this page with the host name that phones can reach.

    Without its query, but with the key that a visitor needs if the event or tournament is visible by link.
    """
    request: HttpRequest = context["request"]
    place = context.get("tournament") or context.get("event")
    return (
        for_phones(request, request.path) if place is None else secret_address(request, place, request.path)
    )
