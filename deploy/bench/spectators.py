"""What a thousand browsers cost that look on: each is told of a change, waits a moment, and asks for the live part.

Games are entered at a steady rate in as many matches as there are; each changes the running scores of the bracket
that everybody looks at. Timed is what a browser does: from being told until the answer is there, with its wait.
"""

import asyncio
import os
import random
import resource
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self, TextIO
from urllib.parse import urlsplit

from deploy.bench.drawn import drawn
from deploy.bench.figures import Figures
from deploy.bench.flow import BadAnswer
from deploy.bench.grounds import CannotMeasure, ground
from deploy.bench.memory import megabytes
from deploy.bench.report import Bar, machine
from deploy.loose_parts import LooseParts
from tournament.models import Bracket, Pairing
from tournament.rehearsal.wire import Wire

JITTER = 0.2  # as live.js waits
AT_ONCE = 50
SECONDS_TO_GATHER = 60.0
MATCHES, LENGTH = 32, 25
TICKS = os.sysconf("SC_CLK_TCK")


class Sizes(NamedTuple):
    spectators: int = 1000
    rate: float = 5.0
    seconds: float = 20.0


@dataclass
class Seen:
    """`shown`: seconds from being told until the answer was there; `counts` of answers by their status."""

    shown: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass
class SpectatorsTold:
    machine: str
    at: str
    figures: dict[str, Figures] = field(default_factory=dict)
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        shown = {name: one.as_json() for name, one in self.figures.items()}
        said = {"bench": "spectators", "unit": "ms", "machine": self.machine, "at": self.at}
        return {**said, "told until shown": shown, "counts": self.counts, "not_measured": self.missing}


def spectators_told(kinds: Iterable[str], sizes: Sizes, screen: TextIO) -> SpectatorsTold:
    _allow_many_connections()
    told = SpectatorsTold(machine(), datetime.now(UTC).isoformat(timespec="seconds"))
    for kind in kinds:
        bar = Bar(kind, screen)
        try:
            with ground(kind, workers=1) as running:
                bar.say("the spectators come in")
                seen, counts = _measure(running.parts, sizes)
                told.figures[running.vendor], told.counts[running.vendor] = Figures.of(seen.shown), counts
        except (CannotMeasure, BadAnswer, TimeoutError) as error:
            told.missing[kind] = str(error)
        bar.clear()
    return told


def as_text(told: SpectatorsTold) -> str:
    lines = [told.machine]
    for name, figures in told.figures.items():
        counts = ", ".join(f"{what} {count:g}" for what, count in told.counts[name].items())
        lines += ["", name, f"  {'told of a change, until it is on the page':<46} {figures}", f"  {counts}"]
    lines += ["", *(f"Not measured on {kind}: {why}" for kind, why in told.missing.items())]
    return "\n".join(lines).rstrip()


def _measure(parts: LooseParts, sizes: Sizes) -> tuple[Seen, dict[str, float]]:
    with parts.database():
        tournament, tokens = drawn(2 * MATCHES, LENGTH)
        bracket = Bracket.objects.get(tournament=tournament)
        pairings = list(Pairing.objects.filter(round__bracket=bracket, match__isnull=False))
    page = f"/e/{tournament.event.slug}/{tournament.slug}/fragment/"
    web = next(part for part in parts.started if part.name == "web")
    with Crowd(parts.url, str(bracket.pk), page, sizes.spectators) as crowd:
        before, began = _cpu_seconds(web.process.pid), time.monotonic()
        games = _enter_games(parts.url, sizes, pairings, tokens)
        time.sleep(1)
        seconds, spent = time.monotonic() - began, _cpu_seconds(web.process.pid) - before
    counts: dict[str, float] = {"spectators": sizes.spectators, "games": games, **crowd.seen.counts}
    counts |= {"requests a second": round(len(crowd.seen.shown) / seconds)}
    counts |= {"web CPU seconds": round(spent, 1), "in seconds": round(seconds, 1), **megabytes(parts)}
    return crowd.seen, counts


def _enter_games(url: str, sizes: Sizes, pairings: list[Pairing], tokens: dict[uuid.UUID, str]) -> int:
    """One game after the other at the rate asked for, in one match after the other."""
    tails = {pairing.pk: str(pairing.match_id) for pairing in pairings}
    began, games = time.monotonic(), round(sizes.rate * sizes.seconds)

    def enter(number: int) -> None:
        time.sleep(max(0.0, began + number / sizes.rate - time.monotonic()))
        pairing = pairings[number % len(pairings)]
        row = {"key": str(uuid.uuid4()), "predecessor": tails[pairing.pk], "winner": "left", "win": "single"}
        wire = Wire(url, tokens[pairing.left_id] if pairing.left_id else "")
        answer = wire.post(f"/api/v1/matches/{pairing.match_id}/games/", {**row, "cube": 1})
        wire.close()
        if not answer.is_ok:
            raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
        tails[pairing.pk] = row["key"]

    with ThreadPoolExecutor(4) as threads:
        return len(list(threads.map(enter, range(games))))


class Crowd:
    """So many browsers within the block: each with a live stream, and a connection on which it asks for the page."""

    def __init__(self, url: str, bracket: str, page: str, many: int) -> None:
        self.seen = Seen()
        self._address, self._bracket, self._page, self._many = urlsplit(url), bracket, page, many
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

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._look_on())

    async def _look_on(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)
        looking = [asyncio.ensure_future(self._one(gate)) for _ in range(self._many)]
        await self._over.wait()
        for one in looking:
            one.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    async def _one(self, gate: asyncio.Semaphore) -> None:
        changed = _Changed()
        async with gate:
            stream, said = await self._connect(f"/live/?bracket={self._bracket}")
            await stream.readuntil(b"event: open")
            reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        self._here += 1
        if self._here == self._many:
            self._all_here.set()
        listening = asyncio.ensure_future(changed.listen(stream))
        etag = b""
        try:
            while True:
                at = await changed.wait()
                await asyncio.sleep(random.uniform(0, JITTER))  # noqa: S311 (spreads requests)
                etag = await self._ask(reader, writer, etag)
                self.seen.shown.append(time.perf_counter() - at)
        finally:
            listening.cancel()
            for one in (said, writer):
                one.transport.abort()

    async def _connect(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: hall\r\n\r\n".encode())
        return reader, writer

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, etag: bytes) -> bytes:
        """Asks as live.js does; returns the ETag of the answer."""
        known = b"If-None-Match: " + etag + b"\r\n" if etag else b""
        head = f"GET {self._page} HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\n"
        writer.write(head.encode() + known + b"\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")
        status = answer.split(b" ", 2)[1].decode()
        parts = (line.partition(b": ") for line in answer.split(b"\r\n")[1:])
        lines = {name.lower(): value for name, _, value in parts}
        size = int(lines.get(b"content-length", b"0")) if status != "304" else 0
        await reader.readexactly(size)
        self.seen.counts[f"answers {status}"] += 1
        self.seen.counts["MB sent"] += size / 1_000_000  # type: ignore[assignment]  # it counts in millions
        return lines.get(b"etag", b"")


class _Changed:
    """Remembers the first change that was told since it was last asked."""

    def __init__(self) -> None:
        self._at, self._woken = 0.0, asyncio.Event()

    async def listen(self, stream: asyncio.StreamReader) -> None:
        with suppress(asyncio.CancelledError):
            while line := await stream.readline():
                if line.startswith(b"event: changed") and not self._woken.is_set():
                    self._at = time.perf_counter()
                    self._woken.set()

    async def wait(self) -> float:
        await self._woken.wait()
        self._woken.clear()
        return self._at


def _allow_many_connections() -> None:
    """Two for each spectator, here and in the server that is started from here."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _cpu_seconds(pid: int) -> float:
    """Of a process so far; 0 where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / TICKS
