"""Counts the workers' tasks in the broker, where every web process can read them: runs, failures and duration.

An error while counting does not affect the task. The counters restart at 0 when the broker loses its data.
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
TIMEOUT_SECONDS = 0.2
_started_at: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class TaskTotals:
    """Totals of one kind of task. `seconds` is the sum of durations, `ended_at` the Unix time of the last end."""

    task: str
    runs: float
    failed: float
    seconds: float
    ended_at: float


@cache
def broker() -> "redis.Redis":
    """Created at the first call, because workers import this module before the settings are ready."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        retry=None,
        health_check_interval=0,
        decode_responses=True,
    )


def task_started(task_id: str = "", **_: object) -> None:
    _started_at[task_id] = time.perf_counter()


def task_ended(task_id: str = "", task: object = None, state: object = None, **_: object) -> None:
    seconds = time.perf_counter() - _started_at.pop(task_id, time.perf_counter())
    name = str(getattr(task, "name", "")).rpartition(".")[2]
    with suppress(RedisError), broker().pipeline(transaction=False) as line:
        line.hincrbyfloat(_redis_key(), f"{name} done", 1)
        line.hincrbyfloat(_redis_key(), f"{name} failed", float(state == FAILURE))
        line.hincrbyfloat(_redis_key(), f"{name} seconds", seconds)
        line.hset(_redis_key(), f"{name} ended_at", str(time.time()))
        line.execute()


def task_totals() -> list[TaskTotals]:
    """Returns the totals per task, sorted by name. Raises RedisError."""
    values = {str(field): float(value) for field, value in broker().hgetall(_redis_key()).items()}
    return sorted(_parse_totals(values), key=lambda work: work.task)


def _redis_key() -> str:
    return f"{settings.REDIS_PREFIX}tasks"


def _parse_totals(values: dict[str, float]) -> Iterator[TaskTotals]:
    for task in {field.rpartition(" ")[0] for field in values}:
        done, failed, seconds, ended_at = (
            values.get(f"{task} {value_name}", 0.0)
            for value_name in ("done", "failed", "seconds", "ended_at")
        )
        yield TaskTotals(task, done, failed, seconds, ended_at)
