"""Runs several uvicorn processes that share the memory of the loaded application.

`python -m deploy.web_processes COUNT OPTIONS …` loads the application once and forks COUNT processes, which run uvicorn
with OPTIONS. uvicorn's own `--workers` starts each process by spawn, which loads the application again.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType

import uvicorn

import deploy.asgi  # noqa: F401 (loads the application before the fork)
from deploy import die_with_parent
from deploy.supervisor import exit_reason, say

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
RESTART_DELAY = 0.2


class WebProcesses:
    """Replaces a process that a signal killed. A process that exits ends all: its cause is not the process's own."""

    def __init__(self, count: int, options: list[str]) -> None:
        self.count = count
        self.options = options
        self.pids: set[int] = set()
        self.is_stopping = False

    def run(self) -> int:
        """Returns the exit code of the process that ended all, or 0 after a stop signal."""
        exit_code = 0
        for stop_signal in STOP_SIGNALS:
            signal.signal(stop_signal, self._stop)
        for _ in range(self.count):
            self._fork()
        while self.pids:
            pid, status = os.wait()
            self.pids.discard(pid)
            code = os.waitstatus_to_exitcode(status)
            if self.is_stopping:
                continue
            if code < 0:
                say(f"A web process {exit_reason(code)}; another one starts.")
                time.sleep(RESTART_DELAY)
                self._fork()
            else:
                exit_code = code
                self._stop(signal.SIGTERM, None)
        return exit_code

    def _fork(self) -> None:
        """Blocks stop signals meanwhile, so that none reaches a child before its own handlers."""
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        is_child = not self.is_stopping and self._fork_child()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        if is_child:
            uvicorn.main(self.options)

    def _fork_child(self) -> bool:
        """Returns True in the child."""
        pid = os.fork()
        if pid:
            self.pids.add(pid)
            return False
        for stop_signal in STOP_SIGNALS:
            signal.signal(stop_signal, signal.SIG_DFL)
        die_with_parent.tie_to_parent()
        return True

    def _stop(self, stop_signal: int, _frame: FrameType | None) -> None:
        self.is_stopping = True
        for pid in self.pids:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, stop_signal)


if __name__ == "__main__":
    sys.exit(WebProcesses(int(sys.argv[1]), sys.argv[2:]).run())
