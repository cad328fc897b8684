"""Counts how often somebody asks, and says how long they have to wait when it was too often.

Counted in the broker, by whole spans of time, with one way there and back. While it is away everybody is let through:
a full hall matters more than a greedy program. Nothing here knows who somebody is or what they ask.
"""

import time
from dataclasses import dataclass

import redis
from django.conf import settings

from tournament.access import digest

NOT_COUNTED_SECONDS = 5.0
_server = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=0.2, socket_timeout=0.2, retry=None, health_check_interval=0
)


@dataclass(frozen=True)
class Limit:
    """So many tries in so many seconds; none at all to mean that nothing is counted."""

    name: str
    most: int
    seconds: int = 60


class _Broker:
    """Remembers for a moment that nobody counts, so that not each request finds out anew."""

    away_until = 0.0


def wait(*limits: tuple[Limit, str]) -> int:
    """Counts one try for each limit and whom it is held against; the seconds until the next, 0 when it may go on."""
    counted = [(limit, who) for limit, who in limits if limit.most]
    if not counted or time.monotonic() < _Broker.away_until:
        return 0
    now = time.time()
    try:
        with _server.pipeline(transaction=False) as pipeline:
            for limit, who in counted:
                key = f"{settings.REDIS_PREFIX}tries:{limit.name}:{digest(who)[:32]}:{int(now // limit.seconds)}"
                pipeline.incr(key)
                pipeline.expire(key, limit.seconds * 2)
            tries = pipeline.execute()[::2]
    except redis.RedisError:
        _Broker.away_until = time.monotonic() + NOT_COUNTED_SECONDS
        return 0
    over = [limit for (limit, _), tried in zip(counted, tries, strict=True) if int(tried) > limit.most]
    return max((limit.seconds - int(now % limit.seconds) for limit in over), default=0)
