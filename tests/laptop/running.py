"""Runs `manage.py up` in its own folder, for tests that start it, kill its processes and read its output."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from deploy import data_folder

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0
"""Seconds. A first start makes all tables, which takes a quarter of a minute on an idle machine."""
UNSET = (
    "DATABASE_URL",
    "REDIS_URL",
    "DATA_DIR",
    "COPY_DIR",
    "REDIS_PREFIX",
    "STATIC_ROOT",
    "TEST_SQLITE_FILE",
)
PORTS_EACH, PORTS_USED = 1_500, 100
_process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_first = 20_000 + _process * PORTS_EACH + os.getpid() % (PORTS_EACH - PORTS_USED)
_ports = iter(range(_first, _first + PORTS_USED))


def until(condition: Callable[[], object], description: str) -> object:
    """Returns the first true value of the condition; fails with `description` after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.1)
    raise AssertionError(f"never came: {description}")


def free_port() -> int:
    """Returns a free port below the ephemeral range, which no other test process uses."""
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Up:
    """A running `manage.py up` with its own data folder."""

    def __init__(self, data: Path, *arguments: str, **environment: str) -> None:
        self.data = data
        self.port = free_port()
        self.log = data.parent / f"{data.name}-{self.port}.log"
        inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--host", "127.0.0.1", "--port", str(self.port), *arguments],
            cwd=ROOT, env={**inherited, "DATA_DIR": str(data), **environment}, stdin=subprocess.DEVNULL,
            stdout=self.log.open("w"), stderr=subprocess.STDOUT,
        )  # fmt: skip

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def answers(self, path: str = "/healthz") -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def ready(self) -> "Up":
        until(lambda: "Ready" in self.output and self.answers(), f"Ready in {self.output}")
        return self

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def children_called(self, words: str) -> list[psutil.Process]:
        return [child for child in self.children() if words in " ".join(_command_line(child))]

    def child(self, words: str) -> psutil.Process:
        children = until(lambda: self.children_called(words), words)
        assert isinstance(children, list)
        return children[0]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
        sockets = data_folder.read_status(self.data).get("folder", "")
        if sockets:  # still there if a test killed the process
            shutil.rmtree(sockets, ignore_errors=True)


def run_command(data: Path, *command: str) -> str:
    """Runs a command of `manage.py` on the data in this folder and returns stdout and stderr."""
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env={**inherited, "DATA_DIR": str(data)}, capture_output=True, text=True, check=True,
        timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout + done.stderr


def all_ended(family: list[psutil.Process]) -> bool:
    return not [
        process for process in family if process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    ]


def stop_cleanly(stopped: Up, stop_signal: signal.Signals) -> str:
    """Stops it and returns its output."""
    family = stopped.children()
    stopped.process.send_signal(stop_signal)
    assert stopped.process.wait(PATIENCE) == 0
    assert all_ended(family)
    return stopped.output


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []
