"""`manage.py up` on servers of one's own: DATABASE_URL and REDIS_URL lead to those of this run."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests import servers
from tests.flows.stores import Stores
from tests.laptop.running import PATIENCE, Up, until


@pytest.fixture
def database() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="up-", dir="/tmp"))
    stores = Stores(folder)
    yield stores.fresh("up")
    stores.drop_all()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def up(database, tmp_path) -> Iterator[Up]:
    (tmp_path / "stick").mkdir()
    running = Up(
        tmp_path / "data",
        DATABASE_URL=database,
        REDIS_URL=os.environ["REDIS_URL"],
        REDIS_PREFIX="up:",
        COPY_DIR=str(tmp_path / "stick"),
    )
    yield running.ready()
    running.stop()


def test_it_brings_no_broker_along_and_works_with_the_one_named(up):
    assert up.answers("/readyz")
    assert not [one for one in up.children() if one.name().startswith(("valkey", "redis"))]


def test_on_postgresql_it_says_how_to_copy_and_on_sqlite_it_copies(up, tmp_path):
    if servers.uses_sqlite():
        until(lambda: list((tmp_path / "stick").rglob("copy-*/*.sqlite3")), "a copy")
    else:
        assert "pg_dump" in up.said
        assert list((tmp_path / "stick").iterdir()) == []


def test_nobody_is_left_behind_when_the_parent_is_killed(up):
    family = up.children()
    up.process.kill()
    up.process.wait()
    _gone, alive = psutil.wait_procs(family, timeout=PATIENCE)
    assert alive == []


def test_a_copy_is_not_opened_into_servers_of_ones_own(up, tmp_path):
    second = Up(
        tmp_path / "second", "--from", str(tmp_path / "stick"), DATABASE_URL="postgres://127.0.0.1:1/nowhere"
    )
    assert second.process.wait(PATIENCE) == 2
    assert "leave DATABASE_URL unset" in second.said


def test_a_database_that_does_not_answer_is_said_in_one_sentence(tmp_path):
    refused = Up(tmp_path / "data", DATABASE_URL="postgres://127.0.0.1:1/nowhere")
    assert refused.process.wait(PATIENCE) == 2
    assert refused.said.startswith("The database does not answer")
    assert "Traceback" not in refused.said
