"""A database with every table and no rows, made once in a run; whoever needs one of their own copies it.

Making the tables takes seconds, copying them a moment. Several processes may ask at the same time.
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


def template() -> str:
    """The DATABASE_URL of the database to be copied; nobody may stay connected to it."""
    folder = Path(os.environ[FOLDER])
    with open(folder / "template.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / "template.url"
        if not made.exists():
            made.write_text(_migrated(folder))
        return made.read_text()


def create(name: str, model: str) -> str:
    """The DATABASE_URL of a new PostgreSQL database of this name, a copy of the one called `model`."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{model}"')
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def drop(name: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def forget(folder: Path) -> None:
    """Drops the template that was made for the run of this folder, if there was one."""
    made = folder / "template.url"
    if made.exists() and not made.read_text().startswith("sqlite"):
        drop(name_in(made.read_text()))


def is_sqlite() -> bool:
    return os.environ["DATABASE_URL"].startswith("sqlite")


def name_in(url: str) -> str:
    """The name of a PostgreSQL database, or the path of a SQLite file without its first stroke."""
    return urlsplit(url).path.lstrip("/")


def _migrated(folder: Path) -> str:
    url = f"sqlite://{folder}/template.sqlite3"
    if not is_sqlite():
        url = create(f"template_{folder.name.replace('-', '_')}", "template0")
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "migrate", "--verbosity", "0", "--skip-checks"],
        cwd=ROOT, env={**os.environ, "DATABASE_URL": url, "SELF_SETUP": "off"}, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return url
