"""Runs the parts of one installation: starts them in order, restarts what dies, ends all of them together.

`python -m deploy.supervisor` reads a plan (JSON) from its standard input. Standard library only: it is a small
process that outlives its children, knows nothing of Django and writes nothing. Children are started by the main
thread, because Linux ties a child to the thread that started it.
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
"""Whoever starts it may hold these back until it hears them."""


@dataclass(frozen=True)
class ProcessSpec:
    """A process to keep running. Parts of a later stage start after, and end before, those of an earlier one."""

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
    """A part as it runs now."""

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
        except OSError as error:  # no memory or no process left: the others go on, this one is tried again
            self._plan_restart(f"could not start ({error.strerror})")
        else:
            self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        ready = Path(self.spec.ready_file)
        while self.spec.ready_file and not ready.exists() and time.monotonic() < self.started + 5:
            time.sleep(0.01)

    def restart_if_ended(self) -> None:
        """Restarts it when it has ended: soon at first, less and less often when it ends again and again."""
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
        say(f"The {self.spec.name} {why}; it starts again in {self.restart_delay:.1f} s.")

    def terminate(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait_or_kill(self) -> None:
        """Waits as long as the part may take, then ends what is left of its group."""
        if self.process is None:
            return
        try:
            self.process.wait(self.spec.stop_timeout)
        except subprocess.TimeoutExpired:
            say(f"The {self.spec.name} did not end in {self.spec.stop_timeout:.0f} s and was stopped.")
        self.kill_group()
        self.process.wait()

    def kill_group(self) -> None:
        """A child may have children of its own; none of them is left behind."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # the group is empty
                return


class Supervisor:
    """Keeps a plan running until it is told to end."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.children = [Child(part) for part in sorted(plan.processes, key=lambda part: part.stage)]
        self.stop_requests = 0

    def run(self) -> int:
        for stop_signal in STOP_SIGNALS:
            if (
                stop_signal != signal.SIGHUP or signal.getsignal(stop_signal) != signal.SIG_IGN
            ):  # as nohup has it
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
        """The second time means: at once. A window that is closed may say so twice, which is once."""
        if received == signal.SIGHUP and self.stop_requests:
            return
        self.stop_requests += 1
        if self.stop_requests > 1:
            for child in self.children:
                child.kill_group()

    def _stop(self) -> None:
        say("Ending ...")
        for stage in sorted({child.spec.stage for child in self.children}, reverse=True):
            together = [child for child in self.children if child.spec.stage == stage]
            for child in together:
                child.terminate()
            for child in together:
                child.wait_or_kill()
        for folder in self.plan.remove:
            shutil.rmtree(folder, ignore_errors=True)
        say("Everything has ended; the data is kept.")

    def _announce(self) -> None:
        """Says where to go once the pages really answer."""
        deadline = time.monotonic() + READY_TIMEOUT_SECONDS
        while self.plan.probe and time.monotonic() < deadline and not answers(self.plan.probe):
            time.sleep(POLL_SECONDS)
        if self.plan.probe and time.monotonic() >= deadline:
            say("The pages do not answer yet: what went wrong stands above.")
        with suppress(OSError):
            print(self.plan.banner, flush=True)


def exit_reason(code: int) -> str:
    if code == -signal.SIGKILL:
        return "ended by signal 9, most likely because this machine or container has too little memory"
    return f"ended by signal {-code}" if code < 0 else f"ended with code {code}"


def answers(url: str) -> bool:
    """Whether a web server answers there, with whatever page.

    Asked by hand: `urllib.request` would be a quarter of what this process keeps in memory, and ask a proxy for us.
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
    """Nobody hears it where the window was closed: then everything goes on, or ends in order, all the same."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(Supervisor(Plan.from_json(sys.stdin.read())).run())
