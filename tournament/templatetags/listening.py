"""Names the channels that a live page subscribes to."""

import uuid
from collections.abc import Iterable

from django import template

from tournament.live import channels

register = template.Library()


@register.filter
def private_channel(channel: uuid.UUID | None) -> str:
    """Returns the channel of readers who see changes before spectators do."""
    return channels.private_channel(channel) if channel else ""


@register.filter
def with_private_channels(public_channels: Iterable[uuid.UUID], delay: int | None) -> str:
    """Joins the channels with commas, with their private channels if scores are delayed."""
    names: list[str] = []
    for channel in public_channels:
        names.append(str(channel))
        if delay != 0:
            names.append(channels.private_channel(channel))
    return ",".join(names)
