"""Says that something changed: "bracket 12 is at version 57", and nothing more.

Spoken only after a commit. A message that is lost costs a moment, never a result, so nothing here waits or raises.
"""

import threading
import uuid
from collections.abc import Iterable, Mapping, Sequence

import redis
from django.conf import settings

from tournament.runtime import database_faults

CHANNEL = f"{settings.REDIS_PREFIX}live"
# Whatever anybody knew may have changed.
EVERYTHING = "everything"
# What let somebody in, named behind it, does so no longer.
REVOKED = "ended"
_were_lost = threading.Event()
_server = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=0.2, socket_timeout=0.2, retry=None, health_check_interval=0
)


def publish_changes(versions: Mapping[uuid.UUID, int] | Mapping[str, int]) -> None:
    """Tells every web process the new versions of these brackets."""
    _publish([f"{bracket} {version}" for bracket, version in versions.items()])


def publish_score(bracket: uuid.UUID) -> None:
    """Tells every web process that a running score in this bracket changed."""
    publish_changes({bracket: 0})


def publish_revocations(ways_in: Iterable[str]) -> None:
    """Tells every web process that these may let nobody in any more: private streams that rest on them are cut."""
    _publish([f"{REVOKED} {one}" for one in ways_in])


def is_reachable() -> bool:
    """Whether the broker answers and takes what it is given; when it does not, advancing is delayed."""
    try:
        return bool(_server.set(f"{settings.REDIS_PREFIX}asked", 1, ex=1))
    except redis.RedisError:
        return False


def _publish(words: Sequence[str]) -> None:
    """All of them in one message; and that there was more, where the last ones were lost."""
    if not words:
        return
    lost = [EVERYTHING] if _were_lost.is_set() else []
    _were_lost.clear()
    try:
        _server.publish(CHANNEL, "\n".join((*lost, *words)))
    except redis.RedisError as error:
        _were_lost.set()
        database_faults.broker.failed(error)
    else:
        database_faults.broker.succeeded()
