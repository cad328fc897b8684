"""One installation whose parts run as child processes that a bench or a flow test starts and kills one by one.

`manage.py up` restarts parts that end; here a part stays dead until it is started again. Every part ends with this
process, has its own log file, and shares nothing with another installation.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import redis
from django.conf import settings
from django.db import connections
from django.db.utils import load_backend

from deploy import addresses, data_folder, die_with_parent, embedded_broker, environment, process_specs
from deploy.install import ROOT
from deploy.supervisor import answers

LOOPBACK = "127.0.0.1"
BROKER_PREFIX = "bench:"
SECONDS_TO_START = 60.0
SECONDS_TO_END = 8.0
LAST_LINES = 60


class PartFailed(RuntimeError):
    """A part or a command failed; the text ends with the last lines of its output."""


@dataclass(slots=True)
class Part:
    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def last_lines(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-LAST_LINES:])


@dataclass
class Installation:
    """`folder` has a short name because the broker's socket is in it; `variables` are added to the environment."""

    folder: Path
    database_url: str
    broker_binary: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    _listening: socket.socket | None = None

    @property
    def url(self) -> str:
        """The address of the web server; the port is reserved before the server starts."""
        return f"http://{LOOPBACK}:{self._listen().getsockname()[1]}"

    @property
    def broker_url(self) -> str:
        return embedded_broker.broker_url(self.folder)

    def manage(self, *arguments: str) -> str:
        """Runs a `manage.py` command to its end and returns its output. Raises PartFailed."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self._environment(),
            cwd=ROOT,
            capture_output=True,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode:
            raise PartFailed(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def start(self, name: str, argv: list[str], pass_fds: tuple[int, ...] = ()) -> Part:
        """Starts `argv` as the part `name` and appends to the log of an earlier part of that name.

        Call it in the main thread: Linux ties a child to the thread that started it.
        """
        log = self.folder / f"{name}.log"
        with open(log, "ab") as out:
            process = subprocess.Popen(
                die_with_parent.command(argv),
                env=self._environment(),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                pass_fds=pass_fds,
            )
        part = Part(name, process, log)
        self.parts.append(part)
        return part

    def start_broker(self) -> Part:
        """Starts an empty broker and waits until it answers."""
        (self.folder / embedded_broker.SOCKET).unlink(missing_ok=True)
        part = self.start("broker", embedded_broker.broker_command(self.broker_binary, self.folder))
        _wait_until_ready(part, self._broker_answers)
        return part

    def start_web(self, processes: int = 1) -> Part:
        """Starts web processes on one port and waits until one of them answers."""
        listening = self._listen().fileno()
        self.variables = {**self.variables, **data_folder.metrics_environment(self.folder, processes)}
        web = self.start("web", process_specs.web_spec(listening, processes).argv, (listening,))
        _wait_until_ready(web, lambda: answers(f"{self.url}/healthz"))
        return web

    def start_worker(self, name: str = "worker", processes: int = 1, queues: str = "celery,records") -> Part:
        """Starts a Celery worker with forked processes. Its first message waits a second or two."""
        options = ["--concurrency", str(processes), "--pool", "prefork", "--queues", queues]
        level = self.variables.get("LOG_LEVEL", "INFO")
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", level]
        return self.start(name, [sys.executable, "-m", "deploy.celery_worker", *options, *quiet])

    def start_beat(self) -> Part:
        """Starts the scheduler that sends the sweep."""
        options = ["--schedule", str(self.folder / "beat.schedule"), "--pidfile", ""]
        return self.start("beat", [sys.executable, "-m", "celery", "-A", "deploy", "beat", *options])

    def terminate(self, part: Part, sign: signal.Signals = signal.SIGTERM) -> None:
        """Sends the signal and returns when the part has ended; kills it after some seconds."""
        if part.is_running:
            part.process.send_signal(sign)
        try:
            part.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            part.process.kill()
            part.process.wait()
        self.parts.remove(part)

    def kill(self, part: Part) -> None:
        """Ends a part as a crash does."""
        self.terminate(part, signal.SIGKILL)

    def close_port(self) -> None:
        """Stops listening. A web server that is started later has another port."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def stop(self) -> None:
        """Ends all parts at the same time and frees the port."""
        for part in self.parts:
            if part.is_running:
                part.process.terminate()
        for part in list(self.parts):
            self.terminate(part)
        self.close_port()

    @contextmanager
    def database(self) -> Iterator[None]:
        """Connects this process to the database of the installation within the block."""
        ours = connections["default"]
        theirs = environment.database(self.database_url, self.folder)
        theirs["OPTIONS"].pop("pool", None)
        backend = load_backend(theirs["ENGINE"])
        connections["default"] = backend.DatabaseWrapper(
            {**settings.DATABASES["default"], **theirs}, "default"
        )
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"] = ours

    def logs(self) -> str:
        """The last lines of every log."""
        return "\n".join(
            f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])
            for log in sorted(self.folder.rglob("*.log"))
        )

    def _listen(self) -> socket.socket:
        if self._listening is None:
            self._listening = addresses.listen(LOOPBACK, 0)
        return self._listening

    def _environment(self) -> dict[str, str]:
        ours = {
            "SELF_SETUP": "off",
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.broker_url,
            "REDIS_PREFIX": BROKER_PREFIX,
        }
        return {**os.environ, **ours, **self.variables}

    def _broker_answers(self) -> bool:
        with redis.Redis.from_url(self.broker_url) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False


def _wait_until_ready(part: Part, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and part.is_running:
        if is_ready():
            return
        time.sleep(0.03)
    raise PartFailed(f"The {part.name} did not start:\n{part.last_lines()}")
