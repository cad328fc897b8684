"""Which channels a live page follows."""

import uuid
from collections.abc import Iterable

from django import template

from tournament.live import channels as insiders

register = template.Library()


@register.filter
def inside(channel: uuid.UUID | None) -> str:
    """The channel beside this one, for pages of those who may know everything at once."""
    return insiders.private_channel(channel) if channel else ""


@register.filter
def with_inside(channels: Iterable[uuid.UUID], delay: int | None) -> str:
    """These channels as a page names them, with the ones beside them where scores are held back."""
    names = ([one] if delay == 0 else [one, insiders.private_channel(one)] for one in channels)
    return ",".join(str(name) for both in names for name in both)
