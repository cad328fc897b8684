"""Names the channels that a live page subscribes to."""

import uuid

from django import template

from tournament.live import channels

register = template.Library()


@register.filter
def private_channel(channel: uuid.UUID | None) -> str:
    """Returns the channel of readers who see changes before spectators do."""
    return channels.private_channel(channel) if channel else ""
