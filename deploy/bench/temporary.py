"""Temporary installations and databases on disk for the length of a block."""

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

from deploy import embedded_broker, environment
from deploy.bench import postgresql
from deploy.bench.installation import Installation, Part

ON_DISK = Path("/var/tmp")  # noqa: S108 (short enough for sockets; other temporary folders are in memory)
VARIABLES = {"LOG_LEVEL": "WARNING", "SWEEP_SECONDS": "5"}
KINDS = ("sqlite", "postgresql")


class CannotMeasure(RuntimeError):
    """This machine lacks a requirement; the text names it."""


@dataclass
class RunningInstallation:
    """`vendor` names the database; a bench may kill the `broker`."""

    installation: Installation
    vendor: str
    broker: Part


@contextmanager
def running_installation(kind: str, workers: int, **variables: str) -> Iterator[RunningInstallation]:
    """Runs the product on a database of this kind (one of KINDS). Raises CannotMeasure."""
    with temporary_folder() as folder, _database(kind, folder) as (url, vendor):
        try:
            installation = Installation(
                folder, url, embedded_broker.broker_binary(), {**VARIABLES, **variables}
            )
        except embedded_broker.NoBroker as missing:
            raise CannotMeasure(str(missing)) from None
        try:
            migrate(installation)
            broker = installation.start_broker()
            installation.start_web(int(variables.get("WEB_PROCESSES") or environment.web_processes(url)))
            worker = installation.start_worker("worker", workers)
            yield RunningInstallation(installation, vendor, broker)
            installation.kill(worker)  # it would wait for the broker that the bench may have killed
        finally:
            installation.stop()


@contextmanager
def migrated_database(kind: str) -> Iterator[tuple[Installation, str]]:
    """A migrated database of this kind and its name; no part runs. Raises CannotMeasure."""
    with temporary_folder() as folder, _database(kind, folder) as (url, vendor):
        installation = Installation(folder, url, Path(), VARIABLES)
        migrate(installation)
        yield installation, vendor


@contextmanager
def temporary_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="bgb-", dir=ON_DISK if ON_DISK.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def migrate(installation: Installation) -> None:
    installation.manage("migrate", "--verbosity", "0", "--skip-checks")
    installation.manage("collectstatic", "--verbosity", "0", "--no-input")


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The URL of an empty database, and its name."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/bench.sqlite3", "SQLite"
    elif urlsplit(os.environ.get("DATABASE_URL", "")).scheme.startswith("postgres"):
        with _database_on_server(os.environ["DATABASE_URL"]) as url:
            yield url, "PostgreSQL of DATABASE_URL"
    else:
        with _own_server(folder) as url:
            yield url, "PostgreSQL, started for this bench"


@contextmanager
def _database_on_server(url: str) -> Iterator[str]:
    """Creates a database beside the operator's own and drops it afterwards."""
    name = f"bench_{uuid.uuid4().hex[:12]}"
    try:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"')
    except psycopg.Error as error:
        raise CannotMeasure(f"PostgreSQL of DATABASE_URL refuses a new database: {error}") from None
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def _own_server(folder: Path) -> Iterator[str]:
    folder.chmod(0o755)  # the server runs as another user when we are root
    try:
        server = postgresql.start(folder)
    except postgresql.NoPostgresql as missing:
        raise CannotMeasure(
            f"{missing} Set DATABASE_URL to a server, or run “manage.py test” once, which installs one."
        ) from None
    try:
        yield server.url
    finally:
        server.stop()
