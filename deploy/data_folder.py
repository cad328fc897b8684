"""The folder with everything that must survive: the database, the secret key, uploads. Standard library only.

Checked before Django reads its settings, so that a folder which cannot be used is answered by one sentence. One
`up` at a time: the lock also says where the broker of the running one listens.
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
    """In memory where the system keeps files there: where a disk is full, whoever counts on it is killed at once."""
    return SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else parent


def metrics_environment(parent: Path, processes: int) -> dict[str, str]:
    """The variables by which web processes at one port count together, in a new folder there; nothing for one."""
    if processes == 1:
        return {}
    return {"PROMETHEUS_MULTIPROC_DIR": tempfile.mkdtemp(prefix=embedded_broker.PREFIX, dir=parent)}


def check(argv: list[str]) -> None:
    """Before a command that writes there: leaves with a sentence when the folder cannot be used.

    What the command writes from here on is for its owner alone: digests of every link, everybody's names.
    """
    if argv[1:2] and argv[1] in WRITING_COMMANDS:
        os.umask(0o077)
        sentence = problem(data_folder())
        if sentence:
            refuse(sentence)


def find_broker(argv: list[str]) -> None:
    """A command beside a running `up` tells what it does to that one's broker; where nobody runs, it tells nobody.

    `up` and whatever starts parts of its own bring a broker along.
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
    """The sentence to say when data cannot be kept in `place`; empty when it can. Makes the folder."""
    trial = folder / ".can-be-written"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial.write_bytes(b"x" * 4096)
        trial.unlink()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return (
            f"Cannot keep data in {folder} ({error.strerror}): "
            "set DATA_DIR to a folder that can be written, as in DATA_DIR=~/tournament python3 manage.py up."
        )
    return space_problem(free, folder)


def space_problem(free: int, folder: Path) -> str:
    """The sentence to say when `free` bytes are too few to run an event on; empty when there is room."""
    if free >= MEGABYTES_WANTED * 1_000_000:
        return ""
    return f"The disk of {folder} is nearly full ({free // 1_000_000} MB): make room for {MEGABYTES_WANTED} MB there."


def acquire_lock(folder: Path) -> IO[str] | None:
    """The lock of this folder, held for as long as the file is open; None when another `up` holds it."""
    file = open(folder / LOCK, "a+")  # noqa: SIM115 (held open on purpose)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def write_status(lock: IO[str], status: dict[str, str]) -> None:
    """Writes what other commands may want to know of the running `up`."""
    lock.seek(0)
    lock.truncate()
    json.dump(status, lock)
    lock.flush()


def read_status(folder: Path) -> dict[str, str]:
    """What the last `up` in this folder noted; nothing when there was none."""
    try:
        status = json.loads((folder / LOCK).read_text())
    except (OSError, ValueError):
        return {}
    return status if isinstance(status, dict) else {}


def remove_leftovers(folder: Path) -> None:
    """An `up` that was killed could not remove the folders that only its parts needed."""
    status = read_status(folder)
    for leftover in (Path(status.get(name, "")) for name in ("folder", "counts")):
        is_named_so = leftover.name.startswith(embedded_broker.PREFIX) and leftover.is_dir()
        if is_named_so and leftover.stat().st_uid == os.getuid():
            shutil.rmtree(leftover, ignore_errors=True)
