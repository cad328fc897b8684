"""Prepares an installation for `up`: data folder, port, copy, migrations, first sign-in; then runs the supervisor.

All checks happen here, before a process is started; each failure gives one sentence. `deploy.supervisor` replaces this
process and keeps the others running.
"""

import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NoReturn

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import OperationalError

from deploy import (
    addresses,
    data_folder,
    embedded_broker,
    environment,
    hall_https,
    process_specs,
    rolling_copy,
)
from deploy.supervisor import STOP_SIGNALS, Plan
from tournament.accounts import directors, links
from tournament.runtime import migration_state, publish

UPGRADE_COPIES = 3
CONNECTION_PARAMETERS = (
    "host",
    "port",
    "user",
    "password",
    "dbname",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
)


class CannotStart(RuntimeError):
    """The installation cannot start. The message says what to do."""


@dataclass(frozen=True)
class StartOptions:
    host: str
    port: int
    is_demo: bool = False
    copy: Path | None = None
    https: hall_https.HallHttps | None = None


@dataclass(frozen=True)
class Services:
    """Prepared services of the installation. The folders are temporary; a name is empty if the folder is not needed."""

    web_processes: int
    broker_folder: str
    metrics_folder: str
    https_command: list[str]


def start(options: StartOptions) -> NoReturn:
    """Prepares the installation and replaces this process by the supervisor. Raises CannotStart."""
    data_dir = Path(settings.DATA_DIR)
    lock = _lock_data_folder(data_dir)
    try:
        server = addresses.listen(options.host, options.port)
        port = server.getsockname()[1]
        if options.https is not None:
            hall_https.caddy_binary(options.https)  # before the tables change
        _prepare_data(options, data_dir)
        services = _prepare_services(options, data_dir, port)
    except (
        addresses.CannotListen,
        rolling_copy.CannotOpen,
        embedded_broker.NoBroker,
        hall_https.NoHttps,
    ) as error:
        raise CannotStart(str(error)) from None
    sign_in = _sign_in_link(options)
    if options.is_demo:
        _create_demo_event()
    data_folder.write_status(lock, _status(services, port))
    plan = _plan(services, data_dir, server, banner(options, port, sign_in))
    connection.close()
    _exec_supervisor(plan, [lock, server])


def _prepare_data(options: StartOptions, data_dir: Path) -> None:
    if options.copy is not None:
        _open_copy(options.copy, data_dir)
    _migrate(data_dir)
    call_command("collectstatic", verbosity=0, interactive=False)
    data_folder.remove_leftovers(data_dir)


def _prepare_services(options: StartOptions, data_dir: Path, port: int) -> Services:
    """Creates temporary folders and sets the environment variables of the processes."""
    broker_folder = _prepare_broker()
    https_command = _prepare_https(options, data_dir, port)
    web_processes = environment.web_processes(environment.text("DATABASE_URL"))
    metrics = data_folder.metrics_environment(data_folder.metrics_parent(data_dir), web_processes)
    os.environ.update(metrics)
    return Services(web_processes, broker_folder, "".join(metrics.values()), https_command)


def _status(services: Services, port: int) -> dict[str, str]:
    return {
        "pid": str(os.getpid()),
        "url": f"http://127.0.0.1:{port}",
        "folder": services.broker_folder,
        "counts": services.metrics_folder,
    }


def _plan(services: Services, data_dir: Path, server: socket.socket, text: str) -> Plan:
    processes = process_specs.all_specs(
        data_dir,
        server.fileno(),
        services.web_processes,
        services.broker_folder,
        _rolling_copy_source(),
        services.https_command,
    )
    return Plan(
        processes=processes,
        banner=text,
        probe=f"http://127.0.0.1:{server.getsockname()[1]}/reach/",
        remove=[folder for folder in (services.broker_folder, services.metrics_folder) if folder],
    )


def _sign_in_link(options: StartOptions) -> str:
    """Returns a sign-in link at the first start and for a copy, whose sessions are on another laptop; else ""."""
    if options.copy is not None or directors.is_first_start():
        return links.make_sign_in_link(directors.last_owner() or directors.get_director())
    return ""


def _prepare_https(options: StartOptions, data_dir: Path, port: int) -> list[str]:
    """Sets the variables for HTTPS and returns the command of the proxy; empty without --https."""
    if options.https is None:
        return []
    addresses.listen("", options.https.port, "--https-port").close()
    os.environ.update(hall_https.environment(options.https, data_dir))
    return hall_https.write_caddy_settings(options.https, data_dir, port)


def _create_demo_event() -> None:
    """Creates the sample event without warnings: its changes cannot be published before the broker runs."""
    logging.disable(logging.WARNING)
    call_command("demo", sign_in=False)
    logging.disable(logging.NOTSET)


def _lock_data_folder(data_dir: Path) -> IO[str]:
    lock = data_folder.acquire_lock(data_dir)
    if lock is None:
        pid = data_folder.read_status(data_dir).get("pid", "unknown")
        raise CannotStart(
            f"The data in {data_dir} is in use by another “manage.py up” (process {pid}): "
            "stop it, or set DATA_DIR to another folder."
        )
    return lock


def database_file() -> Path | None:
    """Returns the SQLite database; None with PostgreSQL."""
    return Path(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else None


def _open_copy(source: Path, data_dir: Path) -> None:
    database = database_file()
    if database is None or database.parent != data_dir:
        raise CannotStart("--from opens the copy of a SQLite database in DATA_DIR: do not set DATABASE_URL.")
    opened = rolling_copy.open_copy(source.expanduser().resolve(), database, data_dir)
    print(f"Opened the copy {opened}.", flush=True)


def _migrate(data_dir: Path) -> None:
    try:
        _check_connection()
        if problem := migration_state.refusal_to_start():
            raise CannotStart(problem)
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        if executor.loader.applied_migrations:
            _copy_before_upgrade(data_dir)
        call_command("migrate", verbosity=0, interactive=False)
    except (OperationalError, psycopg.OperationalError) as error:
        reason = " ".join(str(error).split())
        raise CannotStart(f"The database does not answer ({reason}): check DATABASE_URL.") from None


def _check_connection() -> None:
    """Connects once without the pool, which would wait longer and give a less clear error."""
    if connection.vendor == "postgresql":
        parameters = {
            name: value
            for name, value in connection.get_connection_params().items()
            if name in CONNECTION_PARAMETERS
        }
        psycopg.connect(**parameters, connect_timeout=5).close()


def _copy_before_upgrade(data_dir: Path) -> None:
    """Copies the SQLite database before an upgrade changes its tables."""
    database = database_file()
    if database is None:
        return
    folder = data_dir / "before-upgrade"
    folder.mkdir(exist_ok=True)
    rolling_copy.copy_database(database, folder / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.sqlite3")
    for old in sorted(folder.glob("*.sqlite3"))[:-UPGRADE_COPIES]:
        old.unlink()


def _prepare_broker() -> str:
    """Creates the folder of the embedded broker and sets REDIS_URL. Returns "" if REDIS_URL was set already."""
    if environment.text("REDIS_URL"):
        if not publish.is_reachable():
            print("Redis at REDIS_URL does not answer yet. Results are saved and advance when it does.")
        return ""
    embedded_broker.broker_binary()
    folder = embedded_broker.broker_folder()
    os.environ["REDIS_URL"] = embedded_broker.broker_url(folder)
    return str(folder)


def _rolling_copy_source() -> Path | None:
    """Returns the database for rolling copies; None without COPY_DIR or with PostgreSQL."""
    if not environment.text("COPY_DIR"):
        return None
    database = database_file()
    if database is None:
        print("COPY_DIR copies SQLite only. For PostgreSQL use pg_dump or streaming replication.")
    return database


def banner(options: StartOptions, port: int, sign_in: str) -> str:
    """Returns the text for the terminal: URLs for this machine and for phones, and the sign-in link."""
    here = f"http://127.0.0.1:{port}"
    only_here = options.host in ("127.0.0.1", "localhost", "::1")
    network_urls = (
        [] if only_here else [f"http://{address}:{port}" for address in addresses.local_addresses()]
    )
    trusted = options.https.url if options.https is not None and options.https.is_trusted else ""
    public = trusted or settings.PUBLIC_URL or (network_urls[0] if network_urls else "")
    lines = ["", f"  Ready. On this machine:  {here}/"]
    if public:
        lines += [f"  For phones:              {public}/", "", addresses.terminal_qr_code(f"{public}/")]
        lines += [f"  Can phones reach it?     {public}/reach/"]
        lines += [f"  Also seen as:            {other}/" for other in network_urls if other != public]
    elif not only_here:
        lines += ["  This machine has no network, so phones cannot reach it: join the Wi-Fi and start again."]
    if options.https is not None and not trusted:
        lines += [f"  Over HTTPS:              {options.https.url}/ (phones: first trust it, see /reach/)"]
    if sign_in:
        lines += ["", f"  Sign in as the director (works once):  {here}{sign_in}"]
    lines += ["", f"  Data: {settings.DATA_DIR}    Stop: Ctrl-C    Access lost: manage.py director", ""]
    return "\n".join(lines)


def _exec_supervisor(plan: Plan, inherited: list[IO[str] | socket.socket]) -> NoReturn:
    """Replaces this process by the supervisor, which keeps the process id, lock and port but not Django's memory."""
    for file in inherited:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003
    read_end, write_end = os.pipe()
    with os.fdopen(write_end, "w") as pipe:
        pipe.write(plan.as_json())
    os.dup2(read_end, 0)
    os.environ["DATA_DIR"] = str(settings.DATA_DIR)
    os.environ["LOG_LEVEL"] = environment.text("LOG_LEVEL", "WARNING")
    os.chdir(settings.BASE_DIR)
    signal.pthread_sigmask(
        signal.SIG_BLOCK, STOP_SIGNALS
    )  # the supervisor unblocks them when it can stop cleanly
    os.execv(sys.executable, [sys.executable, "-m", "deploy.supervisor"])
