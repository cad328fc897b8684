"""`manage.py up`: start, crash, stop, restart, and a copy opened on another laptop."""

import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deploy import data_folder, rolling_copy
from tests.laptop.running import PATIENCE, Up, all_ended, run_command, stop_cleanly, until

PUBLISH_CODE = """
from django.conf import settings
from tournament.runtime import publish
publish.publish_revocations(["nobody"])
print("told", settings.REDIS_URL)
"""


@contextmanager
def starting(folder: Path) -> Iterator[Callable[..., Up]]:
    """Yields a function that starts `up` in this folder. Stops everything at the end."""
    started: list[Up] = []

    def start(name: str = "data", *arguments: str, **environment: str) -> Up:
        started.append(Up(folder / name, *arguments, **environment))
        return started[-1]

    yield start
    for running in started:
        running.stop()


@pytest.fixture(scope="module")
def up(tmp_path_factory) -> Iterator[Callable[..., Up]]:
    with starting(tmp_path_factory.mktemp("up")) as start:
        yield start


@pytest.fixture(scope="module")
def stick(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("stick")


@pytest.fixture(scope="module")
def running(up, stick) -> Up:
    """An installation shared by the tests. The last test kills it."""
    return up("data", "--demo", COPY_DIR=str(stick), COPY_SECONDS="1").ready()


def test_the_banner_shows_the_urls_and_a_sign_in_link_that_works_once(running):
    link = re.search(r"http://127\.0\.0\.1:\d+(/sign-in/\S+)", running.output)
    assert link is not None
    assert running.answers(link.group(1))
    assert running.answers("/readyz")


def test_a_command_publishes_only_to_the_broker_of_a_running_installation(running, tmp_path):
    beside = run_command(running.data, "shell", "-c", PUBLISH_CODE)
    assert f"told unix://{data_folder.read_status(running.data)['folder']}/broker.sock" in beside
    alone = run_command(tmp_path / "alone", "shell", "-c", PUBLISH_CODE)
    assert "told redis://127.0.0.1:6379" in alone
    assert "Redis does not answer" not in beside + alone


def test_stored_files_are_readable_by_the_owner_only(running):
    paths = [running.data, *running.data.glob("*.sqlite3*"), running.data / "secret.key"]
    assert len(paths) > 2
    assert {path.name: path.stat().st_mode & 0o077 for path in paths if path.stat().st_mode & 0o077} == {}


def test_a_port_in_use_gives_one_sentence(running, tmp_path):
    second = Up(tmp_path / "other", "--port", str(running.port))
    assert second.process.wait(PATIENCE) == 2
    assert f"Port {running.port} is in use" in second.output
    assert "Traceback" not in second.output


def test_a_second_installation_in_the_same_folder_is_refused(running):
    second = Up(running.data)
    assert second.process.wait(PATIENCE) == 2
    assert "in use" in second.output


def test_a_data_folder_that_cannot_be_created_gives_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    refused = Up(tmp_path / "file")
    assert refused.process.wait(PATIENCE) == 2
    assert refused.output.startswith(f"Cannot store data in {tmp_path / 'file'}")
    assert refused.output.count("\n") == 1


def test_a_killed_installation_leaves_no_processes_and_its_copy_opens_elsewhere(running, up, stick):
    database, family = running.data / "director.sqlite3", running.children()
    until(lambda: _finished(stick), "a copy on the stick")
    _sign_everybody_in(database)
    _write_for_a_while(database)
    written = _lines(database)
    until(lambda: any(_lines(copy) == written for copy in _finished(stick)), "a copy of the last line")
    running.process.kill()
    running.process.wait()
    assert len(family) >= 3
    until(lambda: all_ended(family), "the end of every child")
    second_laptop = up("laptop", "--from", str(stick)).ready()
    assert _lines(second_laptop.data / "director.sqlite3") == written
    assert second_laptop.answers("/e/harbour-weekend/open/")
    assert "/sign-in/" in stop_cleanly(second_laptop, signal.SIGTERM), "sessions of the copy are invalid"
    assert up("laptop", "--from", str(stick)).process.wait(PATIENCE) == 2, "the folder contains data"
    again = up("laptop").ready()
    assert "/sign-in/" not in stop_cleanly(again, signal.SIGINT)
    assert _lines(second_laptop.data / "director.sqlite3") == written


def test_ctrl_c_during_the_start_prints_no_traceback(up):
    started_up = up("early")
    until(started_up.data.exists, "its folder")
    started_up.process.send_signal(signal.SIGINT)
    assert started_up.process.wait(PATIENCE) in (0, -signal.SIGINT)
    assert "Traceback" not in started_up.output


def _finished(stick: Path) -> list[Path]:
    return [
        path for path in stick.rglob("*.sqlite3") if not path.parent.name.startswith(rolling_copy.UNFINISHED)
    ]


def _write_for_a_while(database: Path) -> None:
    with sqlite3.connect(database, timeout=20) as connection:
        for _ in range(200):
            connection.execute(
                "INSERT INTO tournament_journalline"
                " (event_id, at, actor, verb, subject, subject_id, before, after, reason)"
                " SELECT id, '2026-11-21 12:00:00', 'system', 'load', '', '', '{}', '{}', '' FROM tournament_event"
            )
            connection.commit()


def _lines(database: Path) -> int:
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20) as connection:
            return int(connection.execute("SELECT count(*) FROM tournament_journalline").fetchone()[0])
    except sqlite3.Error:
        return -1


def _sign_everybody_in(database: Path) -> None:
    with closing(sqlite3.connect(database, timeout=20)) as connection:
        connection.execute("UPDATE auth_user SET last_login = date_joined")
        connection.commit()
