"""Names the channels that a live page subscribes to."""

import uuid
from collections.abc import Iterable

from django import template

from tournament.live import channels
from tournament.models import Tournament

register = template.Library()


@register.filter
def private_channel(channel: uuid.UUID | None) -> str:
    """Returns the channel of readers who see changes before spectators do."""
    return channels.private_channel(channel) if channel else ""


@register.filter
def desk_channels(brackets: Iterable[uuid.UUID], tournament: Tournament) -> str:
    """Joins the channels that publish every change of these brackets with commas."""
    return ",".join(name for bracket in brackets for name in channels.desk_channels(tournament, bracket))
