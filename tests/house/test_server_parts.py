"""The parts of a server, started as its files start them: by these commands, with the settings of the example alone."""

import json
import os
import re
import secrets
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fnmatch import fnmatchcase
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml
from uvicorn.config import STARTUP_FAILURE

from deploy import data_folder, process_specs
from deploy.install import ROOT
from deploy.monitoring.http_metrics import METRICS_DIR
from tests.flows.waiting import until
from tests.laptop.running import free_port

SERVER = ROOT / "deploy" / "server"
SETTING = re.compile(r"^([A-Z_]+)=(.*)$", re.M)
COMPOSE = yaml.safe_load((SERVER / "compose.yaml").read_text())["services"]
DOCKERFILE = (SERVER / "Dockerfile").read_text()
BOUNDS = ("NoNew", "Capability", "Lock", "Private", "Protect", "Restrict", "SystemCall", "UMask")
OF_MANAGE = {
    "EnvironmentFile", "MemoryMax", "StateDirectory", "StateDirectoryMode", "TasksMax", "WorkingDirectory"
}  # fmt: skip
NOBODYS_NUMBER = 2**22 + 1
HALF_A_GAME = b"POST /api/v1/events/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
LISTENS = b"GET /live/?bracket=00000000-0000-0000-0000-000000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
LASTING = ("web", "worker", "results", "clock")
OF_THIS_ONE = {
    "ExecStartPre", "ExecStart", "KillMode", "TimeoutStartSec", "TimeoutStopSec", "Environment", "RuntimeDirectory",
    "RuntimeDirectoryMode", "SyslogIdentifier", "MemoryMax", "TasksMax",
}  # fmt: skip


def in_image() -> list[str]:
    """The command of a web node."""
    return list(json.loads(re.findall(r"^CMD (.*)$", DOCKERFILE, re.M)[-1]))


def unit(name: str) -> dict[str, str]:
    """What a unit says of its service; of a setting said more than once, the last."""
    lines = (SERVER / "systemd" / f"director-{name}.service").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")


def bounds(name: str) -> dict[str, str]:
    """What a unit may not do."""
    return {word: said for word, said in unit(name).items() if word.startswith(BOUNDS)}


def in_unit(name: str) -> list[str]:
    """The command of a unit, also where a shell puts a number into it."""
    words = shlex.split(unit(name)["ExecStart"])
    if words[0] == "/bin/sh":
        words = shlex.split(words[-1].removeprefix("exec "))
    return [words[0].removeprefix("/srv/director/.venv/bin/"), *words[1:]]


def without(words: list[str], *options: str) -> list[str]:
    """The command but for these options and their values."""
    left = list(words)
    for option in options:
        if option in left:
            at = left.index(option)
            del left[at : at + 2]
    return left


@contextmanager
def started(words: list[str], folder: Path, **more: str) -> Iterator["subprocess.Popen[str]"]:
    given = dict(SETTING.findall((SERVER / "example.env").read_text()))
    own = {
        "PATH": os.environ["PATH"], "SELF_SETUP": "off", "DJANGO_SECRET_KEY": secrets.token_urlsafe(50),
        "DATA_DIR": str(folder), "REDIS_URL": f"unix://{folder}/nobody",
    }  # fmt: skip
    command = [str(Path(sys.executable).parent / words[0]), *words[1:]]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**given, **own, **more},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as part:
        try:
            yield part
        finally:
            part.kill()


def is_well(port: int) -> bool:
    asking = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        asking.request("GET", "/healthz")
        return asking.getresponse().read() == b"ok\n"
    except OSError:
        return False
    finally:
        asking.close()


@contextmanager
def said_so_far(port: int, request: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), 30) as asking:
        asking.sendall(request)
        yield asking


def read_to_the_end(asking: socket.socket) -> bytes:
    return b"".join(iter(lambda: asking.recv(10_000), b""))


def test_every_server_process_starts_and_stops(
    tmp_path,
):
    port = free_port()
    mine = ["--host", "127.0.0.1", "--port", str(port), "--timeout-graceful-shutdown", "1"]
    web = [*without(in_image(), *mine[::2]), *mine]
    celery = [*COMPOSE["worker"]["command"][:4], "report"]
    together = data_folder.metrics_environment(tmp_path, 2)
    streams_of_the_dead = Path(together[METRICS_DIR]) / f"gauge_livesum_{NOBODYS_NUMBER}.db"
    streams_of_the_dead.touch()
    with started(web, tmp_path, **together) as node, started(celery, tmp_path) as worker:
        until(lambda: node.poll() is not None or is_well(port), "the web node answers")
        assert node.poll() is None, node.communicate()
        assert not streams_of_the_dead.exists()
        with said_so_far(port, HALF_A_GAME) as sender, said_so_far(port, LISTENS) as listener:
            assert listener.recv(1000).startswith(b"HTTP/1.1 200")
            node.send_signal(signal.SIGTERM)
            said, _ = node.communicate(timeout=30)
            assert read_to_the_end(sender).startswith(b"HTTP/1.1 503"), "what is half sent is sent again"
            assert read_to_the_end(listener).endswith(b"0\r\n\r\n"), "a stream ends in good order"
        assert node.returncode in (0, -signal.SIGTERM), said
        assert "Traceback" not in said
        report, _ = worker.communicate(timeout=30)
        assert worker.returncode == 0, report
        assert "deploy.sweep_clock:SweepScheduler" in report
    (Path(together[METRICS_DIR]) / "gauge_livesum_nobody.db").touch()
    with started(web, tmp_path, **together) as node:
        said, _ = node.communicate(timeout=30)
        assert node.returncode == STARTUP_FAILURE, "who starts it learns of it, and starts it again"
        assert "The web server cannot start (ValueError: " in said
        assert "Traceback" not in said


def test_a_web_node_does_not_start_with_tables_of_a_newer_release(tmp_path):
    with closing(sqlite3.connect(tmp_path / "director.sqlite3")) as database, database:
        database.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app, name, applied)")
        database.execute("INSERT INTO django_migrations VALUES (1, 'tournament', '9999_newer', '2026-01-01')")
    port = ["--host", "127.0.0.1", "--port", str(free_port())]
    for command in ([*without(in_image(), *port[::2]), *port], ["python", "manage.py", "migrate"]):
        with started(command, tmp_path) as part:
            said, _ = part.communicate(timeout=30)
        assert part.returncode == 2, said
        assert "from a newer release" in said
        assert "Traceback" not in said


def test_containers_and_units_start_the_same_processes():
    assert without(in_unit("web"), "--host", "--workers") == without(in_image(), "--host")
    of_one = "--concurrency"
    assert without(in_unit("worker"), of_one) == without(COMPOSE["worker"]["command"], of_one)
    assert in_unit("results") == COMPOSE["results"]["command"]
    in_container = [word for word in COMPOSE["clock"]["command"] if word not in ("--pidfile", "")]
    assert [word for word in in_unit("clock") if word != "--pidfile="] == in_container


def test_every_web_server_command_enables_lifespan():
    [at_hand] = process_specs.web_specs(3, 1)
    for command in (in_image(), in_unit("web"), at_hand.argv):
        assert command[command.index("--lifespan") + 1] == "on"


def test_web_processes_of_a_unit_share_metrics_in_a_runtime_directory():
    web = unit("web")
    variables = dict(one.split("=", 1) for one in web["Environment"].split())
    assert "WEB_PROCESSES" in in_unit("web")[in_unit("web").index("--workers") + 1]
    assert variables[METRICS_DIR] == f"/run/{web['RuntimeDirectory']}"
    assert "RuntimeDirectoryPreserve" not in web


@pytest.mark.parametrize("name", ["worker", "results"])
def test_a_stopping_worker_has_time_to_finish_its_tasks(name):
    assert unit(name)["KillMode"] == "mixed"
    assert unit(name)["TimeoutStopSec"] + "s" == COMPOSE[name]["stop_grace_period"] == "70s"


def test_one_worker_takes_no_records_and_another_takes_everything():
    everything, results = process_specs.worker_specs()
    for command in (in_unit("results"), COMPOSE["results"]["command"], results.argv):
        assert command[command.index("--queues") + 1] == "celery"
    for command in (in_unit("worker"), COMPOSE["worker"]["command"], everything.argv):
        assert "--queues" not in command


@pytest.mark.parametrize("name", ["worker", "results", "clock"])
def test_units_restart_without_limit_and_share_the_same_restrictions(name):
    services = [
        {
            word: said
            for word, said in unit(each).items()
            if word not in OF_THIS_ONE | {"Description", "After"}
        }
        for each in ("web", name)
    ]
    assert services[0] == services[1]
    assert services[0]["StartLimitIntervalSec"] == "0"


def test_director_manage_uses_the_user_and_restrictions_of_the_units():
    words = shlex.split((SERVER / "systemd" / "director-manage").read_text(), comments=True)
    properties = dict(
        word.removeprefix("--property=").split("=", 1) for word in words if word[:11] == "--property="
    )
    web = unit("web")
    expected = {**bounds("web"), **{word: web[word] for word in OF_MANAGE}, "ReadWritePaths": "/tmp"}
    del expected["PrivateTmp"]  # a backup written to a private /tmp would be deleted
    assert properties == expected
    assert f"--uid={web['User']}" in words
    variables = {word.removeprefix("--setenv=") for word in words if word[:9] == "--setenv="}
    assert variables == set(unit("clock")["Environment"].split())


def test_the_backup_has_the_restrictions_of_the_other_units():
    assert bounds("backup") == bounds("web")


def test_long_running_containers_restart_and_have_limited_logs():
    for name, part in COMPOSE.items():
        assert part["restart"] == ("no" if name == "tables" else "unless-stopped"), name
        assert part["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


@pytest.mark.parametrize("name", LASTING)
def test_containers_can_write_only_to_their_volume(name):
    part = COMPOSE[name]
    assert (part["read_only"], part["cap_drop"], part["volumes"]) == (True, ["ALL"], ["data:/data"])
    assert re.findall(r"^(?:USER|VOLUME) (.*)$", DOCKERFILE, re.M) == ["10001", "/data"]


def is_sent(path: str) -> bool:
    """Whether the image is built with this file: of the lines that fit it the last decides."""
    sent = True
    for line in (SERVER / "Dockerfile.dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        parts = path.split("/")
        above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
        names = [*above, *parts] if pattern.startswith("**/") else above
        if line[:1] != "#" and any(fnmatchcase(each, pattern.removeprefix("**/")) for each in names):
            sent = line.startswith("!")
    return sent


def test_the_image_contains_the_program_and_no_secrets():
    assert [
        path
        for path in ("manage.py", "deploy/asgi.py", "docs/operating.md", "rules/score.py")
        if not is_sent(path)
    ] == []
    private = (
        ".env",
        "deploy/server/.env",
        "data/director.sqlite3",
        ".venv/bin/python",
        "deploy/__pycache__/a.pyc",
    )
    assert [path for path in private if is_sent(path)] == []
