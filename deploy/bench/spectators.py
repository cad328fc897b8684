"""Spectators with live streams, in a process of their own so that they leave the bench's process its time.

`python -m deploy.bench.spectators HOST PORT BRACKET COUNT` prints "ready" once all streams are open. It listens until
its standard input ends and all have received the version that was written there, and prints a log as JSON. The module
imports neither Django nor the product.
"""

import asyncio
import json
import resource
import select
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import uvloop

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_CONNECT = 60.0
SECONDS_TO_ARRIVE = 30.0
CONNECTING_AT_ONCE = 50
POLL_SECONDS = 0.05


@dataclass
class StreamLog:
    """`received`: for each stream the versions and the times (`time.perf_counter`); `broken`: streams that closed."""

    received: list[tuple[list[int], list[float]]] = field(default_factory=list)
    broken: int = 0


class Spectators:
    """`count` live streams of one bracket, open within the block or until the log is read."""

    def __init__(self, url: str, bracket: str, count: int) -> None:
        address = urlsplit(url)
        self._count = count
        self._log: StreamLog | None = None
        self._arguments = [str(address.hostname), str(address.port), bracket, str(count)]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "deploy.bench.spectators", *self._arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        output = self._process.stdout
        if (
            output is None
            or not select.select([output], [], [], SECONDS_TO_CONNECT)[0]
            or not output.readline()
        ):
            self._process.kill()
            self._process.communicate()
            raise TimeoutError(f"Not all of {self._count} spectators could open a stream.")
        return self

    def __exit__(self, *_error: object) -> None:
        if self._process.poll() is None:
            self._process.communicate()

    def close(self, last_version: int = 0) -> StreamLog:
        """Closes the streams when each has received this version, at the latest after SECONDS_TO_ARRIVE."""
        if self._log is None:
            output, _ = self._process.communicate(str(last_version))
            self._log = StreamLog(**json.loads(output))
        return self._log

    def delays(self, changes: Collection[tuple[float, int]]) -> list[float]:
        """For each change (its time by `time.perf_counter`, its version) and each spectator, the seconds until the
        spectator received that version or a later one. Spectators who never did are left out.

        Closes the streams."""
        log = self.close(max((version for _, version in changes), default=0))
        return [
            times[place] - began
            for began, version in changes
            for versions, times in log.received
            if (place := bisect_left(versions, version)) < len(versions)
        ]


class _Stream(asyncio.Protocol):
    def __init__(self, request: bytes, log: StreamLog) -> None:
        self.opened = asyncio.Event()
        self.is_closing = False
        self._request, self._log, self._rest = request, log, b""
        self._versions: list[int] = []
        self._times: list[float] = []
        log.received.append((self._versions, self._times))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self._request)  # type: ignore[attr-defined]  # it is a WriteTransport

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            words = line.split()
            if words[:1] != [b"data:"]:
                continue
            if len(words) == 3:
                self._record(int(words[2]), now)
            else:
                self.opened.set()

    def has_received(self, version: int) -> bool:
        return version == 0 or (bool(self._versions) and self._versions[-1] >= version)

    def _record(self, version: int, now: float) -> None:
        """Versions never decrease: a change without a new version is published as version 0."""
        self._versions.append(max(version, self._versions[-1] if self._versions else 0))
        self._times.append(now)

    def connection_lost(self, _error: Exception | None) -> None:
        self._log.broken += not self.is_closing


async def _follow(host: str, port: int, bracket: str, count: int) -> StreamLog:
    log, gate, loop = StreamLog(), asyncio.Semaphore(CONNECTING_AT_ONCE), asyncio.get_running_loop()
    request = f"GET /live/?bracket={bracket} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    async def open_stream() -> _Stream:
        async with gate:
            _, stream = await loop.create_connection(lambda: _Stream(request, log), host, port)
            await stream.opened.wait()
            return stream

    streams = await asyncio.gather(*(open_stream() for _ in range(count)))
    print("ready", flush=True)
    last_version = int(await loop.run_in_executor(None, sys.stdin.read) or 0)
    deadline = time.monotonic() + SECONDS_TO_ARRIVE
    while not all(stream.has_received(last_version) for stream in streams) and time.monotonic() < deadline:
        await asyncio.sleep(POLL_SECONDS)
    for stream in streams:
        stream.is_closing = True
    return log


def main() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, port, bracket, count = sys.argv[1:]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        log = runner.run(_follow(host, int(port), bracket, int(count)))
    print(json.dumps(asdict(log)))


if __name__ == "__main__":
    main()
