"""Which channels a live page follows."""

import uuid
from collections.abc import Iterable

from django import template

from tournament import insiders

register = template.Library()


@register.filter
def inside(channel: uuid.UUID | None) -> str:
    """The channel beside this one, for pages of those who may know everything at once."""
    return insiders.inside(channel) if channel else ""


@register.filter
def with_inside(channels: Iterable[uuid.UUID]) -> str:
    """These channels, each with the one beside it, as a page names them."""
    return ",".join(f"{one},{insiders.inside(one)}" for one in channels)
