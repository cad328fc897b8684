"""Rate limits: counts attempts per key in fixed windows, and returns the seconds until the next attempt.

Counts are kept in the broker and take one round trip. While the broker is away nothing is limited, because a full hall
matters more than a greedy program.

A limit with a `local_allowance` counts the first attempts in this process only, so that a normal client, such as a
phone that sends games, causes no round trip.
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
    """At most `max_attempts` in a window of `seconds`; 0 disables the limit.

    Each process keeps the first `local_allowance` attempts to itself and reports them with the next one. A client that
    uses up its limit in one process gets one more allowance in each of the others.
    """

    name: str
    max_attempts: int
    seconds: int = 60
    local_allowance: int = 0


class _BrokerState:
    """Remembers for BROKER_PAUSE_SECONDS that the broker is away, so that not every request waits for it."""

    away_until = 0.0


class _LocalCounts:
    """Attempts that are not reported to the broker yet: the current window of each limit, and counts by key."""

    def __init__(self) -> None:
        self._windows: dict[str, tuple[int, Counter[str]]] = {}
        self._lock = threading.Lock()

    def take(self, limit: Limit, key: str, now: float) -> int:
        """Counts an attempt. Returns how many attempts to report to the broker now, held back ones included."""
        if not limit.local_allowance:
            return 1
        with self._lock:
            current = int(now // limit.seconds)
            window, counts = self._windows.get(limit.name, (-1, Counter()))
            if window != current:
                counts = Counter()
                self._windows[limit.name] = current, counts
            counts[key] += 1
            attempts = counts[key]
        if attempts <= limit.local_allowance:
            return 0
        return attempts if attempts == limit.local_allowance + 1 else 1


_local_counts = _LocalCounts()


def seconds_to_wait(*limits: tuple[Limit, str]) -> int:
    """Counts an attempt for each limit and client key. Returns the seconds to wait; 0 if no limit is exceeded."""
    now = time.time()
    keys = [(limit, _key(limit, client, now)) for limit, client in limits if limit.max_attempts]
    reports = [(limit, key, count) for limit, key in keys if (count := _local_counts.take(limit, key, now))]
    if not reports or time.monotonic() < _BrokerState.away_until:
        return 0
    try:
        with _server.pipeline(transaction=False) as pipeline:
            for limit, key, count in reports:
                pipeline.incrby(key, count)
                pipeline.expire(key, limit.seconds * 2)
            totals = pipeline.execute()[::2]
    except redis.RedisError:
        _BrokerState.away_until = time.monotonic() + BROKER_PAUSE_SECONDS
        return 0
    exceeded = [
        limit for (limit, _, _), total in zip(reports, totals, strict=True) if int(total) > limit.max_attempts
    ]
    return max((limit.seconds - int(now % limit.seconds) for limit in exceeded), default=0)


def seconds_locked(limit: Limit, client: str) -> int:
    """Returns the seconds until the client may try again, without counting an attempt; 0 if it may now."""
    now = time.time()
    if not limit.max_attempts or time.monotonic() < _BrokerState.away_until:
        return 0
    try:
        attempts = int(_server.get(_key(limit, client, now)) or 0)
    except redis.RedisError:
        _BrokerState.away_until = time.monotonic() + BROKER_PAUSE_SECONDS
        return 0
    return limit.seconds - int(now % limit.seconds) if attempts > limit.max_attempts else 0


def _key(limit: Limit, client: str, now: float) -> str:
    return f"{settings.REDIS_PREFIX}tries:{limit.name}:{digest(client)[:32]}:{int(now // limit.seconds)}"
