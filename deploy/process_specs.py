"""Which processes make one installation, in which order, and with which options. Starts none of them."""

import sys
from pathlib import Path

from deploy import embedded_broker, environment
from deploy.supervisor import Part

COPY_SECONDS = "15"
WORKERS = "2"


def all_of(
    place: Path, listening: int, processes: int, broker: str, copied: Path | None, https: list[str]
) -> list[Part]:
    """The parts for the data in `place`, with the port as an open file and how many processes answer there; `broker` is
    the folder of our own, `https` the command that offers HTTPS, if any.

    They end in the opposite order: first nobody hands in results any more, then the last copy is taken.
    """
    parts = [*webs(listening, processes), *workers()]
    if https:
        parts.append(Part("HTTPS", https, stage=2))
    if copied is not None:
        parts.append(_copy(copied, place))
    if broker:
        parts.append(_broker(Path(broker)))
    return parts


def _broker(folder: Path) -> Part:
    command = embedded_broker.broker_command(embedded_broker.broker_binary(), folder)
    return Part("broker", command, stage=0, ready_file=str(folder / embedded_broker.SOCKET))


def _copy(database: Path, place: Path) -> Part:
    target = str(Path(environment.text("COPY_DIR")).expanduser().resolve())
    seconds = environment.text("COPY_SECONDS", COPY_SECONDS)
    command = [sys.executable, "-m", "deploy.rolling_copy", str(database), str(place), target, seconds]
    return Part("copy keeper", command, stage=1, patience=60)


def webs(listening: int, processes: int) -> list[Part]:
    """The web server on a port that is open already, as so many processes: whichever is free takes the next browser."""
    ends = ["--lifespan", "on", "--timeout-graceful-shutdown", "3"]
    options = ["--fd", str(listening), "--http", "deploy.http_limits:Bounded", "--workers", "1", *ends]
    quiet = ["--log-level", "warning", "--no-access-log", "--no-server-header"]
    command = [sys.executable, "-m", "uvicorn", "deploy.asgi:application", *options, *quiet]
    names = ["web server", *(f"web server {number}" for number in range(2, processes + 1))]
    return [Part(name, command, stage=2, pass_fds=[listening]) for name in names]


def workers() -> list[Part]:
    """One for everything, with the clock of the sweep, and one that takes no records, so that results never wait."""
    everything = ["--beat", "--concurrency", environment.text("WORKERS", WORKERS)]
    results = ["--queues", "celery", "--concurrency", "1"]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    command = [sys.executable, "-m", "deploy.celery_worker"]
    return [
        Part("worker", [*command, *everything, *quiet], stage=2),
        Part("worker for results", [*command, *results, *quiet], stage=2),
    ]
