"""Runs the processes of an installation: starts them in order, restarts those that die, stops all of them together.

`python -m deploy.supervisor` reads a plan (JSON) from standard input. It is a small process: standard library only,
without Django, and it writes no data. The main thread starts the children, because Linux ties a child to the thread
that started it.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

from deploy import die_with_parent

POLL_SECONDS = 0.1
FIRST_RESTART_DELAY, MAX_RESTART_DELAY = 0.2, 15.0
STABLE_SECONDS = 20.0
READY_TIMEOUT_SECONDS = 60.0
HTTP = b"HTTP/"
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The starting process may block these signals until the supervisor handles them."""


@dataclass(frozen=True)
class ProcessSpec:
    """A process to keep running. A later stage starts after, and stops before, an earlier one."""

    name: str
    argv: list[str]
    stage: int = 0
    ready_file: str = ""
    pass_fds: list[int] = field(default_factory=list)
    stop_timeout: float = 10.0


@dataclass(frozen=True)
class Plan:
    processes: list[ProcessSpec]
    banner: str = ""
    probe: str = ""
    remove: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        fields = json.loads(text)
        return cls(**{**fields, "processes": [ProcessSpec(**spec) for spec in fields["processes"]]})


@dataclass
class Child:
    """The running process of a spec."""

    spec: ProcessSpec
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    restart_delay: float = FIRST_RESTART_DELAY
    restart_at: float = 0.0

    def start(self) -> None:
        self.started = time.monotonic()
        try:
            self.process = subprocess.Popen(
                die_with_parent.command(self.spec.argv),
                stdin=subprocess.DEVNULL,
                pass_fds=self.spec.pass_fds,
                start_new_session=True,
            )
        except (
            OSError
        ) as error:  # no memory or process slot left: the others continue and this one is retried
            self._plan_restart(f"could not start ({error.strerror})")
        else:
            self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        ready = Path(self.spec.ready_file)
        while self.spec.ready_file and not ready.exists() and time.monotonic() < self.started + 5:
            time.sleep(0.01)

    def restart_if_ended(self) -> None:
        """Restarts the process if it has ended, with exponential backoff."""
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return
            self.kill_group()
            self._plan_restart(exit_reason(code))
        elif time.monotonic() >= self.restart_at:
            self.start()

    def _plan_restart(self, why: str) -> None:
        now = time.monotonic()
        self.restart_delay = (
            FIRST_RESTART_DELAY
            if now - self.started > STABLE_SECONDS
            else min(self.restart_delay * 2, MAX_RESTART_DELAY)
        )
        self.restart_at = now + self.restart_delay
        self.process = None
        say(f"The {self.spec.name} {why}; it restarts in {self.restart_delay:.1f} s.")

    def terminate(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait_or_kill(self) -> None:
        """Waits up to the stop timeout, then kills the rest of the process group."""
        if self.process is None:
            return
        try:
            self.process.wait(self.spec.stop_timeout)
        except subprocess.TimeoutExpired:
            say(f"The {self.spec.name} did not stop within {self.spec.stop_timeout:.0f} s and was killed.")
        self.kill_group()
        self.process.wait()

    def kill_group(self) -> None:
        """Kills the child and its own children."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # the group is empty
                return


class Supervisor:
    """Keeps a plan running until a stop signal arrives."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.children = [Child(spec) for spec in sorted(plan.processes, key=lambda spec: spec.stage)]
        self.stop_requests = 0

    def run(self) -> int:
        for stop_signal in STOP_SIGNALS:
            if (
                stop_signal != signal.SIGHUP or signal.getsignal(stop_signal) != signal.SIG_IGN
            ):  # nohup ignores SIGHUP
                signal.signal(stop_signal, self._request_stop)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        for child in self.children:
            child.start()
        threading.Thread(target=self._announce, daemon=True).start()
        while not self.stop_requests:
            time.sleep(POLL_SECONDS)
            for child in self.children:
                child.restart_if_ended()
        self._stop()
        return 0

    def _request_stop(self, received: int, _frame: FrameType | None) -> None:
        """A second signal kills everything at once. A closing terminal may send SIGHUP twice, which counts once."""
        if received == signal.SIGHUP and self.stop_requests:
            return
        self.stop_requests += 1
        if self.stop_requests > 1:
            for child in self.children:
                child.kill_group()

    def _stop(self) -> None:
        say("Stopping ...")
        for stage in sorted({child.spec.stage for child in self.children}, reverse=True):
            children = [child for child in self.children if child.spec.stage == stage]
            for child in children:
                child.terminate()
            for child in children:
                child.wait_or_kill()
        for folder in self.plan.remove:
            shutil.rmtree(folder, ignore_errors=True)
        say("Stopped. The data is kept.")

    def _announce(self) -> None:
        """Prints the banner when the web server answers."""
        deadline = time.monotonic() + READY_TIMEOUT_SECONDS
        while self.plan.probe and time.monotonic() < deadline and not answers(self.plan.probe):
            time.sleep(POLL_SECONDS)
        if self.plan.probe and time.monotonic() >= deadline:
            say("The web server does not answer yet: see the messages above.")
        with suppress(OSError):
            print(self.plan.banner, flush=True)


def exit_reason(code: int) -> str:
    if code == -signal.SIGKILL:
        return "ended by signal 9, most likely because this machine or container has too little memory"
    return f"ended by signal {-code}" if code < 0 else f"ended with code {code}"


def answers(url: str) -> bool:
    """Returns True if a web server answers at the URL, with any status.

    Uses a plain socket: `urllib.request` would take a quarter of this process's memory and use a proxy.
    """
    address = urlsplit(url)
    request = f"GET {address.path or '/'} HTTP/1.0\r\nHost: {address.netloc}\r\n\r\n"
    try:
        with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
            connection.sendall(request.encode())
            return connection.recv(len(HTTP), socket.MSG_WAITALL) == HTTP
    except OSError:
        return False


def say(sentence: str) -> None:
    """Prints to standard error. Ignores errors, because the terminal may be closed."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(Supervisor(Plan.from_json(sys.stdin.read())).run())
