"""Hurts the parts of a site as crashes, full disks and wrong clocks do, each as it happens to a club: from outside.

Every hand that hurts also heals, so that the next may follow. Nothing here says what the product should do about it.
"""

import os
import signal
import socket
import sqlite3
import struct
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper

from deploy.bench.faults.site import Site
from deploy.bench.postgresql import Postgresql
from deploy.loose_parts import LooseParts, Part

CLOCK = Path(__file__).with_name("wrong_clock")
SEGMENT = 16 * 1024 * 1024
MOST_SEGMENTS = 12
ROOM_FOR_LOGS = 96 * 1024


class Clock:
    """The time of day of every part that is started with `switches`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.move(hours=0)
        self.switches = {"PYTHONPATH": str(CLOCK), "WRONG_CLOCK": str(self._file)}

    def move(self, *, hours: float) -> None:
        """So many hours from the right time."""
        with open(self._file, "r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("d", hours * 3600))


@contextmanager
def full_disk(stage: Site, parts: Iterable[Part], server: Postgresql | None) -> Iterator[None]:
    """No file grows while the block runs: every write beyond what there is fails, whoever writes it."""
    parents = [server.process.pid] if server else [part.process.pid for part in parts]
    most = stage.ask(lambda: _room_left(server))
    _limit_all(parents, str(most))
    try:
        yield
    finally:
        _limit_all(parents, "unlimited")


def fill_disk_of_log(server: Postgresql) -> None:
    """No new file of the write-ahead log can be made, and the next change needs one: the server gives up by itself."""
    _limit_all([server.process.pid], str(SEGMENT // 2))
    with suppress(psycopg.Error), psycopg.connect(server.url, autocommit=True) as connection:
        for _ in range(MOST_SEGMENTS):
            connection.execute("SELECT pg_logical_emit_message(true, 'filled', 'up')")
            connection.execute("SELECT pg_switch_wal()")


def _limit_all(parents: list[int], size: str) -> None:
    """Parents first: whoever is born meanwhile takes after them."""
    for process in parents:
        _limit(process, size)
    for process in [one for parent in parents for one in family(parent)]:
        _limit(process, size)


def _limit(process: int, size: str) -> None:
    """Said by somebody of the same name as the process, which needs no rights; gone is gone."""
    owner = Path(f"/proc/{process}")
    if not owner.exists():
        return
    who = owner.stat()
    command = ["prlimit", f"--pid={process}", f"--fsize={size}:"]
    other: dict[str, Any] = {"user": who.st_uid, "group": who.st_gid, "extra_groups": []}
    subprocess.run(command, check=owner.exists(), **(other if os.geteuid() == 0 else {}))


def _room_left(server: Postgresql | None) -> int:
    """How long the files of the database may be at most, so that it cannot keep anything more."""
    with connection.cursor() as cursor:
        if server is not None:
            _lengthen_cards(server, cursor)
            return SEGMENT
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return ROOM_FOR_LOGS


def _lengthen_cards(server: Postgresql, cursor: CursorWrapper) -> None:
    """The table of games is written anew, without a gap, and becomes as long as a file of the log, so that it, and not
    the log, cannot grow."""
    cursor.execute("ALTER TABLE matches_cardrow SET (fillfactor = 10)")
    cursor.execute("VACUUM FULL matches_cardrow")
    cursor.execute("SELECT pg_relation_filepath('matches_cardrow')")
    os.truncate(server.data / cursor.fetchone()[0], SEGMENT)


def family(process: int) -> list[int]:
    """A process and all that descend from it."""
    found = [process]
    for one in found:
        children = Path(f"/proc/{one}/task/{one}/children")
        found += [int(child) for child in children.read_text().split()] if children.exists() else []
    return found


@contextmanager
def held_lock(stage: LooseParts) -> Iterator[None]:
    """Somebody else writes to the file of SQLite and does not come to an end while the block runs."""
    with closing(sqlite3.connect(urlsplit(stage.database_url).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextmanager
def hanging(part: Part | Postgresql) -> Iterator[None]:
    """The part or server and its children stand still while the block runs, and go on afterwards."""
    stopped = family(part.process.pid)
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


@contextmanager
def keeping_nothing(server: Postgresql) -> Iterator[None]:
    """Every commit waits while the block runs: for a standby that there is not, as it would for a disk that hangs."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        connection.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")


@contextmanager
def slow_clients(url: str, paths: Iterable[str], each: int) -> Iterator[None]:
    """So many clients for each path ask and never read; as many more never come to the end of their question."""
    with ExitStack() as held:
        for path in paths:
            for number in range(2 * each):
                client = held.enter_context(_never_reading(url))
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
                if number % 2:
                    client.sendall(b"\r\n")
        yield


def _never_reading(url: str) -> socket.socket:
    parts = urlsplit(url)
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    client.connect((parts.hostname, parts.port))
    return client
