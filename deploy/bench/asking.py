"""A lean client that asks for one page over and over, in a process of its own: client and server share the machine.

`python -m deploy.bench.asking HOST PORT PATH CONNECTIONS SECONDS [ETAG]` prints JSON: answers by status, and how many
there were in each tenth of a second. Each connection asks again once it has its answer. No Django, nothing of ours.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIECE = 0.1
SECONDS_TO_COME_BACK = 15.0


@dataclass(frozen=True, slots=True)
class Asked:
    """`pieces`: answers in each tenth of a second, without the first and the last."""

    statuses: dict[str, int]
    pieces: list[int]
    seconds: float

    @property
    def a_second(self) -> float:
        return sum(self.pieces) / (PIECE * len(self.pieces)) if self.pieces else 0.0


def ask(host: str, port: int, path: str, connections: int, seconds: float, etag: str = "") -> Asked:
    """Asks for a page in another process, which has the rest of this machine to itself."""
    what = [host, str(port), path, str(connections), str(seconds), *([etag] if etag else [])]
    done = subprocess.run(
        [sys.executable, "-m", "deploy.bench.asking", *what],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        timeout=seconds + SECONDS_TO_COME_BACK,
    )
    return Asked(**json.loads(done.stdout))


@dataclass
class _Tally:
    began: float
    statuses: Counter[bytes] = field(default_factory=Counter)
    pieces: Counter[int] = field(default_factory=Counter)

    def count(self, status: bytes) -> None:
        self.statuses[status] += 1
        self.pieces[int((time.perf_counter() - self.began) / PIECE)] += 1


class _Connection(asyncio.Protocol):
    """Asks; and asks again as soon as it has the whole answer."""

    def __init__(self, request: bytes, count: Callable[[bytes], None]) -> None:
        self._request, self._count = request, count
        self._has = b""
        self._missing = 0
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 (for the types)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self._missing > len(data):
            self._missing -= len(data)
            return
        if self._missing == 0:
            data = self._has + data
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._has = data
                return
            self._has, self._status = b"", data[9:12]
            self._missing = _length(data[:end]) - (len(data) - end - 4)
            if self._missing > 0:
                return
        self._missing = 0
        self._count(self._status)
        self._transport.write(self._request)


def _length(head: bytes) -> int:
    """Of the body that follows this head: none follows a 304."""
    if head[9:12] == b"304":
        return 0
    _, found, rest = head.lower().partition(b"content-length: ")
    if not found:
        raise ValueError("The answer does not say how long it is.")
    return int(rest.partition(b"\r\n")[0])


async def _ask_for(host: str, port: int, request: bytes, connections: int, seconds: float) -> Asked:
    loop = asyncio.get_running_loop()
    tally = _Tally(time.perf_counter())
    opened = [
        await loop.create_connection(lambda: _Connection(request, tally.count), host, port)
        for _ in range(connections)
    ]
    await asyncio.sleep(seconds)
    for transport, _ in opened:
        transport.abort()
    took = time.perf_counter() - tally.began
    whole = range(1, int(took / PIECE))
    return Asked(
        {status.decode(): count for status, count in tally.statuses.items()},
        [tally.pieces[number] for number in whole],
        round(took, 3),
    )


def main() -> None:
    host, port, path, connections, seconds, *etag = sys.argv[1:]
    known = f"If-None-Match: {etag[0]}\r\n" if etag else ""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101\r\n"
        f"Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n"
        f"Accept-Encoding: gzip, deflate, br\r\n{known}Connection: keep-alive\r\n\r\n"
    )
    asked = asyncio.run(_ask_for(host, int(port), request.encode(), int(connections), float(seconds)))
    print(json.dumps({"statuses": asked.statuses, "pieces": asked.pieces, "seconds": asked.seconds}))


if __name__ == "__main__":
    main()
