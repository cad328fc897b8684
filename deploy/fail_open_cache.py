"""A cache whose absence stops nobody: while Redis is away nothing is found in it and everything can be added."""

from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class FailOpenCache(RedisCache):
    """Rate limits and markers kept here fail open, like the limits of `tournament.tries`."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError:
            return default

    def add(self, *args: Any, **more: Any) -> bool:
        try:
            return bool(super().add(*args, **more))
        except RedisError:
            return True

    def set(self, *args: Any, **more: Any) -> None:
        try:
            super().set(*args, **more)
        except RedisError:
            return

    def delete(self, *args: Any, **more: Any) -> bool:
        try:
            return bool(super().delete(*args, **more))
        except RedisError:
            return False
