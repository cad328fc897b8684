"""`manage.py up` as a director meets it: started, hurt, stopped, started again, opened on another laptop."""

import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from deploy import copying
from tests.laptop.running import PATIENCE, Up, until


@contextmanager
def starting(folder: Path) -> Iterator[Callable[..., Up]]:
    """Starts `up` on data in this folder; whatever still runs in the end is stopped."""
    started: list[Up] = []

    def start(name: str = "data", *arguments: str, **environment: str) -> Up:
        started.append(Up(folder / name, *arguments, **environment))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def up(tmp_path) -> Iterator[Callable[..., Up]]:
    with starting(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Up]:
    """One for those who do no harm to it that it does not make good itself."""
    with starting(tmp_path_factory.mktemp("running")) as start:
        yield start().ready()


def all_gone(family: list[psutil.Process]) -> bool:
    return not [one for one in family if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def test_it_says_where_it_is_and_lets_the_director_in_once(running):
    link = re.search(r"http://127\.0\.0\.1:\d+(/sign-in/\S+)", running.said)
    assert link is not None
    assert running.answers(link.group(1))
    assert running.answers("/readyz")


def test_a_part_that_is_killed_comes_back_and_the_others_stay(running):
    for words in ("uvicorn", "celery", "broker"):
        victim = running.child(words)
        victim.kill()
        until(lambda pid=victim.pid, words=words: running.child(words).pid != pid, f"another {words}")
    until(running.answers, "the pages again")


def test_a_taken_port_is_said_in_one_sentence(running, tmp_path):
    second = Up(tmp_path / "other", "--port", str(running.port))
    assert second.process.wait(PATIENCE) == 2
    assert f"Port {running.port} is taken" in second.said
    assert "Traceback" not in second.said


def test_the_same_data_is_opened_by_one_at_a_time(running):
    second = Up(running.data)
    assert second.process.wait(PATIENCE) == 2
    assert "in use" in second.said


def test_it_ends_cleanly_and_keeps_the_data_and_killed_leaves_nobody_behind(up):
    for sign in (signal.SIGTERM, signal.SIGINT):
        stopped = up().ready()
        assert "/sign-in/" in stopped.said
        family = stopped.children()
        stopped.process.send_signal(sign)
        assert stopped.process.wait(PATIENCE) == 0
        assert all_gone(family)
    again = up().ready()
    assert "/sign-in/" in again.said
    family = again.children()
    assert len(family) >= 3
    again.process.kill()
    again.process.wait()
    until(lambda: all_gone(family), "the end of every child")


def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    refused = Up(tmp_path / "file")
    assert refused.process.wait(PATIENCE) == 2
    assert refused.said.startswith(f"Cannot keep data in {tmp_path / 'file'}")
    assert refused.said.count("\n") == 1


def test_a_copy_made_while_it_is_written_to_opens_on_another_laptop(up, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    running = up("data", "--demo", COPY_DIR=str(stick), COPY_SECONDS="1").ready()
    until(lambda: _finished(stick), "a copy on the stick")
    _write_for_a_while(tmp_path / "data" / "director.sqlite3")
    written = _lines(tmp_path / "data" / "director.sqlite3")
    until(lambda: any(_lines(copy) == written for copy in _finished(stick)), "a copy of the last line")
    running.process.kill()
    other = up("laptop", "--from", str(stick)).ready()
    assert _lines(tmp_path / "laptop" / "director.sqlite3") == written
    assert other.answers("/e/harbour-weekend/open/")
    refused = Up(tmp_path / "laptop", "--from", str(stick))
    assert refused.process.wait(PATIENCE) == 2


def _finished(stick: Path) -> list[Path]:
    return [
        found for found in stick.rglob("*.sqlite3") if not found.parent.name.startswith(copying.UNFINISHED)
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
