"""Browsers that look on by the thousand, in a process of their own: each has a live stream and notes what it is told.

`python -m deploy.bench.onlookers HOST PORT BRACKET MANY [PAGE]` says "here" once all streams are open, listens until
its standard input ends, and prints what was seen as JSON. With a page, each does what `live.js` does: told of a change
it waits a moment and asks for that part of the page. No Django, nothing of ours.
"""

import asyncio
import json
import random
import resource
import sys
import time
from dataclasses import asdict, dataclass, field

import uvloop

JITTER = 0.2  # as live.js waits
AT_ONCE = 50
COOKIES_OF_A_PHONE = b"Cookie: csrftoken=bench; link=bench; installed=1\r\n"
"""Half of the browsers send them."""


@dataclass
class Seen:
    """What all of them saw. `told`: for each the versions and when, by `time.perf_counter`; `shown`: seconds from
    being told until the answer was there; `answers` by their status, and their size in all; streams that broke."""

    told: list[tuple[list[int], list[float]]] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    bytes_sent: int = 0
    broken: int = 0


class Ear(asyncio.Protocol):
    """One live stream."""

    def __init__(self, request: bytes, seen: Seen) -> None:
        self.opened, self.changed = asyncio.Event(), asyncio.Event()
        self.changed_at = 0.0
        self.is_leaving = False
        self._request, self._seen, self._rest = request, seen, b""
        self._versions: list[int] = []
        self._moments: list[float] = []
        seen.told.append((self._versions, self._moments))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self._request)  # type: ignore[attr-defined]  # it is one that writes

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            words = line.split()
            if words[:1] != [b"data:"]:
                continue
            if len(words) == 3:
                self._note(int(words[2]), now)
            else:
                self.opened.set()

    def _note(self, version: int, now: float) -> None:
        """A later word never takes an earlier one back: what changed without a new version is told as version 0."""
        self._versions.append(max(version, self._versions[-1] if self._versions else 0))
        self._moments.append(now)
        if not self.changed.is_set():
            self.changed_at = now
            self.changed.set()

    def connection_lost(self, _why: Exception | None) -> None:
        self._seen.broken += not self.is_leaving


class Crowd:
    """So many of them."""

    def __init__(self, host: str, port: int, bracket: str, page: str) -> None:
        self.seen = Seen()
        self._address = host, port
        self._stream = f"GET /live/?bracket={bracket} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self._page = page
        self._come = 0
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._ears: list[Ear] = []
        self._asking: list[asyncio.Task[None]] = []

    async def come(self, many: int) -> None:
        await asyncio.gather(*(self._one() for _ in range(many)))

    async def go(self) -> None:
        for ear in self._ears:
            ear.is_leaving = True
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    async def _one(self) -> None:
        async with self._gate:
            loop = asyncio.get_running_loop()
            _, ear = await loop.create_connection(lambda: Ear(self._stream, self.seen), *self._address)
            await ear.opened.wait()
            self._ears.append(ear)
            if self._page:
                self._asking.append(asyncio.create_task(self._ask_for_ever(ear)))

    async def _ask_for_ever(self, ear: Ear) -> None:
        reader, writer = await asyncio.open_connection(*self._address)
        self._come += 1
        cookies, etag = COOKIES_OF_A_PHONE if self._come % 2 else b"", b""
        while True:
            await ear.changed.wait()
            at = ear.changed_at
            ear.changed.clear()
            await asyncio.sleep(random.uniform(0, JITTER))  # noqa: S311 (spreads requests)
            etag = await self._ask(reader, writer, cookies, etag)
            self.seen.shown.append(time.perf_counter() - at)

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cookies: bytes, etag: bytes
    ) -> bytes:
        """Returns the ETag of the answer."""
        known = b"If-None-Match: " + etag + b"\r\n" if etag else b""
        head = f"GET {self._page} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
        writer.write(head.encode() + cookies + known + b"\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")
        status = answer.split(b" ", 2)[1].decode()
        parts = (line.partition(b": ") for line in answer.split(b"\r\n")[1:])
        lines = {name.lower(): value for name, _, value in parts}
        size = int(lines.get(b"content-length", b"0")) if status != "304" else 0
        await reader.readexactly(size)
        self.seen.answers[status] = self.seen.answers.get(status, 0) + 1
        self.seen.bytes_sent += size
        return lines.get(b"etag", b"")


async def _look_on(host: str, port: int, bracket: str, many: int, page: str) -> Seen:
    crowd = Crowd(host, port, bracket, page)
    await crowd.come(many)
    print("here", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await crowd.go()
    return crowd.seen


def main() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    host, port, bracket, many, *page = sys.argv[1:]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        seen = runner.run(_look_on(host, int(port), bracket, int(many), page[0] if page else ""))
    print(json.dumps(asdict(seen)))


if __name__ == "__main__":
    main()
