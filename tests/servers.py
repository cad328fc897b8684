"""A pytest plugin that starts the real servers before Django reads its settings; none is ever skipped.

Loaded with `-p` (see pyproject.toml): from a conftest.py it would be too late, and the suite would silently run on
whatever the defaults are. The database is PostgreSQL, or a SQLite file with `TEST_DATABASE=sqlite`; the broker is
Redis, or with SQLite the Valkey that the product brings along. Under xdist the first process starts the database
and every worker its own broker, so that no test hears another's messages.
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

from tests import brokers, browsers, migrated, postgresql

PREFIX = "bgt-"
ended: list[Callable[[], None]] = []


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None]:
    """Runs before pytest-django imports the settings."""
    if not ended:
        start()
    return (yield)


def start() -> None:
    """Starts what this process needs and says so in the environment, where the settings look."""
    folder = _folder()
    os.environ["DATA_DIR"] = str(folder / "data")
    is_first = "TEST_SERVERS_OF" not in os.environ
    if is_first:
        os.environ["TEST_SERVERS_OF"] = str(os.getpid())
        os.environ[migrated.FOLDER] = str(folder)
        os.environ["STATIC_ROOT"] = str(folder / "static")
        _start_database(folder)
        ended.append(lambda: migrated.forget(folder))
    _start_broker(folder)


def uses_sqlite() -> bool:
    return os.environ.get("TEST_DATABASE", "").lower() == "sqlite"


def broker_kind() -> str:
    """The kind of broker under test: redis with PostgreSQL, valkey with SQLite."""
    return "valkey" if uses_sqlite() else "redis"


def _start_database(folder: Path) -> None:
    given = os.environ.get("TEST_DATABASE_URL", "")
    if uses_sqlite():
        os.environ["DATABASE_URL"] = f"sqlite://{folder}/director.sqlite3"
        os.environ["TEST_SQLITE_FILE"] = f"{folder}/test.sqlite3"
    elif given:
        os.environ["DATABASE_URL"] = given
    else:
        server = postgresql.start(folder)
        ended.append(server.stop)
        os.environ["DATABASE_URL"] = server.url


def _start_broker(folder: Path) -> None:
    given = os.environ.get("TEST_REDIS_URL", "")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    os.environ["REDIS_PREFIX"] = f"test-{worker}:"
    if given:
        os.environ["REDIS_URL"] = given
        return
    broker = brokers.start(broker_kind(), folder)
    ended.append(broker.kill)
    os.environ["REDIS_URL"] = broker.url


def _folder() -> Path:
    """A folder with a short name, for unix sockets; what killed runs left behind goes first."""
    for left in Path("/tmp").glob(f"{PREFIX}*"):
        pid = left.name.split("-")[1]
        if pid.isdigit() and not _is_alive(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir="/tmp"))
    folder.chmod(0o755)
    ended.append(lambda: shutil.rmtree(folder, ignore_errors=True))
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
    """Ends what this process started, the last first."""
    owner = os.environ.get("TEST_SERVERS_OF") == str(os.getpid())
    while ended:
        ended.pop()()
    if owner:
        del os.environ["TEST_SERVERS_OF"]


def pytest_unconfigure() -> None:
    stop()


def database_vendor() -> str:
    """Who answers at DATABASE_URL, by its own word."""
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
