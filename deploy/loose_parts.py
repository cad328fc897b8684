"""The product's parts as child processes, one by one, for whoever measures or breaks them: benches and flow tests.

`up` has a supervisor that keeps its parts alive; here a part that died stays dead until it is started again.
Every part is tied to this process, writes a log of its own and meets the servers that the environment names.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy import tether

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
SECONDS_TO_START = 60.0
SECONDS_TO_END = 8.0
LAST_LINES = 40


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
    """The parts of one installation: its data and logs are in `folder`, its servers in `environment`."""

    folder: Path
    environment: Mapping[str, str]
    started: list[Part] = field(default_factory=list)

    def manage(self, *arguments: str) -> str:
        """Runs a command of `manage.py` to its end and returns what it printed."""
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

    def start(self, name: str, argv: list[str]) -> Part:
        """Starts `argv` as the part `name`; its log is `name.log`, continued when a part of that name ran before."""
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / f"{name}.log"
        with open(log, "ab") as out:
            process = subprocess.Popen(
                tether.command(argv),
                env=self._environment(),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        part = Part(name, process, log)
        self.started.append(part)
        return part

    def start_web(self, port: int, name: str = "web") -> Part:
        """The web server on the loopback, once it listens."""
        options = ["--host", LOOPBACK, "--port", str(port), "--timeout-graceful-shutdown", "3"]
        argv = ["uvicorn", "deploy.asgi:application", *options, "--log-level", "warning", "--no-access-log"]
        part = self.start(name, [sys.executable, "-m", *argv])
        _wait_for_port(port, part)
        return part

    def start_worker(self, name: str = "worker", processes: int = 1) -> Part:
        """A Celery worker with forked processes; it needs a second or two before it takes its first message."""
        options = ["--concurrency", str(processes), "--pool", "prefork", "--hostname", f"{name}@%h"]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
        return self.start(name, [sys.executable, "-m", "celery", "-A", "deploy", "worker", *options, *quiet])

    def start_beat(self, name: str = "beat") -> Part:
        """The clock that sends the sweep."""
        schedule = ["--schedule", str(self.folder / f"{name}.schedule"), "--pidfile", ""]
        return self.start(name, [sys.executable, "-m", "celery", "-A", "deploy", "beat", *schedule])

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

    def stop(self) -> None:
        """Ends everything that still runs, all at the same time."""
        for part in self.started:
            if part.is_running:
                part.process.terminate()
        for part in list(self.started):
            self.end(part)

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "SELF_SETUP": "off", "DATA_DIR": str(self.folder), **self.environment}


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for_port(port: int, part: Part) -> None:
    ends = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < ends and part.is_running:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex((LOOPBACK, port)) == 0:
                return
        time.sleep(0.05)
    raise PartFailed(f"{part.name} did not start:\n{part.last_words()}")
