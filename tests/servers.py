"""A pytest plugin that starts real servers before Django reads its settings.

`-p` in pyproject.toml loads it, because a conftest.py is imported too late. The servers are PostgreSQL and Redis, or
SQLite and Valkey with `TEST_DATABASE=sqlite`. With xdist the first process starts the database, and each worker
starts a broker of its own, so that no test receives another's messages.
"""

import atexit
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import psycopg
import pytest

from tests import brokers, browsers, database_template, postgresql

PREFIX = "bgt-"
cleanups: list[Callable[[], None]] = []


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Runs before pytest-django imports the settings."""
    if not cleanups:
        start()
    return (yield)


def start() -> None:
    """Starts the servers of this process and stores their addresses in the environment, for the settings."""
    folder = _folder()
    os.environ["DATA_DIR"] = str(folder / "data")
    is_first = "TEST_SERVERS_OF" not in os.environ
    if is_first:
        os.environ["TEST_SERVERS_OF"] = str(os.getpid())
        os.environ[database_template.FOLDER] = str(folder)
        os.environ["STATIC_ROOT"] = str(folder / "static")
        _start_database(folder)
        cleanups.append(lambda: database_template.drop_template(folder))
    _start_broker(folder)


def uses_sqlite() -> bool:
    return os.environ.get("TEST_DATABASE", "").lower() == "sqlite"


def broker_kind() -> str:
    """Returns redis for PostgreSQL and valkey for SQLite."""
    return "valkey" if uses_sqlite() else "redis"


def _start_database(folder: Path) -> None:
    url = os.environ.get("TEST_DATABASE_URL", "")
    if uses_sqlite():
        os.environ["DATABASE_URL"] = f"sqlite://{folder}/director.sqlite3"
        os.environ["TEST_SQLITE_FILE"] = f"{folder}/test.sqlite3"
    elif url:
        os.environ["DATABASE_URL"] = url
    else:
        server = postgresql.start(folder)
        cleanups.append(server.stop)
        os.environ["DATABASE_URL"] = server.url


def _start_broker(folder: Path) -> None:
    url = os.environ.get("TEST_REDIS_URL", "")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    os.environ["REDIS_PREFIX"] = f"test-{worker}:"
    if url:
        os.environ["REDIS_URL"] = url
        return
    broker = brokers.start(broker_kind(), folder)
    cleanups.append(broker.kill)
    os.environ["REDIS_URL"] = broker.url


def _folder() -> Path:
    """Creates a folder with a short name, for unix sockets. Deletes the folders of killed runs."""
    for old_folder in Path("/tmp").glob(f"{PREFIX}*"):
        pid = old_folder.name.split("-")[1]
        if pid.isdigit() and not _is_alive(int(pid)):
            shutil.rmtree(old_folder, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir="/tmp"))
    folder.chmod(0o755)
    cleanups.append(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@atexit.register
def stop() -> None:
    """Stops what this process started, in reverse order."""
    owner = os.environ.get("TEST_SERVERS_OF") == str(os.getpid())
    while cleanups:
        cleanups.pop()()
    if owner:
        del os.environ["TEST_SERVERS_OF"]


def pytest_unconfigure() -> None:
    stop()


def database_vendor() -> str:
    """Returns name and version of the database."""
    url = os.environ["DATABASE_URL"]
    if url.startswith("sqlite"):
        return f"SQLite {sqlite3.sqlite_version} (a file)"
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW server_version").fetchone()
    return f"PostgreSQL {row[0] if row else '?'}"


def pytest_report_header() -> list[str]:
    return [
        f"database: {database_vendor()}",
        f"broker: {brokers.vendor(os.environ['REDIS_URL'])}",
        f"browser: {browsers.vendor()}",
    ]
