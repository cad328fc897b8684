"""What workers did, counted in the broker, where every web process reads it: how often, how long, how many failed.

Counting never stops a task and never makes it fail. A broker that restarted empty begins again at nothing.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import redis
from django.conf import settings
from redis.exceptions import RedisError

FAILURE = "FAILURE"
SWEEP = "sweep"
SECONDS_TO_ANSWER = 0.2
_begun: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of task, since the broker began to count; `ended_at` is the moment of the last, in seconds of Unix."""

    task: str
    done: float
    failed: float
    seconds: float
    ended_at: float


@cache
def broker() -> "redis.Redis":
    """Made when it is asked for first: workers import this before there are settings."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=SECONDS_TO_ANSWER,
        socket_timeout=SECONDS_TO_ANSWER,
        retry=None,
        health_check_interval=0,
        decode_responses=True,
    )


def begins(task_id: str = "", **_: object) -> None:
    _begun[task_id] = time.perf_counter()


def ends(task_id: str = "", task: object = None, state: object = None, **_: object) -> None:
    seconds = time.perf_counter() - _begun.pop(task_id, time.perf_counter())
    name = str(getattr(task, "name", "")).rpartition(".")[2]
    with suppress(RedisError), broker().pipeline(transaction=False) as line:
        line.hincrbyfloat(_key(), f"{name} done", 1)
        line.hincrbyfloat(_key(), f"{name} failed", float(state == FAILURE))
        line.hincrbyfloat(_key(), f"{name} seconds", seconds)
        line.hset(_key(), f"{name} ended_at", str(time.time()))
        line.execute()


def told() -> list[Work]:
    """What was counted so far. Raises RedisError."""
    kept = {str(field): float(value) for field, value in broker().hgetall(_key()).items()}
    return sorted(_works(kept), key=lambda work: work.task)


def _key() -> str:
    return f"{settings.REDIS_PREFIX}tasks"


def _works(kept: dict[str, float]) -> Iterator[Work]:
    for task in {field.rpartition(" ")[0] for field in kept}:
        done, failed, seconds, ended_at = (
            kept.get(f"{task} {what}", 0.0) for what in ("done", "failed", "seconds", "ended_at")
        )
        yield Work(task, done, failed, seconds, ended_at)
