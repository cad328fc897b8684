"""Clients that search for random names without a pause, in a process of their own.

`python -m deploy.bench.search_clients HOST PORT PATH CONNECTIONS SECONDS` prints the number of answers. It accepts
the loopback address only. The module imports neither Django nor the product.
"""

import asyncio
import secrets
import subprocess
import sys
import time
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_CONNECTIONS, MOST_SECONDS = 200, 300.0
ANSWER_TIMEOUT = 60.0


def start(host: str, port: int, path: str, connections: int, seconds: float) -> "subprocess.Popen[str]":
    arguments = [host, str(port), path, str(connections), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-m", "deploy.bench.search_clients", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


async def _search_until(host: str, port: int, path: str, deadline: float) -> int:
    """Returns the number of answers."""
    answers = 0
    while time.monotonic() < deadline:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                answers += await _search(host, port, path)
    return answers


async def _search(host: str, port: int, path: str) -> int:
    """Searches for another text each time, with an unknown cookie, so that no cache answers."""
    reader, writer = await asyncio.open_connection(host, port)
    query = f"{path}?find={secrets.token_hex(3)}"
    head = f"GET {query} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: a={secrets.token_hex(4)}\r\n"
    try:
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        return 1 if await reader.read() else 0
    finally:
        writer.close()


async def _run(host: str, port: int, path: str, connections: int, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    searches = (_search_until(host, port, path, deadline) for _ in range(connections))
    return sum(await asyncio.gather(*searches))


def main() -> None:
    host, port, path, connections, seconds = sys.argv[1:]
    if not ip_address(host).is_loopback:
        raise SystemExit("This bench accepts the loopback address only.")
    count, duration = min(int(connections), MOST_CONNECTIONS), min(float(seconds), MOST_SECONDS)
    print(asyncio.run(_run(host, int(port), path, count, duration)))


if __name__ == "__main__":
    main()
