"""Keeps a rolling copy of the data on a second disk or USB stick, and opens such a copy. Standard library only.

`python -m deploy.rolling_copy DATABASE DATA_DIR COPY_DIR SECONDS` runs under the supervisor. SQLite's backup function
takes a consistent copy without blocking writers; a copy gets its name when it is complete. If the stick is removed,
this process logs a warning and retries. It never changes the data that it copies.
"""

import errno
import hashlib
import os
import shutil
import signal
import sqlite3
import sys
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

COPIES_KEPT = 3
PREFIX = "copy-"
UNFINISHED = ".unfinished-"
OTHER_FILES = ("secret.key", "media")
FOLDER = "backgammon-director-"


class CannotOpen(RuntimeError):
    """No copy can be opened, or the folder is not empty. The message says what to do."""


class RollingCopy:
    """Copies `database`, the secret key and uploads to `target` after each commit."""

    def __init__(self, database: Path, data: Path, target: Path) -> None:
        self.database = database
        self.data = data
        self.target = target
        self.copied_state: tuple[object, ...] = ()
        self.target_is_missing = False
        self.had_second_disk = False
        self.connection = sqlite3.connect(database, check_same_thread=False)

    def copy_if_changed(self) -> Path | None:
        """Returns the new copy; None if nothing changed or the second disk is missing."""
        try:
            self._require_target()
            state = self._state()
            if state == self.copied_state and _copies(installation_folder(self.data, self.target)):
                return None
            new_copy = copy(self.database, self.data, self.target)
        except (OSError, sqlite3.Error) as error:
            self._report_missing_target(error)
            return None
        self.copied_state = state
        if self.target_is_missing:
            say(f"{self.target} is available again: copying resumes.")
            self.target_is_missing = False
        return new_copy

    def _require_target(self) -> None:
        """Raises FileNotFoundError if the mount point of a removed stick now is a folder on the first disk."""
        another = self.target.stat().st_dev != self.data.stat().st_dev
        if self.had_second_disk and not another:
            raise FileNotFoundError(2, "the second disk is not mounted")
        self.had_second_disk = another

    def _state(self) -> tuple[object, ...]:
        """Returns a value that changes after each commit and each change of the other files."""
        version = self.connection.execute("PRAGMA data_version").fetchone()[0]
        files = [path for name in OTHER_FILES for path in sorted((self.data / name).rglob("*"))]
        return (version, *((str(path), path.stat().st_mtime_ns) for path in files if path.is_file()))

    def _report_missing_target(self, error: Exception) -> None:
        if not self.target_is_missing:
            say(
                f"No copy could be written to {self.target} ({error}). "
                "The event continues; copying resumes automatically."
            )
        self.target_is_missing = True


def say(sentence: str) -> None:
    with suppress(OSError):  # the terminal may be closed; copying continues
        print(sentence, file=sys.stderr, flush=True)


def installation_folder(data: Path, target: Path) -> Path:
    """Returns this installation's folder in COPY_DIR. Its name derives from the secret key, not from the laptop."""
    key = data / "secret.key"
    identity = key.read_bytes() if key.exists() else str(data).encode()
    return target / f"{FOLDER}{hashlib.sha256(identity).hexdigest()[:8]}"


def copy(database: Path, data: Path, target: Path) -> Path:
    """Writes a complete copy to a new folder in `target` and removes the oldest. Raises OSError or sqlite3.Error."""
    home = installation_folder(data, target)
    home.mkdir(exist_ok=True)
    name = _next_name(home)
    unfinished, finished = home / f"{UNFINISHED}{name}", home / f"{PREFIX}{name}"
    try:
        unfinished.mkdir(mode=0o700)
        copy_database(database, unfinished / database.name)
        _copy_companions(data, unfinished)
        _sync_all(unfinished)
        unfinished.rename(finished)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    _sync(home)
    _remove_old(home)
    return finished


def _next_name(home: Path) -> str:
    """Returns a name that sorts after all existing copies, even if the clock was set back."""
    last = max((int(path.name.split("-")[1]) for path in _copies(home)), default=0)
    return f"{last + 1:08d}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def copy_database(database: Path, target: Path) -> None:
    """Writes a consistent copy of a SQLite database that is in use."""
    with closing(sqlite3.connect(database, timeout=20)) as source, closing(sqlite3.connect(target)) as sink:
        sink.execute("PRAGMA journal_mode=OFF")
        sink.execute("PRAGMA synchronous=OFF")  # _sync_all syncs once at the end
        source.backup(sink)


def _copy_companions(data: Path, target: Path) -> None:
    for name in OTHER_FILES:
        if (data / name).is_dir():
            _copy_tree(data / name, target / name)
        elif (data / name).exists():
            shutil.copyfile(data / name, target / name)


def _copy_tree(source: Path, target: Path) -> None:
    """Copies contents only, because the file system of a stick may not support permissions and owners.

    Skips symbolic links: a foreign stick must not read files of this laptop.
    """
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(path for path in source.rglob("*") if not path.is_symlink()):
        target_path = target / path.relative_to(source)
        if path.is_dir():
            target_path.mkdir(exist_ok=True)
        else:
            shutil.copyfile(path, target_path)


def _sync_all(folder: Path) -> None:
    for path in folder.rglob("*"):
        _sync(path)
    _sync(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder
            raise
    finally:
        os.close(handle)


def _remove_old(home: Path) -> None:
    for old in [*_copies(home)[COPIES_KEPT:], *home.glob(f"{UNFINISHED}*")]:
        shutil.rmtree(old, ignore_errors=True)


def _copies(home: Path) -> list[Path]:
    """Returns the complete copies in this folder, newest first."""
    return sorted(home.glob(f"{PREFIX}*"), key=lambda path: path.name, reverse=True)


def open_copy(source: Path, database: Path, data: Path) -> Path:
    """Copies the newest intact copy under `source` into the empty folder `data` and returns it. Raises CannotOpen."""
    if database.exists() and database.stat().st_size:
        raise CannotOpen(
            f"{data} already contains an event, which is kept: "
            f"choose an empty folder, as in DATA_DIR=~/from-copy python3 manage.py up --from {source}."
        )
    for candidate in _candidates(source):
        if is_sound(candidate / database.name):
            _copy_tree(candidate, data)
            for key in data.glob("secret.key"):
                key.chmod(0o600)
            _sync_all(data)
            return candidate
    raise CannotOpen(f"No complete copy was found in {source}: give the folder that was COPY_DIR.")


def _candidates(source: Path) -> list[Path]:
    """Returns the copies in COPY_DIR, in one installation's folder, or a single copy. Raises CannotOpen."""
    if source.name.startswith(PREFIX):
        return [source]
    homes = [home for home in [source, *source.glob(f"{FOLDER}*")] if _copies(home)]
    if len(homes) > 1:
        names = " or ".join(f"--from {home}" for home in sorted(homes))
        raise CannotOpen(f"{source} contains copies of several installations: choose {names}.")
    return _copies(homes[0]) if homes else []


def is_sound(database: Path) -> bool:
    """Returns True if SQLite finds no damage in the file."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def main() -> int:
    """Copies until SIGTERM or SIGINT arrives, then once more."""
    database, data, target = (Path(argument) for argument in sys.argv[1:4])
    ending = threading.Event()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop_signal, lambda *_: ending.set())
    keeper = RollingCopy(database, data, target)
    while not ending.is_set():
        keeper.copy_if_changed()
        ending.wait(float(sys.argv[4]))
    keeper.copy_if_changed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
