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

LOOK_SECONDS = 0.1
FIRST_WAIT, LONGEST_WAIT = 0.2, 15.0
SETTLED_SECONDS = 20.0
READY_SECONDS = 60.0
HTTP = b"HTTP/"
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Whoever starts it may hold these back until it hears them."""


@dataclass(frozen=True)
class Part:
    """A process to keep running. Parts of a later stage start after, and end before, those of an earlier one."""

    name: str
    argv: list[str]
    stage: int = 0
    ready_file: str = ""
    pass_fds: list[int] = field(default_factory=list)
    patience: float = 10.0


@dataclass(frozen=True)
class Plan:
    parts: list[Part]
    banner: str = ""
    probe: str = ""
    remove: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        raw = json.loads(text)
        return cls(**{**raw, "parts": [Part(**part) for part in raw["parts"]]})


@dataclass
class Child:
    """A part as it runs now."""

    part: Part
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    wait: float = FIRST_WAIT
    due: float = 0.0

    def start(self) -> None:
        self.started = time.monotonic()
        try:
            self.process = subprocess.Popen(
                die_with_parent.command(self.part.argv),
                stdin=subprocess.DEVNULL,
                pass_fds=self.part.pass_fds,
                start_new_session=True,
            )
        except OSError as error:  # no memory or no process left: the others go on, this one is tried again
            self._plan_restart(f"could not start ({error.strerror})")
        else:
            self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        ready = Path(self.part.ready_file)
        while self.part.ready_file and not ready.exists() and time.monotonic() < self.started + 5:
            time.sleep(0.01)

    def look(self) -> None:
        """Restarts it when it has ended: soon at first, less and less often when it ends again and again."""
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return
            self.kill_group()
            self._plan_restart(how_it_ended(code))
        elif time.monotonic() >= self.due:
            self.start()

    def _plan_restart(self, why: str) -> None:
        now = time.monotonic()
        self.wait = FIRST_WAIT if now - self.started > SETTLED_SECONDS else min(self.wait * 2, LONGEST_WAIT)
        self.due = now + self.wait
        self.process = None
        say(f"The {self.part.name} {why}; it starts again in {self.wait:.1f} s.")

    def ask_to_end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def end(self) -> None:
        """Waits as long as the part may take, then ends what is left of its group."""
        if self.process is None:
            return
        try:
            self.process.wait(self.part.patience)
        except subprocess.TimeoutExpired:
            say(f"The {self.part.name} did not end in {self.part.patience:.0f} s and was stopped.")
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
        self.children = [Child(part) for part in sorted(plan.parts, key=lambda part: part.stage)]
        self.asked = 0

    def run(self) -> int:
        for sign in ENDING:
            if sign != signal.SIGHUP or signal.getsignal(sign) != signal.SIG_IGN:  # as nohup has it
                signal.signal(sign, self._asked_to_end)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        for child in self.children:
            child.start()
        threading.Thread(target=self._announce, daemon=True).start()
        while not self.asked:
            time.sleep(LOOK_SECONDS)
            for child in self.children:
                child.look()
        self._end()
        return 0

    def _asked_to_end(self, sign: int, _frame: FrameType | None) -> None:
        """The second time means: at once. A window that is closed may say so twice, which is once."""
        if sign == signal.SIGHUP and self.asked:
            return
        self.asked += 1
        if self.asked > 1:
            for child in self.children:
                child.kill_group()

    def _end(self) -> None:
        say("Ending ...")
        for stage in sorted({child.part.stage for child in self.children}, reverse=True):
            together = [child for child in self.children if child.part.stage == stage]
            for child in together:
                child.ask_to_end()
            for child in together:
                child.end()
        for folder in self.plan.remove:
            shutil.rmtree(folder, ignore_errors=True)
        say("Everything has ended; the data is kept.")

    def _announce(self) -> None:
        """Says where to go once the pages really answer."""
        until = time.monotonic() + READY_SECONDS
        while self.plan.probe and time.monotonic() < until and not answers(self.plan.probe):
            time.sleep(LOOK_SECONDS)
        if self.plan.probe and time.monotonic() >= until:
            say("The pages do not answer yet: what went wrong stands above.")
        with suppress(OSError):
            print(self.plan.banner, flush=True)


def how_it_ended(code: int) -> str:
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
        with socket.create_connection((address.hostname, address.port), timeout=5) as asking:
            asking.sendall(request.encode())
            return asking.recv(len(HTTP), socket.MSG_WAITALL) == HTTP
    except OSError:
        return False


def say(sentence: str) -> None:
    """Nobody hears it where the window was closed: then everything goes on, or ends in order, all the same."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(Supervisor(Plan.from_json(sys.stdin.read())).run())
