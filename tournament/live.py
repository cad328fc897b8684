"""Says that something changed: "bracket 12 is at version 57", and nothing more.

Spoken only after a commit. A message that is lost costs a moment, never a result, so nothing here waits or raises.
"""

import logging
import uuid
from collections.abc import Mapping

import redis
from django.conf import settings

log = logging.getLogger(__name__)
CHANNEL = f"{settings.REDIS_PREFIX}live"
_server = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=0.2, socket_timeout=0.2, retry=None, health_check_interval=0
)


def announce(versions: Mapping[uuid.UUID, int]) -> None:
    """Tells every web process the new versions of these brackets."""
    try:
        for bracket, version in versions.items():
            _server.publish(CHANNEL, f"{bracket} {version}")
    except redis.RedisError as error:
        log.warning("live pages were not told of a change: %s", error)


def announce_score(bracket: uuid.UUID) -> None:
    """Tells every web process that a running score in this bracket changed."""
    announce({bracket: 0})


def is_reachable() -> bool:
    """Whether the broker answers; when it does not, advancing is delayed."""
    try:
        return bool(_server.ping())
    except redis.RedisError:
        return False
