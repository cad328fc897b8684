"""The product's parts as child processes, one by one, for whoever measures or breaks them: benches and flow tests.

`up` has a supervisor that keeps its parts alive; here a part that died stays dead until it is started again. Every
part is tied to this process, writes a log of its own, and shares nothing with another installation.
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

from deploy import addresses, datafolder, embedded, environment, lineup, tether
from deploy.supervisor import answers

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
PREFIX = "loose:"
SECONDS_TO_START = 60.0
SECONDS_TO_END = 8.0
LAST_LINES = 60


class PartFailed(RuntimeError):
    """A part or a command did not do what was asked; the text ends with what it said last."""


@dataclass(slots=True)
class Part:
    """One child process and the file that holds what it says."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-LAST_LINES:])


@dataclass
class LooseParts:
    """The parts of one installation. `folder` has a short name, for the broker's socket; `switches` are variables."""

    folder: Path
    database_url: str
    broker_binary: Path
    switches: Mapping[str, str] = field(default_factory=dict)
    started: list[Part] = field(default_factory=list)
    _listening: socket.socket | None = None

    @property
    def url(self) -> str:
        """Where the web server is, or will be, reached."""
        if self._listening is None:
            self._listening = addresses.listen(LOOPBACK, 0)
        return f"http://{LOOPBACK}:{self._listening.getsockname()[1]}"

    @property
    def broker_url(self) -> str:
        return embedded.broker_url(self.folder)

    def manage(self, *arguments: str) -> str:
        """Runs a command of `manage.py` to its end and returns what it printed. Raises PartFailed."""
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
        """Starts `argv` as the part `name`; its log is continued when a part of that name ran before.

        Call it in the main thread: Linux ties a child to the thread that started it.
        """
        log = self.folder / f"{name}.log"
        with open(log, "ab") as out:
            process = subprocess.Popen(
                tether.command(argv),
                env=self._environment(),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                pass_fds=pass_fds,
            )
        part = Part(name, process, log)
        self.started.append(part)
        return part

    def start_broker(self) -> Part:
        """An empty broker, once it answers."""
        (self.folder / embedded.SOCKET).unlink(missing_ok=True)
        part = self.start("broker", embedded.broker_command(self.broker_binary, self.folder))
        _wait_until(part, self._broker_answers)
        return part

    def start_web(self) -> Part:
        """The web server as a single process, once it has answered."""
        return self.start_webs(1)[0]

    def start_webs(self, processes: int) -> list[Part]:
        """The web server as so many processes, once one of them has answered."""
        if self._listening is None:
            self._listening = addresses.listen(LOOPBACK, 0)
        listening = self._listening.fileno()
        self.switches = {**self.switches, **datafolder.counts(self.folder, processes)}
        parts = [self.start("web", one.argv, (listening,)) for one in lineup.webs(listening, processes)]
        _wait_until(parts[0], lambda: answers(f"{self.url}/healthz"))
        return parts

    def start_worker(self, name: str = "worker", processes: int = 1, queues: str = "celery,records") -> Part:
        """A Celery worker with forked processes; it needs a second or two before it takes its first message."""
        options = ["--concurrency", str(processes), "--pool", "prefork", "--queues", queues]
        level = self.switches.get("LOG_LEVEL", "INFO")
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", level]
        return self.start(name, [sys.executable, "-m", "deploy.celery_worker", *options, *quiet])

    def start_beat(self) -> Part:
        """The clock that sends the sweep."""
        options = ["--schedule", str(self.folder / "beat.schedule"), "--pidfile", ""]
        return self.start("beat", [sys.executable, "-m", "celery", "-A", "deploy", "beat", *options])

    def end(self, part: Part, sign: signal.Signals = signal.SIGTERM) -> None:
        """Sends the signal and returns when the part is gone; one that does not listen is killed."""
        if part.is_running:
            part.process.send_signal(sign)
        try:
            part.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            part.process.kill()
            part.process.wait()
        self.started.remove(part)

    def kill(self, part: Part) -> None:
        """Ends a part as a crash would."""
        self.end(part, signal.SIGKILL)

    def fall(self) -> None:
        """Ends as a machine without power does: nothing runs any more, and nobody listens at its port.

        A web server that is started later has another one.
        """
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        for part in list(self.started):
            self.kill(part)

    def stop(self) -> None:
        """Ends everything that still runs, all at the same time, and frees the port."""
        for part in self.started:
            if part.is_running:
                part.process.terminate()
        for part in list(self.started):
            self.end(part)
        if self._listening is not None:
            self._listening.close()

    @contextmanager
    def database(self) -> Iterator[None]:
        """Within the block this process reads and writes the database of these parts."""
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

    def _environment(self) -> dict[str, str]:
        ours = {
            "SELF_SETUP": "off",
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.broker_url,
            "REDIS_PREFIX": PREFIX,
        }
        return {**os.environ, **ours, **self.switches}

    def _broker_answers(self) -> bool:
        with redis.Redis.from_url(self.broker_url) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False


def _wait_until(part: Part, is_ready: Callable[[], bool]) -> None:
    ends = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < ends and part.is_running:
        if is_ready():
            return
        time.sleep(0.03)
    raise PartFailed(f"The {part.name} did not start:\n{part.last_words()}")
