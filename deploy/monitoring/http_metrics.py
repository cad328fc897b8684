"""Counts requests, their duration and live streams in a web process.

Several processes at one port share files in one folder, so that each of them can report the sum.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from deploy.asgi_call import App, Message, Receive, Scope, Send

DURATION_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
KINDS_BY_SEGMENT = {
    "api": "api",
    "static": "static",
    "healthz": "health",
    "readyz": "health",
    "metrics": "health",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
CLIENT_CLOSED_REQUEST, SERVER_ERROR = 499, 500

METRICS_DIR = "PROMETHEUS_MULTIPROC_DIR"

disable_created_metrics()  # type: ignore[no-untyped-call]
HTTP_METRICS = CollectorRegistry()
ProcessCollector(registry=HTTP_METRICS)
REQUESTS = Counter(
    "director_requests",
    "Requests by kind (page, api, static, health), read or write, and status class.",
    ["kind", "does", "status"],
    registry=HTTP_METRICS,
)
REQUEST_SECONDS = Histogram(
    "director_request_seconds",
    "Seconds from the request headers to the end of the response.",
    ["kind", "does"],
    buckets=DURATION_BUCKETS,
    registry=HTTP_METRICS,
)
LIVE_STREAMS = Gauge(
    "director_live_streams", "Open live streams.", registry=HTTP_METRICS, multiprocess_mode="livesum"
)


def collected_registry() -> CollectorRegistry:
    """Returns the counters of this process, or of all processes that share the folder."""
    if METRICS_DIR not in os.environ:
        return HTTP_METRICS
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def remove_dead_processes() -> None:
    """Removes the gauges of processes that were killed. Their request counters stay."""
    if METRICS_DIR not in os.environ:
        return
    for file in Path(os.environ[METRICS_DIR]).glob("gauge_livesum_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except OSError:  # no such process, or its number now belongs to another user
            with suppress(FileNotFoundError):  # another starting process removed it first
                mark_process_dead(pid)  # type: ignore[no-untyped-call]


class RequestMetrics:
    """ASGI middleware that counts responses."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started_at, status = time.perf_counter(), CLIENT_CLOSED_REQUEST

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note_status)
        except Exception:
            status = SERVER_ERROR
            raise
        finally:
            kind = KINDS_BY_SEGMENT.get(scope["path"].lstrip("/").partition("/")[0], "page")
            does = "read" if scope["method"] in SAFE_METHODS else "write"
            REQUESTS.labels(kind, does, f"{status // 100}xx").inc()
            REQUEST_SECONDS.labels(kind, does).observe(time.perf_counter() - started_at)
