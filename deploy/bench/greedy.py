"""The desk beside greedy strangers: a hundred connections that search at random while staff load the desk's page.

`python -m deploy.bench.greedy HOST PORT PATH CONNECTIONS SECONDS` runs the strangers in a process of their own and
prints how many answers they got. It accepts the loopback address only. Nothing in it imports Django.
"""

import asyncio
import secrets
import subprocess
import sys
import time
from contextlib import suppress
from ipaddress import ip_address

from deploy.loose_parts import ROOT

MOST_CONNECTIONS, MOST_SECONDS = 200, 300.0
ANSWERED_SECONDS = 60.0


def start(host: str, port: int, path: str, connections: int, seconds: float) -> "subprocess.Popen[str]":
    what = [host, str(port), path, str(connections), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-m", "deploy.bench.greedy", *what], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


async def _search(host: str, port: int, path: str, ends: float) -> int:
    """Searches for something else each time, with an unknown cookie, until the end; the number of answers."""
    answers = 0
    while time.monotonic() < ends:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(ANSWERED_SECONDS):
                answers += await _one(host, port, path)
    return answers


async def _one(host: str, port: int, path: str) -> int:
    reader, writer = await asyncio.open_connection(host, port)
    asked = f"{path}?find={secrets.token_hex(3)}"
    head = f"GET {asked} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: a={secrets.token_hex(4)}\r\n"
    try:
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        return 1 if await reader.read() else 0
    finally:
        writer.close()


async def _all(host: str, port: int, path: str, connections: int, seconds: float) -> int:
    ends = time.monotonic() + seconds
    return sum(await asyncio.gather(*(_search(host, port, path, ends) for _ in range(connections))))


def main() -> None:
    host, port, path, connections, seconds = sys.argv[1:]
    if not ip_address(host).is_loopback:
        raise SystemExit("This load is for the loopback address only.")
    many, length = min(int(connections), MOST_CONNECTIONS), min(float(seconds), MOST_SECONDS)
    print(asyncio.run(_all(host, int(port), path, many, length)))


if __name__ == "__main__":
    main()
