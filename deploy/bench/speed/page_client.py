"""A client that requests one page without a pause, in a process of its own because it shares the machine.

`python -m deploy.bench.speed.page_client HOST PORT PATH CONNECTIONS SECONDS [HEADER …]` prints JSON: answers by status,
and the number of answers in each tenth of a second. The module imports neither Django nor the product.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
INTERVAL = 0.1
SECONDS_TO_RETURN = 15.0


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """`counts`: answers in each tenth of a second, without the first and the last."""

    statuses: dict[str, int]
    counts: list[int]
    seconds: float


def request_page(
    host: str, port: int, path: str, connections: int, seconds: float, *headers: str
) -> PageAnswers:
    """Each connection sends the next request once it has the answer. `headers`: such as "Cookie: a=b"."""
    arguments = [host, str(port), path, str(connections), str(seconds), *headers]
    done = subprocess.run(
        [sys.executable, "-m", "deploy.bench.speed.page_client", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        timeout=seconds + SECONDS_TO_RETURN,
    )
    return PageAnswers(**json.loads(done.stdout))


@dataclass
class _Tally:
    began: float
    statuses: Counter[bytes] = field(default_factory=Counter)
    intervals: Counter[int] = field(default_factory=Counter)

    def count(self, status: bytes) -> None:
        self.statuses[status] += 1
        self.intervals[int((time.perf_counter() - self.began) / INTERVAL)] += 1


class _Connection(asyncio.Protocol):
    def __init__(self, request: bytes, count: Callable[[bytes], None]) -> None:
        self._request, self._count = request, count
        self._head = b""
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
            data = self._head + data
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._head = data
                return
            self._head, self._status = b"", data[9:12]
            self._missing = _body_length(data[:end]) - (len(data) - end - 4)
            if self._missing > 0:
                return
        self._missing = 0
        self._count(self._status)
        self._transport.write(self._request)


def _body_length(head: bytes) -> int:
    if head[9:12] == b"304":
        return 0
    _, name, rest = head.lower().partition(b"content-length: ")
    if not name:
        raise ValueError("The answer has no Content-Length.")
    return int(rest.partition(b"\r\n")[0])


async def _request_all(host: str, port: int, request: bytes, connections: int, seconds: float) -> PageAnswers:
    loop = asyncio.get_running_loop()
    tally = _Tally(time.perf_counter())
    opened = [
        await loop.create_connection(lambda: _Connection(request, tally.count), host, port)
        for _ in range(connections)
    ]
    await asyncio.sleep(seconds)
    for transport, _ in opened:
        transport.abort()
    duration = time.perf_counter() - tally.began
    return PageAnswers(
        {status.decode(): count for status, count in tally.statuses.items()},
        [tally.intervals[number] for number in range(1, int(duration / INTERVAL))],
        round(duration, 3),
    )


def main() -> None:
    host, port, path, connections, seconds, *headers = sys.argv[1:]
    own_headers = "".join(f"{header}\r\n" for header in headers)
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101\r\n"
        f"Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n"
        f"Accept-Encoding: gzip, deflate, br\r\n{own_headers}Connection: keep-alive\r\n\r\n"
    )
    answers = asyncio.run(_request_all(host, int(port), request.encode(), int(connections), float(seconds)))
    print(json.dumps(asdict(answers)))


if __name__ == "__main__":
    main()
