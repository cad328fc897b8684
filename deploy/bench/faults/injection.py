"""Injects faults into processes, disks and databases from outside, and reverts them when the block ends."""

import os
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper

from deploy.bench.faults.cluster import Site
from deploy.bench.installation import Installation, Part
from deploy.bench.postgresql import Postgresql

LOG_SEGMENT = 16 * 1024 * 1024
MOST_SEGMENTS = 12
BYTES_FOR_LOGS = 96 * 1024


@contextmanager
def full_disk(site: Site, parts: Iterable[Part], server: Postgresql | None) -> Iterator[None]:
    """Files of the database cannot grow within the block: every write beyond the limit fails."""
    parents = [server.process.pid] if server else [part.process.pid for part in parts]
    limit = site.query(lambda: _file_size_limit(server))
    _limit_file_size(parents, str(limit))
    try:
        yield
    finally:
        _limit_file_size(parents, "unlimited")


def fill_log_disk(server: Postgresql) -> None:
    """Prevents new files of the write-ahead log and writes until one is needed: the server ends.

    A restarted server is not limited.
    """
    _limit_file_size([server.process.pid], str(LOG_SEGMENT // 2))
    with suppress(psycopg.Error), psycopg.connect(server.url, autocommit=True) as connection:
        for _ in range(MOST_SEGMENTS):
            connection.execute("SELECT pg_logical_emit_message(true, 'filled', 'up')")
            connection.execute("SELECT pg_switch_wal()")


def _limit_file_size(parents: list[int], size: str) -> None:
    """Limits the parents first: children that start meanwhile inherit the limit."""
    for process in parents:
        _limit_process(process, size)
    for parent in parents:
        for process in process_tree(parent):
            _limit_process(process, size)


def _limit_process(process: int, size: str) -> None:
    """Runs prlimit as the owner of the process, which needs no privileges. Ignores a process that has ended."""
    folder = Path(f"/proc/{process}")
    if not folder.exists():
        return
    owner = folder.stat()
    command = ["prlimit", f"--pid={process}", f"--fsize={size}:"]
    as_owner: dict[str, Any] = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    done = subprocess.run(command, check=False, **(as_owner if os.geteuid() == 0 else {}))
    if folder.exists():
        done.check_returncode()


def _file_size_limit(server: Postgresql | None) -> int:
    """The limit in bytes at which the database cannot store another game."""
    with connection.cursor() as cursor:
        if server is not None:
            _lengthen_cards(server, cursor)
            return LOG_SEGMENT
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return BYTES_FOR_LOGS


def _lengthen_cards(server: Postgresql, cursor: CursorWrapper) -> None:
    """Rewrites the table of games without gaps and makes its file as long as a file of the log, so that the table
    cannot grow but the log can."""
    cursor.execute("ALTER TABLE matches_cardrow SET (fillfactor = 10)")
    cursor.execute("VACUUM FULL matches_cardrow")
    cursor.execute("SELECT pg_relation_filepath('matches_cardrow')")
    os.truncate(server.data / cursor.fetchone()[0], LOG_SEGMENT)


def process_tree(process: int) -> list[int]:
    """A process and all its descendants."""
    processes = [process]
    for parent in processes:  # grows while it is read
        children = Path(f"/proc/{parent}/task/{parent}/children")
        processes += [int(child) for child in children.read_text().split()] if children.exists() else []
    return processes


@contextmanager
def locked_database(installation: Installation) -> Iterator[None]:
    """Holds the write lock of a SQLite file within the block."""
    with closing(sqlite3.connect(urlsplit(installation.database_url).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextmanager
def suspended(part: Part | Postgresql) -> Iterator[None]:
    """Suspends a part or server and its children within the block."""
    processes = process_tree(part.process.pid)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


@contextmanager
def blocked_commits(server: Postgresql) -> Iterator[None]:
    """Commits wait within the block for a standby that does not exist, as they would for a disk that hangs."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
        connection.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")


@contextmanager
def slow_clients(url: str, paths: Iterable[str], count: int) -> Iterator[None]:
    """For each path, `count` clients send a request and never read, and as many never complete their request."""
    with ExitStack() as clients:
        for path in paths:
            for number in range(2 * count):
                client = clients.enter_context(_connect(url))
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
                if number % 2:
                    client.sendall(b"\r\n")
        yield


def _connect(url: str) -> socket.socket:
    """With a small receive buffer, so that answers soon fill it."""
    parts = urlsplit(url)
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    client.connect((parts.hostname, parts.port))
    return client
