"""Counts how often somebody asks, and says how long they have to wait when it was too often.

Counted in the broker, by whole spans of time, with one way there and back. While it is away everybody is let through:
a full hall matters more than a greedy program. Nothing here knows who somebody is or what they ask.

Most who ask often are allowed to, and never come near their limit. Their first tries are counted in this process alone
and told to the broker together, so that a game costs no way to it.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass

import redis
from django.conf import settings

from tournament.runtime.token_digest import digest

BROKER_PAUSE_SECONDS = 5.0
_server = redis.Redis.from_url(
    settings.REDIS_URL, socket_connect_timeout=0.2, socket_timeout=0.2, retry=None, health_check_interval=0
)


@dataclass(frozen=True)
class Limit:
    """So many tries in so many seconds; none at all to mean that nothing is counted.

    The first `at_hand` of them are kept back by each process that answers. So whoever asks one of them up to the limit
    gets so many more from each of the others, and whoever asks all alike gets no more than `most`.
    """

    name: str
    max_attempts: int
    seconds: int = 60
    local_allowance: int = 0


class _BrokerState:
    """Remembers for a moment that nobody counts, so that not each request finds out anew."""

    away_until = 0.0


class _LocalCounts:
    """Tries that the broker does not know of yet: for each limit the span they are of, and how many by key."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, Counter[str]]] = {}
        self._lock = threading.Lock()

    def take(self, limit: Limit, key: str, now: float) -> int:
        """One more try; how many the broker is to be told of now, all that were kept back among them."""
        if not limit.local_allowance:
            return 1
        with self._lock:
            span, kept = self._kept.get(limit.name, (-1, Counter()))
            if span != int(now // limit.seconds):
                span, kept = self._kept[limit.name] = int(now // limit.seconds), Counter()
            kept[key] += 1
            tries = kept[key]
        if tries <= limit.local_allowance:
            return 0
        return tries if tries == limit.local_allowance + 1 else 1


_local_counts = _LocalCounts()


def seconds_to_wait(*limits: tuple[Limit, str]) -> int:
    """Counts one try for each limit and whom it is held against; the seconds until the next, 0 when it may go on."""
    now = time.time()
    counted = [(limit, _key(limit, who, now)) for limit, who in limits if limit.max_attempts]
    told = [(limit, key, tries) for limit, key in counted if (tries := _local_counts.take(limit, key, now))]
    if not told or time.monotonic() < _BrokerState.away_until:
        return 0
    try:
        with _server.pipeline(transaction=False) as pipeline:
            for limit, key, tries in told:
                pipeline.incrby(key, tries)
                pipeline.expire(key, limit.seconds * 2)
            so_far = pipeline.execute()[::2]
    except redis.RedisError:
        _BrokerState.away_until = time.monotonic() + BROKER_PAUSE_SECONDS
        return 0
    over = [
        limit for (limit, _, _), tried in zip(told, so_far, strict=True) if int(tried) > limit.max_attempts
    ]
    return max((limit.seconds - int(now % limit.seconds) for limit in over), default=0)


def seconds_locked(limit: Limit, who: str) -> int:
    """The seconds until `who` may try again, without counting a try; 0 when they may now."""
    now = time.time()
    if not limit.max_attempts or time.monotonic() < _BrokerState.away_until:
        return 0
    try:
        tried = int(_server.get(_key(limit, who, now)) or 0)
    except redis.RedisError:
        _BrokerState.away_until = time.monotonic() + BROKER_PAUSE_SECONDS
        return 0
    return limit.seconds - int(now % limit.seconds) if tried > limit.max_attempts else 0


def _key(limit: Limit, who: str, now: float) -> str:
    return f"{settings.REDIS_PREFIX}tries:{limit.name}:{digest(who)[:32]}:{int(now // limit.seconds)}"
