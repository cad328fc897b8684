"""Server processes, started by the commands of the server files with the settings of the example."""

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
from tests.flows.waiting import LONGEST_WAIT, until
from tests.laptop.running import free_port

SERVER = ROOT / "deploy" / "server"
SETTING = re.compile(r"^([A-Z_]+)=(.*)$", re.M)
COMPOSE = yaml.safe_load((SERVER / "compose.yaml").read_text())["services"]
DOCKERFILE = (SERVER / "Dockerfile").read_text()
RESTRICTIONS = ("NoNew", "Capability", "Lock", "Private", "Protect", "Restrict", "SystemCall", "UMask")
MANAGE_SETTINGS = {
    "EnvironmentFile", "MemoryMax", "StateDirectory", "StateDirectoryMode", "TasksMax", "WorkingDirectory"
}  # fmt: skip
UNUSED_PID = 2**22 + 1
HALF_A_REQUEST = b"POST /api/v1/events/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
STREAM_REQUEST = (
    b"GET /live/?bracket=00000000-0000-0000-0000-000000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
)
LONG_RUNNING = ("web", "worker", "results", "clock")
UNIT_SETTINGS = {
    "ExecStartPre", "ExecStart", "KillMode", "TimeoutStartSec", "TimeoutStopSec", "Environment", "RuntimeDirectory",
    "RuntimeDirectoryMode", "SyslogIdentifier", "MemoryMax", "TasksMax",
}  # fmt: skip


def in_image() -> list[str]:
    """Returns the command of a web node."""
    return list(json.loads(re.findall(r"^CMD (.*)$", DOCKERFILE, re.M)[-1]))


def unit(name: str) -> dict[str, str]:
    """Returns the settings of a unit. The last value of a repeated setting wins."""
    lines = (SERVER / "systemd" / f"director-{name}.service").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")


def restrictions(name: str) -> dict[str, str]:
    """Returns the security settings of a unit."""
    return {key: value for key, value in unit(name).items() if key.startswith(RESTRICTIONS)}


def in_unit(name: str) -> list[str]:
    """Returns the command of a unit. A shell may insert variables into it."""
    words = shlex.split(unit(name)["ExecStart"])
    if words[0] == "/bin/sh":
        words = shlex.split(words[-1].removeprefix("exec "))
    return [words[0].removeprefix("/srv/director/.venv/bin/"), *words[1:]]


def without(words: list[str], *options: str) -> list[str]:
    """Returns the command without these options and their values."""
    remaining = list(words)
    for option in options:
        if option in remaining:
            at = remaining.index(option)
            del remaining[at : at + 2]
    return remaining


@contextmanager
def run_process(words: list[str], folder: Path, **more: str) -> Iterator["subprocess.Popen[str]"]:
    example = dict(SETTING.findall((SERVER / "example.env").read_text()))
    own = {
        "PATH": os.environ["PATH"], "SELF_SETUP": "off", "DJANGO_SECRET_KEY": secrets.token_urlsafe(50),
        "DATA_DIR": str(folder), "REDIS_URL": f"unix://{folder}/nobody",
    }  # fmt: skip
    command = [str(Path(sys.executable).parent / words[0]), *words[1:]]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**example, **own, **more},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def is_healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read() == b"ok\n"
    except OSError:
        return False
    finally:
        connection.close()


@contextmanager
def open_request(port: int, request: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), LONGEST_WAIT) as connection:
        connection.sendall(request)
        yield connection


def read_all(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(10_000), b""))


def test_every_server_process_starts_and_stops(
    tmp_path,
):
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--timeout-graceful-shutdown", "1"]
    web = [*without(in_image(), *options[::2]), *options]
    celery = [*COMPOSE["worker"]["command"][:4], "report"]
    shared_metrics = data_folder.metrics_environment(tmp_path, 2)
    dead_gauges = Path(shared_metrics[METRICS_DIR]) / f"gauge_livesum_{UNUSED_PID}.db"
    dead_gauges.touch()
    with run_process(web, tmp_path, **shared_metrics) as node, run_process(celery, tmp_path) as worker:
        until(lambda: node.poll() is not None or is_healthy(port), "the web node answers")
        assert node.poll() is None, node.communicate()
        assert not dead_gauges.exists()
        with open_request(port, HALF_A_REQUEST) as sender, open_request(port, STREAM_REQUEST) as listener:
            assert listener.recv(1000).startswith(b"HTTP/1.1 200")
            node.send_signal(signal.SIGTERM)
            output, _ = node.communicate(timeout=LONGEST_WAIT)
            assert read_all(sender).startswith(b"HTTP/1.1 503"), "an incomplete request is refused with 503"
            assert read_all(listener).endswith(b"0\r\n\r\n"), "a stream ends properly"
        assert node.returncode in (0, -signal.SIGTERM), output
        assert "Traceback" not in output
        report, _ = worker.communicate(timeout=LONGEST_WAIT)
        assert worker.returncode == 0, report
        assert "deploy.sweep_clock:SweepScheduler" in report
    (Path(shared_metrics[METRICS_DIR]) / "gauge_livesum_nobody.db").touch()
    with run_process(web, tmp_path, **shared_metrics) as node:
        output, _ = node.communicate(timeout=LONGEST_WAIT)
        assert node.returncode == STARTUP_FAILURE, "the supervisor restarts it"
        assert "The web server cannot start (ValueError: " in output
        assert "Traceback" not in output


def test_a_web_node_does_not_start_with_tables_of_a_newer_release(tmp_path):
    with closing(sqlite3.connect(tmp_path / "director.sqlite3")) as database, database:
        database.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app, name, applied)")
        database.execute("INSERT INTO django_migrations VALUES (1, 'tournament', '9999_newer', '2026-01-01')")
    port = ["--host", "127.0.0.1", "--port", str(free_port())]
    with run_process([*without(in_image(), *port[::2]), *port], tmp_path) as process:
        output, _ = process.communicate(timeout=LONGEST_WAIT)
    assert process.returncode == 2, output
    assert "from a newer release" in output
    assert "Traceback" not in output


def test_containers_and_units_start_the_same_processes():
    assert without(in_unit("web"), "--host", "--workers") == without(in_image(), "--host")
    concurrency = "--concurrency"
    assert without(in_unit("worker"), concurrency) == without(COMPOSE["worker"]["command"], concurrency)
    assert in_unit("results") == COMPOSE["results"]["command"]
    in_container = [word for word in COMPOSE["clock"]["command"] if word not in ("--pidfile", "")]
    assert [word for word in in_unit("clock") if word != "--pidfile="] == in_container


def test_every_web_server_command_enables_lifespan():
    laptop_web = process_specs.web_spec(3, 2)
    for command in (in_image(), in_unit("web"), laptop_web.argv):
        assert command[command.index("--lifespan") + 1] == "on"


def test_web_processes_of_a_unit_share_metrics_in_a_runtime_directory():
    web = unit("web")
    variables = dict(variable.split("=", 1) for variable in web["Environment"].split())
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
            key: value
            for key, value in unit(service).items()
            if key not in UNIT_SETTINGS | {"Description", "After"}
        }
        for service in ("web", name)
    ]
    assert services[0] == services[1]
    assert services[0]["StartLimitIntervalSec"] == "0"


def test_director_manage_uses_the_user_and_restrictions_of_the_units():
    words = shlex.split((SERVER / "systemd" / "director-manage").read_text(), comments=True)
    properties = dict(
        word.removeprefix("--property=").split("=", 1) for word in words if word[:11] == "--property="
    )
    web = unit("web")
    expected = {
        **restrictions("web"),
        **{word: web[word] for word in MANAGE_SETTINGS},
        "ReadWritePaths": "/tmp",
    }
    del expected["PrivateTmp"]  # a backup written to a private /tmp would be deleted
    assert properties == expected
    assert f"--uid={web['User']}" in words
    variables = {word.removeprefix("--setenv=") for word in words if word[:9] == "--setenv="}
    assert variables == set(unit("clock")["Environment"].split())


def test_the_backup_has_the_restrictions_of_the_other_units():
    assert restrictions("backup") == restrictions("web")


def test_long_running_containers_restart_and_have_limited_logs():
    for name, container in COMPOSE.items():
        assert container["restart"] == ("no" if name == "tables" else "unless-stopped"), name
        assert container["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


@pytest.mark.parametrize("name", LONG_RUNNING)
def test_containers_can_write_only_to_their_volume(name):
    container = COMPOSE[name]
    assert (container["read_only"], container["cap_drop"], container["volumes"]) == (
        True,
        ["ALL"],
        ["data:/data"],
    )
    assert re.findall(r"^(?:USER|VOLUME) (.*)$", DOCKERFILE, re.M) == ["10001", "/data"]


def is_in_image(path: str) -> bool:
    """Returns True if the image contains this file. The last matching line of the ignore file decides."""
    included = True
    for line in (SERVER / "Dockerfile.dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        parts = path.split("/")
        above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
        names = [*above, *parts] if pattern.startswith("**/") else above
        if line[:1] != "#" and any(fnmatchcase(name, pattern.removeprefix("**/")) for name in names):
            included = line.startswith("!")
    return included


def test_the_image_contains_the_program_and_no_secrets():
    assert [
        path
        for path in ("manage.py", "deploy/asgi.py", "docs/operating.md", "rules/score.py")
        if not is_in_image(path)
    ] == []
    private = (
        ".env",
        "deploy/server/.env",
        "data/director.sqlite3",
        ".venv/bin/python",
        "deploy/__pycache__/a.pyc",
    )
    assert [path for path in private if is_in_image(path)] == []
