"""Publishes changes to the web processes: a message such as "bracket 12 is at version 57", without content.

Call after the commit. A lost message delays a page and loses no result, so nothing here waits or raises.
"""

import threading
import uuid
from collections.abc import Iterable, Mapping, Sequence

import redis
from django.conf import settings

from tournament.runtime import database_faults

CHANNEL = f"{settings.REDIS_PREFIX}live"
PRIVATE_PREFIX = "inside-"
"""Begins the names of channels that need a permission."""
# Tells subscribers that messages were lost, so anything may have changed.
EVERYTHING = "everything"
# Precedes a revoked session, link or token.
REVOKED = "ended"
_were_lost = threading.Event()
_server = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=0.2, socket_timeout=0.2, retry=None, health_check_interval=0
)


def publish_changes(versions: Mapping[uuid.UUID, int] | Mapping[str, int]) -> None:
    _publish([f"{bracket} {version}" for bracket, version in versions.items()])


def publish_score(bracket: uuid.UUID) -> None:
    """Publishes that a running score in this bracket changed."""
    publish_changes({bracket: 0})


def publish_revocations(credentials: Iterable[str]) -> None:
    """Publishes revoked credentials. Every web process closes the private streams that use them."""
    _publish([f"{REVOKED} {credential}" for credential in credentials])


def is_reachable() -> bool:
    """True if the broker answers and accepts writes; otherwise advancing is delayed."""
    try:
        return bool(_server.set(f"{settings.REDIS_PREFIX}asked", 1, ex=1))
    except redis.RedisError:
        return False


def _publish(lines: Sequence[str]) -> None:
    """Sends all lines in one message, after EVERYTHING if an earlier message was lost."""
    if not lines:
        return
    lost = [EVERYTHING] if _were_lost.is_set() else []
    _were_lost.clear()
    try:
        _server.publish(CHANNEL, "\n".join((*lost, *lines)))
    except redis.RedisError as error:
        _were_lost.set()
        database_faults.broker.failed(error)
    else:
        database_faults.broker.succeeded()
