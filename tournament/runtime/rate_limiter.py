"""Rate limits in fixed windows, counted in the broker by the library `limits`.

While the broker is away nothing is limited, because a full hall matters more than a greedy program.
The limits themselves stand beside what they limit: `api.rate_limits`, `web.page_rate_limits`, sign-in, roles.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import redis
from django.conf import settings
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from tournament.runtime.token_digest import digest

BROKER_PAUSE_SECONDS = 5.0
"""Time without attempts to reach a broker that failed, so that not every request waits for its timeout."""


@dataclass(frozen=True)
class Limit:
    """At most `max_attempts` in a window of `seconds`; 0 disables the limit."""

    name: str
    max_attempts: int
    seconds: int = 60

    @property
    def item(self) -> RateLimitItemPerSecond:
        return RateLimitItemPerSecond(self.max_attempts, self.seconds, self.name)


class Storage(RedisStorage):
    """Counts in Redis. Its parent would also import the client of Valkey, 3 MB in each process."""

    DEPENDENCIES = {"redis": RedisStorage.DEPENDENCIES["redis"]}


class BrokerCounts:
    """Counts attempts in the broker, by a digest of each client key."""

    def __init__(self, timeout_seconds: float) -> None:
        pool = redis.ConnectionPool.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=timeout_seconds,
            socket_timeout=timeout_seconds,
            retry=None,
            health_check_interval=0,
        )
        prefix = f"{settings.REDIS_PREFIX}limits"
        storage = Storage(settings.REDIS_URL, connection_pool=pool, key_prefix=prefix)
        self._limiter = FixedWindowRateLimiter(storage)
        self._away_until = 0.0

    def add(self, limit: Limit, client: str) -> int:
        """Counts an attempt. Returns the seconds to wait; 0 if the limit is not exceeded."""
        return self._seconds(limit, client, self._limiter.hit)

    def check(self, limit: Limit, client: str) -> int:
        """Returns the seconds to wait without counting an attempt."""
        return self._seconds(limit, client, lambda item, key: self._limiter.test(item, key, cost=0))

    def _seconds(
        self, limit: Limit, client: str, allows: Callable[[RateLimitItemPerSecond, str], bool]
    ) -> int:
        if not limit.max_attempts or time.monotonic() < self._away_until:
            return 0
        key = digest(client)[:32]
        try:
            if allows(limit.item, key):
                return 0
            window = self._limiter.get_window_stats(limit.item, key)
        except redis.RedisError:
            self._away_until = time.monotonic() + BROKER_PAUSE_SECONDS
            return 0
        return max(1, math.ceil(window.reset_time - time.time()))


broker_counts = BrokerCounts(timeout_seconds=0.2)


def seconds_to_wait(*limits: tuple[Limit, str]) -> int:
    """Counts an attempt for each limit and client key. Returns the seconds to wait; 0 if no limit is exceeded."""
    return max(broker_counts.add(limit, client) for limit, client in limits)


def seconds_locked(limit: Limit, client: str) -> int:
    """Returns the seconds until the client may try again, without counting an attempt; 0 if it may now."""
    return broker_counts.check(limit, client)
