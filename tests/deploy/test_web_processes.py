"""Several web processes: a stop signal ends all of them, and a process that exits ends all."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from deploy.install import ROOT

PATIENCE = 60
PARENT = """
import os, sys, time
import uvicorn
from deploy.web_processes import WebProcesses

def serve(options):
    os.write(1, b"serves %d\\n" % os.getpid())  # in one piece, because two processes write
    time.sleep(600)

uvicorn.main = serve
sys.exit(WebProcesses(2, []).run())
"""


class Parent:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.children = [self._next_child() for _ in range(2)]

    def _next_child(self) -> psutil.Process:
        return psutil.Process(int(self.next_line("serves").split()[1]))

    def next_line(self, words: str) -> str:
        for line in self.process.stdout:
            if words in line:
                return line
        raise AssertionError(f"The process ended without {words!r}.")

    def ends(self) -> int:
        """Returns the exit code, after all children have ended."""
        code = self.process.wait(PATIENCE)
        assert psutil.wait_procs(self.children, PATIENCE)[1] == []
        return code


@contextmanager
def running() -> Iterator[Parent]:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Parent(process)
        finally:
            process.kill()


def test_a_stop_signal_ends_all_processes():
    with running() as parent:
        parent.process.send_signal(signal.SIGTERM)
        assert parent.ends() == 0


def test_a_stop_signal_before_a_restart_starts_no_other_process():
    with running() as parent:
        os.kill(parent.children[0].pid, signal.SIGKILL)
        parent.next_line("another one starts")
        parent.process.send_signal(signal.SIGTERM)
        assert parent.ends() == 0
