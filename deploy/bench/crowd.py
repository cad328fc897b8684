"""Spectators by the thousand: live streams in one thread, each noting when it was told of which version."""

import asyncio
import threading
import time
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit

AT_ONCE = 50
SECONDS_TO_GATHER = 60.0


class Crowd:
    """So many live streams of one bracket, open within the block."""

    def __init__(self, url: str, bracket: str, many: int) -> None:
        self._told: list[tuple[list[int], list[float]]] = [([], []) for _ in range(many)]
        self.is_broken = 0
        self._address = urlsplit(url)
        self._bracket, self._many = bracket, many
        self._here = 0
        self._all_here, self._over = threading.Event(), asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._all_here.wait(SECONDS_TO_GATHER):
            raise TimeoutError(f"Only {self._here} of {self._many} spectators could open a stream.")
        return self

    def __exit__(self, *_what: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def seen(self, results: Iterable[tuple[float, int]]) -> list[float]:
        """For each result (its moment by `time.perf_counter`, the version that shows it) and each spectator, the
        seconds until they were told of that version or a later one; nothing for one who never was."""
        return [
            moments[place] - began
            for began, version in results
            for versions, moments in self._told
            if (place := bisect_left(versions, version)) < len(versions)
        ]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen_all())
        self._loop.close()

    async def _listen_all(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)
        listening = [asyncio.ensure_future(self._listen(gate, *told)) for told in self._told]
        await self._over.wait()
        for one in listening:
            one.cancel()
        await asyncio.gather(*listening, return_exceptions=True)

    async def _listen(self, gate: asyncio.Semaphore, versions: list[int], moments: list[float]) -> None:
        async with gate:
            reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
            writer.write(f"GET /live/?bracket={self._bracket} HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
            await reader.readuntil(b"event: open")
        self._here += 1
        if self._here == self._many:
            self._all_here.set()
        with suppress(asyncio.CancelledError):
            while line := await reader.readline():
                words = line.split()
                if words[:1] == [b"data:"] and len(words) == 3:
                    versions.append(max(int(words[2]), versions[-1] if versions else 0))
                    moments.append(time.perf_counter())
            self.is_broken += 1
        writer.transport.abort()
