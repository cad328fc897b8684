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


def command(argv: Sequence[str], sign: signal.Signals = signal.SIGKILL, user: int | None = None) -> list[str]:
    """The command line that runs `argv` tied to this process."""
    who = "-" if user is None else str(user)
    return [sys.executable, "-ESsP", __file__, str(os.getpid()), sign.name, who, *argv]


def hold(sign: signal.Signals = signal.SIGKILL) -> None:
    """Ties the calling process, a fork that starts no other program, to its parent."""
    parent = os.getppid()
    if not _kernel_tie(sign):
        threading.Thread(target=_end_with, args=(parent, sign), daemon=True).start()


def _kernel_tie(sign: signal.Signals) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(sign), 0, 0, 0) == 0)


def _end_with(parent: int, sign: signal.Signals) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os.kill(os.getpid(), sign)


def _become(user: str) -> None:
    if user != "-":
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))


def _watch(parent: int, sign: signal.Signals, argv: list[str]) -> int:
    """Where the kernel does not help: runs the command as a child and ends it with the parent."""
    child = subprocess.Popen(argv, close_fds=False)
    for forwarded in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(forwarded, lambda number, _frame: child.send_signal(number))
    while child.poll() is None:
        if os.getppid() != parent:
            _end(child, sign)
        time.sleep(WATCH_SECONDS)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _end(child: "subprocess.Popen[bytes]", sign: signal.Signals) -> None:
    child.send_signal(sign)
    try:
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


def main() -> int:
    """Ends with the command's code where it has to stay; on Linux it becomes the command and does not end."""
    parent, sign, user = int(sys.argv[1]), signal.Signals[sys.argv[2]], sys.argv[3]
    argv = sys.argv[4:]
    _become(user)
    if not _kernel_tie(sign):
        return _watch(parent, sign, argv)
    if os.getppid() != parent:  # it died before the tie was made
        return 1
    return os.execvp(argv[0], argv)


if __name__ == "__main__":
    sys.exit(main())
