"""`manage.py up` as a director meets it: started, hurt, stopped, started again, opened on another laptop."""

import os
import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import psutil
import pytest

from deploy import data_folder, rolling_copy
from tests import migrated
from tests.laptop.running import PATIENCE, Up, beside, until

TOKEN, PROGRAMS = "for-whoever-watches", 8
LEFT_BLANK = {"REDIS_URL": "", "COPY_DIR": " ", "LOG_LEVEL": ""}

TELLS = """
from django.conf import settings
from tournament.runtime import publish
publish.announce_ended(["nobody"])
print("told", settings.REDIS_URL)
"""


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


@pytest.fixture(scope="module")
def up(tmp_path_factory) -> Iterator[Callable[..., Up]]:
    with starting(tmp_path_factory.mktemp("up")) as start:
        yield start


@pytest.fixture(scope="module")
def stick(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("stick")


@pytest.fixture(scope="module")
def running(up, stick) -> Up:
    """One for those who do no harm to it that it does not make good itself; the last of them kills it."""
    return up("data", "--demo", COPY_DIR=str(stick), COPY_SECONDS="1").ready()


def all_gone(family: list[psutil.Process]) -> bool:
    return not [one for one in family if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def test_the_banner_shows_the_urls_and_a_sign_in_link_that_works_once(running):
    link = re.search(r"http://127\.0\.0\.1:\d+(/sign-in/\S+)", running.said)
    assert link is not None
    assert running.answers(link.group(1))
    assert running.answers("/readyz")


def test_a_command_publishes_only_to_the_broker_of_a_running_installation(running, tmp_path):
    said = beside(running.data, "shell", "-c", TELLS)
    assert f"told unix://{data_folder.read_status(running.data)['folder']}/broker.sock" in said
    alone = beside(tmp_path / "alone", "shell", "-c", TELLS)
    assert "told redis://127.0.0.1:6379" in alone
    assert "broker is away" not in said + alone


def test_stored_files_are_readable_by_the_owner_only(running):
    kept = [running.data, *running.data.glob("*.sqlite3*"), running.data / "secret.key"]
    assert len(kept) > 2
    assert {path.name: path.stat().st_mode & 0o077 for path in kept if path.stat().st_mode & 0o077} == {}


def test_a_port_in_use_gives_one_sentence(running, tmp_path):
    second = Up(tmp_path / "other", "--port", str(running.port))
    assert second.process.wait(PATIENCE) == 2
    assert f"Port {running.port} is in use" in second.said
    assert "Traceback" not in second.said


def test_a_second_installation_in_the_same_folder_is_refused(running):
    second = Up(running.data)
    assert second.process.wait(PATIENCE) == 2
    assert "in use" in second.said


def test_a_data_folder_that_cannot_be_created_gives_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    refused = Up(tmp_path / "file")
    assert refused.process.wait(PATIENCE) == 2
    assert refused.said.startswith(f"Cannot store data in {tmp_path / 'file'}")
    assert refused.said.count("\n") == 1


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
    until(lambda: all_gone(family), "the end of every child")
    other = up("laptop", "--from", str(stick)).ready()
    assert _lines(other.data / "director.sqlite3") == written
    assert other.answers("/e/harbour-weekend/open/")
    assert "/sign-in/" in ends_cleanly(other, signal.SIGTERM), "a copy opens no session"
    assert up("laptop", "--from", str(stick)).process.wait(PATIENCE) == 2, "there is data already"
    again = up("laptop").ready()
    assert "/sign-in/" not in ends_cleanly(again, signal.SIGINT)
    assert _lines(other.data / "director.sqlite3") == written


def test_with_postgresql_a_killed_web_process_restarts_while_others_answer(up):
    name = f"up_{os.getpid()}"
    url = migrated.create(name, migrated.name_in(migrated.template()))
    served = up("served", DATABASE_URL=url, METRICS_TOKEN=TOKEN, **LEFT_BLANK).ready()
    try:
        [victim, other] = served.children_called("uvicorn")
        assert all(served.answers("/api/v1/events/") for _ in range(PROGRAMS))
        until(lambda: answered(served) == PROGRAMS, "whoever is asked tells what both have answered")
        victim.kill()
        until(
            lambda: victim.pid not in pids(served, "uvicorn") and len(pids(served, "uvicorn")) == 2, "another"
        )
        assert other.pid in pids(served, "uvicorn")
        assert answered(served) == PROGRAMS, "also what the dead one has"
        for words in ("--beat", "--queues", "broker"):
            one = served.child(words)
            one.kill()
            until(lambda pid=one.pid, words=words: served.child(words).pid != pid, f"another {words}")
        until(lambda: all(served.answers("/readyz") for _ in range(PROGRAMS)), "all of it again")
        said = ends_cleanly(served, signal.SIGINT)
        assert "did not stop within" not in said
        assert "Traceback" not in said
    finally:
        served.stop()
        migrated.drop(name)


def answered(served: Up) -> int:
    """How many programs it says that it has answered."""
    asking = Request(f"http://127.0.0.1:{served.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(asking, timeout=PATIENCE) as answer:
        told = re.findall(r'^director_requests_total{.*kind="api".*} (\S+)$', answer.read().decode(), re.M)
    return sum(round(float(figure)) for figure in told)


def pids(served: Up, words: str) -> set[int]:
    return {one.pid for one in served.children_called(words)}


def test_ctrl_c_during_the_start_prints_no_traceback(up):
    begun = up("early")
    until(begun.data.exists, "its folder")
    begun.process.send_signal(signal.SIGINT)
    assert begun.process.wait(PATIENCE) in (0, -signal.SIGINT)
    assert "Traceback" not in begun.said


def ends_cleanly(stopped: Up, sign: signal.Signals) -> str:
    """Returns what it said from its start to its end."""
    family = stopped.children()
    stopped.process.send_signal(sign)
    assert stopped.process.wait(PATIENCE) == 0
    assert all_gone(family)
    return stopped.said


def _finished(stick: Path) -> list[Path]:
    return [
        found
        for found in stick.rglob("*.sqlite3")
        if not found.parent.name.startswith(rolling_copy.UNFINISHED)
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
