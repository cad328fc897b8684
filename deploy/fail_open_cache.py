"""A Redis cache that fails open: while Redis is down, `get` finds nothing and `add` succeeds."""

from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class FailOpenCache(RedisCache):
    """Rate limits and markers in this cache do not block requests while Redis is down."""

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
