"""Which processes make one installation, in which order, and with which options. Starts none of them."""

import sys
from pathlib import Path

from deploy import embedded_broker, environment
from deploy.supervisor import ProcessSpec

COPY_SECONDS = "15"
WORKERS = "2"


def all_specs(
    data_dir: Path, listening: int, processes: int, broker: str, copied: Path | None, https: list[str]
) -> list[ProcessSpec]:
    """The parts for the data in `place`, with the port as an open file and how many processes answer there; `broker` is
    the folder of our own, `https` the command that offers HTTPS, if any.

    They end in the opposite order: first nobody hands in results any more, then the last copy is taken.
    """
    parts = [*web_specs(listening, processes), *worker_specs()]
    if https:
        parts.append(ProcessSpec("HTTPS", https, stage=2))
    if copied is not None:
        parts.append(_copy_spec(copied, data_dir))
    if broker:
        parts.append(_broker_spec(Path(broker)))
    return parts


def _broker_spec(folder: Path) -> ProcessSpec:
    command = embedded_broker.broker_command(embedded_broker.broker_binary(), folder)
    return ProcessSpec("broker", command, stage=0, ready_file=str(folder / embedded_broker.SOCKET))


def _copy_spec(database: Path, data_dir: Path) -> ProcessSpec:
    target = str(Path(environment.text("COPY_DIR")).expanduser().resolve())
    seconds = environment.text("COPY_SECONDS", COPY_SECONDS)
    command = [sys.executable, "-m", "deploy.rolling_copy", str(database), str(data_dir), target, seconds]
    return ProcessSpec("copy keeper", command, stage=1, stop_timeout=60)


def web_specs(listening: int, processes: int) -> list[ProcessSpec]:
    """The web server on a port that is open already, as so many processes: whichever is free takes the next browser."""
    lifespan = ["--lifespan", "on", "--timeout-graceful-shutdown", "3"]
    options = ["--fd", str(listening), "--http", "deploy.http_limits:HttpLimits", "--workers", "1", *lifespan]
    quiet = ["--log-level", "warning", "--no-access-log", "--no-server-header"]
    command = [sys.executable, "-m", "uvicorn", "deploy.asgi:application", *options, *quiet]
    names = ["web server", *(f"web server {number}" for number in range(2, processes + 1))]
    return [ProcessSpec(name, command, stage=2, pass_fds=[listening]) for name in names]


def worker_specs() -> list[ProcessSpec]:
    """One for everything, with the clock of the sweep, and one that takes no records, so that results never wait."""
    everything = ["--beat", "--concurrency", environment.text("WORKERS", WORKERS)]
    results = ["--queues", "celery", "--concurrency", "1"]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    command = [sys.executable, "-m", "deploy.celery_worker"]
    return [
        ProcessSpec("worker", [*command, *everything, *quiet], stage=2),
        ProcessSpec("worker for results", [*command, *results, *quiet], stage=2),
    ]
