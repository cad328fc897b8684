"""Lists the processes of an installation with their order and command lines. Starts none of them."""

import sys
from pathlib import Path

from deploy import embedded_broker, environment
from deploy.supervisor import ProcessSpec

COPY_SECONDS = "15"
WORKERS = "2"


def all_specs(
    data_dir: Path, listening: int, processes: int, broker: str, copied: Path | None, https: list[str]
) -> list[ProcessSpec]:
    """Returns the processes of an installation.

    `listening` is the file descriptor of the port, `processes` the number of web processes. `broker` is the folder of
    the embedded broker or empty, `copied` the database to copy or None, `https` the command of the proxy or empty.
    Processes stop in reverse order of stages: first the web server, then the copies, so that the last copy is complete.
    """
    specs = [web_spec(listening, processes), *worker_specs()]
    if https:
        specs.append(ProcessSpec("HTTPS", https, stage=2))
    if copied is not None:
        specs.append(_copy_spec(copied, data_dir))
    if broker:
        specs.append(_broker_spec(Path(broker)))
    return specs


def _broker_spec(folder: Path) -> ProcessSpec:
    command = embedded_broker.broker_command(embedded_broker.broker_binary(), folder)
    return ProcessSpec(
        "Redis server (Valkey)", command, stage=0, ready_file=str(folder / embedded_broker.SOCKET)
    )


def _copy_spec(database: Path, data_dir: Path) -> ProcessSpec:
    target = str(Path(environment.text("COPY_DIR")).expanduser().resolve())
    seconds = environment.text("COPY_SECONDS", COPY_SECONDS)
    command = [sys.executable, "-m", "deploy.rolling_copy", str(database), str(data_dir), target, seconds]
    return ProcessSpec("rolling copy", command, stage=1, stop_timeout=60)


def web_spec(listening: int, processes: int) -> ProcessSpec:
    """Returns web processes that share the open port: a free process accepts the next connection."""
    lifespan = ["--lifespan", "on", "--timeout-graceful-shutdown", "3"]
    options = ["--fd", str(listening), "--http", "deploy.http_limits:HttpLimits", "--workers", "1", *lifespan]
    quiet = ["--log-level", "warning", "--no-access-log", "--no-server-header"]
    module = ["uvicorn"] if processes == 1 else ["deploy.web_processes", str(processes)]
    command = [sys.executable, "-m", *module, "deploy.asgi:application", *options, *quiet]
    return ProcessSpec("web server", command, stage=2, pass_fds=[listening])


def worker_specs() -> list[ProcessSpec]:
    """Returns a worker for all tasks with the sweep clock, and one for results only, so that results never wait."""
    everything = ["--beat", "--concurrency", environment.text("WORKERS", WORKERS)]
    results = ["--queues", "celery", "--concurrency", "1"]
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    command = [sys.executable, "-m", "deploy.celery_worker"]
    return [
        ProcessSpec("worker", [*command, *everything, *quiet], stage=2),
        ProcessSpec("worker for results", [*command, *results, *quiet], stage=2),
    ]
