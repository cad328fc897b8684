"""Where a bench takes place: a whole installation of the product, on a disk, for the length of a block."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy import embedded, environment
from deploy.bench import postgresql
from deploy.loose_parts import LooseParts, Part

ON_DISK = Path("/var/tmp")  # noqa: S108 (short enough for sockets, and not in memory as other temporary folders are)
SWITCHES = {"LOG_LEVEL": "WARNING", "SWEEP_SECONDS": "5"}
KINDS = ("sqlite", "postgresql")


class CannotMeasure(RuntimeError):
    """This machine has not what it takes; the sentence says what is missing."""


@dataclass
class Ground:
    """An installation that runs, with the parts a bench may kill."""

    parts: LooseParts
    vendor: str
    broker: Part


@contextmanager
def ground(kind: str, workers: int, **switches: str) -> Iterator[Ground]:
    """Runs the product on this kind of database (one of KINDS), with more variables. Raises CannotMeasure."""
    folder = Path(tempfile.mkdtemp(prefix="bgb-", dir=ON_DISK if ON_DISK.is_dir() else None))
    try:
        with (
            _database(kind, folder) as (url, vendor),
            _running(folder, url, vendor, workers, switches) as running,
        ):
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def store(kind: str) -> Iterator[tuple[LooseParts, str]]:
    """A migrated database of this kind (one of KINDS) and what to call it; nothing runs on it. Raises CannotMeasure."""
    folder = Path(tempfile.mkdtemp(prefix="bgb-", dir=ON_DISK if ON_DISK.is_dir() else None))
    try:
        with _database(kind, folder) as (url, vendor):
            parts = LooseParts(folder, url, Path(), SWITCHES)
            parts.manage("migrate", "--verbosity", "0", "--skip-checks")
            yield parts, vendor
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(folder: Path, url: str, vendor: str, workers: int, switches: dict[str, str]) -> Iterator[Ground]:
    try:
        parts = LooseParts(folder, url, embedded.broker_binary(), {**SWITCHES, **switches})
    except embedded.NoBroker as missing:
        raise CannotMeasure(str(missing)) from None
    try:
        parts.manage("migrate", "--verbosity", "0", "--skip-checks")
        broker = parts.start_broker()
        parts.start_webs(int(switches.get("WEB_PROCESSES") or environment.web_processes(url)))
        worker = parts.start_worker("worker", workers)
        yield Ground(parts, vendor, broker)
        parts.kill(worker)  # it would wait for the broker that the bench has killed
    finally:
        parts.stop()


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The address of a fresh database, and what to call it."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/bench.sqlite3", "SQLite"
    elif urlsplit(os.environ.get("DATABASE_URL", "")).scheme.startswith("postgres"):
        with _beside(os.environ["DATABASE_URL"]) as url:
            yield url, "PostgreSQL of DATABASE_URL"
    else:
        with _thrown_away(folder) as url:
            yield url, "PostgreSQL, started for this bench"


@contextmanager
def _beside(url: str) -> Iterator[str]:
    """A database of our own on the operator's server."""
    name = f"bench_{uuid.uuid4().hex[:12]}"
    try:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"')
    except psycopg.Error as error:
        raise CannotMeasure(f"PostgreSQL of DATABASE_URL gives no database: {error}") from None
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def _thrown_away(folder: Path) -> Iterator[str]:
    folder.chmod(0o755)  # the server runs as another user when we are root
    try:
        server = postgresql.start(folder)
    except postgresql.NoPostgresql as missing:
        raise CannotMeasure(
            f"{missing} Set DATABASE_URL to one, or run “manage.py test” once, which installs it."
        ) from None
    try:
        yield server.url
    finally:
        server.stop()
