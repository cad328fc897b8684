"""Ties a process to the one that started it, so that nothing is left running when the starter is killed.

`python deploy/die_with_parent.py PARENT SIGNAL USER command ...` becomes the command; when PARENT dies, it gets
SIGNAL. Linux does this in the kernel (PR_SET_PDEATHSIG); elsewhere a watcher stays between the two. USER is a
numeric id to change to first, or `-`. Standard library only, imports nothing of ours: it starts in 20 ms.
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
    """The command line that runs `argv` tied to this process."""
    user_argument = "-" if user is None else str(user)
    return [sys.executable, "-ESsP", __file__, str(os.getpid()), death_signal.name, user_argument, *argv]


def tie_to_parent(death_signal: signal.Signals = signal.SIGKILL) -> None:
    """Ties the calling process, a fork that starts no other program, to its parent."""
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
    """Where the kernel does not help: runs the command as a child and ends it with the parent."""
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
    """Ends with the command's code where it has to stay; on Linux it becomes the command and does not end."""
    parent, death_signal, user = int(sys.argv[1]), signal.Signals[sys.argv[2]], sys.argv[3]
    argv = sys.argv[4:]
    _change_user(user)
    if not _tie_in_kernel(death_signal):
        return _run_and_watch(parent, death_signal, argv)
    if os.getppid() != parent:  # it died before the tie was made
        return 1
    return os.execvp(argv[0], argv)


if __name__ == "__main__":
    sys.exit(main())
