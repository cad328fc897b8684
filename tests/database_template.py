"""An empty database with all tables, created once per run and copied for each process and each flow.

Migrating takes seconds, copying a moment. A lock lets several processes ask for the template at the same time.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "TEST_TEMPLATE_IN"
"""The environment variable with the folder of the run."""


def template_url() -> str:
    """Returns the DATABASE_URL of the template. Do not stay connected to it: PostgreSQL copies no database in use."""
    folder = Path(os.environ[FOLDER])
    with open(folder / "template.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stored_url = folder / "template.url"
        if not stored_url.exists():
            stored_url.write_text(_create_template(folder))
        return stored_url.read_text()


def create(name: str, template: str) -> str:
    """Creates a PostgreSQL database as a copy of another one. Returns its DATABASE_URL."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def drop(name: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def drop_template(folder: Path) -> None:
    """Drops the template of the run with this folder, if one was created. A SQLite file goes with the folder."""
    stored_url = folder / "template.url"
    if stored_url.exists() and not is_sqlite():
        drop(database_name(stored_url.read_text()))


def is_sqlite() -> bool:
    return os.environ["DATABASE_URL"].startswith("sqlite")


def database_name(url: str) -> str:
    """Returns the name of a PostgreSQL database, or the path of a SQLite file without its leading slash."""
    return urlsplit(url).path.lstrip("/")


def _create_template(folder: Path) -> str:
    url = f"sqlite://{folder}/template.sqlite3"
    if not is_sqlite():
        url = create(f"template_{folder.name.replace('-', '_')}", "template0")
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0", "--skip-checks"],
        cwd=ROOT, env={**os.environ, "DATABASE_URL": url, "SELF_SETUP": "off"}, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return url
