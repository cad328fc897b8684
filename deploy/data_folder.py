"""The data folder: database, secret key and uploads. Standard library only.

It is checked before Django reads its settings, so that an unusable folder gives one clear message. A lock file allows
one `up` at a time; it also contains the process id, URL and broker of the running `up`.
"""

import fcntl
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

from deploy import embedded_broker
from deploy.install import ROOT, refuse

MEGABYTES_WANTED = 50
WRITING_COMMANDS = ("up", "director", "migrate", "demo", "restore")
COMMANDS_WITH_BROKER = ("up", "test", "bench")
LOCK = "up.lock"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made there)


def data_folder() -> Path:
    """DATA_DIR, or `data` beside manage.py."""
    return Path(os.environ.get("DATA_DIR", "").strip() or ROOT / "data").resolve()


def metrics_parent(parent: Path) -> Path:
    """Returns /dev/shm where it exists: a process that writes metrics to a full disk is killed by SIGBUS."""
    return SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else parent


def metrics_environment(parent: Path, processes: int) -> dict[str, str]:
    """Returns the variables for the shared metrics of several web processes, in a new folder. Empty for one process."""
    if processes == 1:
        return {}
    return {"PROMETHEUS_MULTIPROC_DIR": tempfile.mkdtemp(prefix=embedded_broker.PREFIX, dir=parent)}


def check(argv: list[str]) -> None:
    """Exits with a message if a command that writes data cannot use the folder.

    Also sets the umask, so that only the owner can read new files: they contain digests of links and names of players.
    """
    if argv[1:2] and argv[1] in WRITING_COMMANDS:
        os.umask(0o077)
        sentence = problem(data_folder())
        if sentence:
            refuse(sentence)


def find_broker(argv: list[str]) -> None:
    """Sets REDIS_URL to the broker of the running `up`, so that a command can publish its changes.

    Without a running `up`, sets NOBODY_LISTENS. Does nothing for commands that start their own broker.
    """
    if os.environ.get("REDIS_URL", "").strip() or argv[1:2] == [] or argv[1] in COMMANDS_WITH_BROKER:
        return
    status = read_status(data_folder())
    socket = embedded_broker.broker_socket(Path(status.get("folder", "")))
    if _is_running(status.get("pid", "")) and socket.exists():
        os.environ["REDIS_URL"] = f"unix://{socket}"
    else:
        os.environ["NOBODY_LISTENS"] = "1"


def _is_running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (OSError, ValueError):
        return False
    return True


def problem(folder: Path) -> str:
    """Returns an error message if data cannot be stored in `folder`, else an empty string. Creates the folder."""
    trial = folder / ".can-be-written"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial.write_bytes(b"x" * 4096)
        trial.unlink()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return (
            f"Cannot store data in {folder} ({error.strerror}): "
            "set DATA_DIR to a writable folder, as in DATA_DIR=~/tournament python3 manage.py up."
        )
    return space_problem(free, folder)


def space_problem(free: int, folder: Path) -> str:
    """Returns an error message if `free` bytes are too few to run an event, else an empty string."""
    if free >= MEGABYTES_WANTED * 1_000_000:
        return ""
    return f"The disk of {folder} is nearly full ({free // 1_000_000} MB free): free {MEGABYTES_WANTED} MB."


def acquire_lock(folder: Path) -> IO[str] | None:
    """Returns the lock file, which holds the lock while it is open; None if another `up` holds the lock."""
    file = open(folder / LOCK, "a+")  # noqa: SIM115 (held open on purpose)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def write_status(lock: IO[str], status: dict[str, str]) -> None:
    """Writes the status of the running `up` for other commands."""
    lock.seek(0)
    lock.truncate()
    json.dump(status, lock)
    lock.flush()


def read_status(folder: Path) -> dict[str, str]:
    """Returns the status that the last `up` in this folder wrote; empty if there was none."""
    try:
        status = json.loads((folder / LOCK).read_text())
    except (OSError, ValueError):
        return {}
    return status if isinstance(status, dict) else {}


def remove_leftovers(folder: Path) -> None:
    """Removes temporary folders that an `up` could not remove because it was killed."""
    status = read_status(folder)
    for leftover in (Path(status.get(name, "")) for name in ("folder", "counts")):
        is_named_so = leftover.name.startswith(embedded_broker.PREFIX) and leftover.is_dir()
        if is_named_so and leftover.stat().st_uid == os.getuid():
            shutil.rmtree(leftover, ignore_errors=True)
