"""What a web process counts as it answers: requests, how long they took, live streams. Asks nobody anything.

Where several processes answer at one port, whoever asks for the figures meets any one of them: they count in files of
one folder, and each tells of all.
"""

import os
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
KINDS = {"api": "api", "static": "static", "healthz": "health", "readyz": "health", "metrics": "health"}
READING = ("GET", "HEAD", "OPTIONS")
HUNG_UP, BROKE = 499, 500

FOLDER = "PROMETHEUS_MULTIPROC_DIR"

disable_created_metrics()  # type: ignore[no-untyped-call]
COUNTED = CollectorRegistry()
ProcessCollector(registry=COUNTED)
REQUESTS = Counter(
    "director_requests",
    "Requests answered: of pages or the API, reading or writing, by class of status.",
    ["kind", "does", "status"],
    registry=COUNTED,
)
REQUEST_SECONDS = Histogram(
    "director_request_seconds",
    "From a request's head to the last of its answer.",
    ["kind", "does"],
    buckets=SECONDS,
    registry=COUNTED,
)
LIVE_STREAMS = Gauge(
    "director_live_streams", "Live streams that are open.", registry=COUNTED, multiprocess_mode="livesum"
)


def told() -> CollectorRegistry:
    """What was counted at this port: by this process, or by all that count in the same folder."""
    if FOLDER not in os.environ:
        return COUNTED
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


def forget_the_dead() -> None:
    """A process that was killed has no streams any more; what it answered stays counted."""
    if FOLDER not in os.environ:
        return
    for file in Path(os.environ[FOLDER]).glob("gauge_livesum_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except OSError:  # there is none, or somebody else's has its number by now
            with suppress(FileNotFoundError):  # another one that starts was quicker
                mark_process_dead(pid)  # type: ignore[no-untyped-call]


class Counted:
    """Stands before an application and counts its answers."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), HUNG_UP

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, told)
        except Exception:
            status = BROKE
            raise
        finally:
            kind = KINDS.get(scope["path"].lstrip("/").partition("/")[0], "page")
            does = "read" if scope["method"] in READING else "write"
            REQUESTS.labels(kind, does, f"{status // 100}xx").inc()
            REQUEST_SECONDS.labels(kind, does).observe(time.perf_counter() - began)
