"""Ends a process when its parent dies, so that no process keeps running after its parent was killed.

`python deploy/die_with_parent.py PARENT SIGNAL USER command ...` replaces itself by the command, which receives SIGNAL
when the process PARENT dies. Linux does this in the kernel (PR_SET_PDEATHSIG); on other systems a watcher process
stays between the two. USER is a numeric user id, or `-` for no change. Standard library only; starts in 20 ms.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
WATCH_SECONDS = 0.2
GRACE_SECONDS = 5.0


def command(
    argv: Sequence[str], death_signal: signal.Signals = signal.SIGKILL, user: int | None = None
) -> list[str]:
    """Returns the command line that runs `argv` tied to this process."""
    user_argument = "-" if user is None else str(user)
    return [sys.executable, "-ESsP", __file__, str(os.getpid()), death_signal.name, user_argument, *argv]


def tie_to_parent(death_signal: signal.Signals = signal.SIGKILL) -> None:
    """Ties the calling process, a fork that does not exec another program, to its parent."""
    parent = os.getppid()
    if not _tie_in_kernel(death_signal):
        threading.Thread(target=_signal_after_parent, args=(parent, death_signal), daemon=True).start()


def _tie_in_kernel(death_signal: signal.Signals) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) == 0)


def _signal_after_parent(parent: int, death_signal: signal.Signals) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os.kill(os.getpid(), death_signal)


def _change_user(user: str) -> None:
    if user != "-":
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))


def _run_and_watch(parent: int, death_signal: signal.Signals, argv: list[str]) -> int:
    """Runs the command as a child and ends it with the parent, for systems without kernel support."""
    child = subprocess.Popen(argv, close_fds=False)
    for forwarded in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(forwarded, lambda number, _frame: child.send_signal(number))
    while child.poll() is None:
        if os.getppid() != parent:
            _stop(child, death_signal)
        time.sleep(WATCH_SECONDS)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _stop(child: "subprocess.Popen[bytes]", death_signal: signal.Signals) -> None:
    child.send_signal(death_signal)
    try:
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


def main() -> int:
    """Returns the command's exit code. On Linux, replaces this process by the command and does not return."""
    parent, death_signal, user = int(sys.argv[1]), signal.Signals[sys.argv[2]], sys.argv[3]
    argv = sys.argv[4:]
    _change_user(user)
    if not _tie_in_kernel(death_signal):
        return _run_and_watch(parent, death_signal, argv)
    if os.getppid() != parent:  # the parent died before this process was tied to it
        return 1
    return os.execvp(argv[0], argv)


if __name__ == "__main__":
    sys.exit(main())
