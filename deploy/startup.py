"""Gets an installation ready to run: data folder, port, copy, migrations, first sign-in; then hands over.

Everything that can be refused is refused here, each in one sentence, before any process is started. What runs is
kept running by `deploy.supervisor`, which takes this process over.
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
from deploy.supervisor import ENDING, Plan
from tournament.accounts import directors, links
from tournament.runtime import migration_state, publish

SAFETY_COPIES = 3
TO_KNOCK = ("host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey")


class Refused(RuntimeError):
    """It cannot start; the sentence says what to do."""


@dataclass(frozen=True)
class Wish:
    """What was asked for on the command line."""

    host: str
    port: int
    is_demo: bool = False
    copy: Path | None = None
    https: hall_https.Hall | None = None


def start(wish: Wish) -> NoReturn:
    """Runs the product in place of this process. Raises Refused."""
    place = Path(settings.DATA_DIR)
    lock = _take(place)
    try:
        server = addresses.listen(wish.host, wish.port)
        if wish.copy is not None:
            _open_copy(wish.copy, place)
        _migrate(place)
        data_folder.remove_left_over(place)
        broker = _broker()
        https = _https(wish, place, server.getsockname()[1])
        processes = environment.web_processes(environment.text("DATABASE_URL"))
        counts = data_folder.counts(data_folder.for_counts(place), processes)
        os.environ.update(counts)
    except (
        addresses.CannotListen,
        rolling_copy.CannotOpen,
        embedded_broker.NoBroker,
        hall_https.NoHttps,
    ) as error:
        raise Refused(str(error)) from None
    sign_in = _sign_in_link(wish)
    if wish.is_demo:
        _make_demo()
    port = server.getsockname()[1]
    folders = {"folder": broker, "counts": "".join(counts.values())}
    data_folder.note(lock, {"pid": str(os.getpid()), "url": f"http://127.0.0.1:{port}", **folders})
    plan = Plan(
        parts=process_specs.all_of(place, server.fileno(), processes, broker, _copied_database(), https),
        banner=banner(wish, port, sign_in),
        probe=f"http://127.0.0.1:{port}/reach/",
        remove=[*filter(None, folders.values())],
    )
    connection.close()
    _become(plan, [lock, server])


def _sign_in_link(wish: Wish) -> str:
    """For the first start, and for a copy, whose sessions belong to browsers of another laptop; otherwise empty."""
    if wish.copy is not None or directors.is_first_start():
        return links.make_sign_in_link(directors.last_owner() or directors.director())
    return ""


def _https(wish: Wish, place: Path, port: int) -> list[str]:
    """The command that offers HTTPS in front of our port, and the pages told of it; empty without --https."""
    if wish.https is None:
        return []
    addresses.listen("", wish.https.port, "--https-port").close()
    os.environ.update(hall_https.environment(wish.https, place))
    return hall_https.prepare(wish.https, place, port)


def _make_demo() -> None:
    """Nobody listens yet, so that nobody can be told of what changes is not worth a line."""
    logging.disable(logging.WARNING)
    call_command("demo", sign_in=False)
    logging.disable(logging.NOTSET)


def _take(place: Path) -> IO[str]:
    lock = data_folder.take(place)
    if lock is None:
        pid = data_folder.noted(place).get("pid", "unknown")
        raise Refused(
            f"The data in {place} is in use by another “manage.py up” (process {pid}): "
            "stop that one, or name another folder with DATA_DIR."
        )
    return lock


def database_file() -> Path | None:
    """The SQLite database; None on PostgreSQL."""
    return Path(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else None


def _open_copy(source: Path, place: Path) -> None:
    database = database_file()
    if database is None or database.parent != place:
        raise Refused(
            "--from opens the copy of a SQLite database in DATA_DIR: leave DATABASE_URL unset for it."
        )
    opened = rolling_copy.open_copy(source.expanduser().resolve(), database, place)
    print(f"Opened the copy {opened}.", flush=True)


def _migrate(place: Path) -> None:
    try:
        _knock()
        if problem := migration_state.refusal_to_start():
            raise Refused(problem)
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        if executor.loader.applied_migrations:
            _keep_old(place)
        call_command("migrate", verbosity=0, interactive=False)
    except (OperationalError, psycopg.OperationalError) as error:
        said = " ".join(str(error).split())
        raise Refused(f"The database does not answer ({said}): check DATABASE_URL.") from None


def _knock() -> None:
    """A pool would wait long for a PostgreSQL that is not there, and say less about it."""
    if connection.vendor == "postgresql":
        asked = {
            name: value for name, value in connection.get_connection_params().items() if name in TO_KNOCK
        }
        psycopg.connect(**asked, connect_timeout=5).close()


def _keep_old(place: Path) -> None:
    """Before an upgrade changes the tables, the data as it was is put beside them."""
    database = database_file()
    if database is None:
        return
    folder = place / "before-upgrade"
    folder.mkdir(exist_ok=True)
    rolling_copy.copy_database(database, folder / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.sqlite3")
    for old in sorted(folder.glob("*.sqlite3"))[:-SAFETY_COPIES]:
        old.unlink()


def _broker() -> str:
    """The folder of our own broker, now named in REDIS_URL; empty when the operator's own is used."""
    if environment.text("REDIS_URL"):
        if not publish.is_reachable():
            print("The broker at REDIS_URL does not answer yet; results are kept and advance when it does.")
        return ""
    embedded_broker.broker_binary()
    folder = embedded_broker.broker_folder()
    os.environ["REDIS_URL"] = embedded_broker.broker_url(folder)
    return str(folder)


def _copied_database() -> Path | None:
    """The database that is to be copied all the time; None without COPY_DIR or on PostgreSQL."""
    if not environment.text("COPY_DIR"):
        return None
    database = database_file()
    if database is None:
        print("COPY_DIR copies SQLite only; for PostgreSQL use its own pg_dump or streaming replication.")
    return database


def banner(wish: Wish, port: int, sign_in: str) -> str:
    """What the director reads first: where to go on this machine, where phones go, how to get in."""
    here = f"http://127.0.0.1:{port}"
    only_here = wish.host in ("127.0.0.1", "localhost", "::1")
    seen = [] if only_here else [f"http://{address}:{port}" for address in addresses.on_the_network()]
    trusted = wish.https.address if wish.https is not None and wish.https.is_trusted else ""
    public = trusted or settings.PUBLIC_URL or (seen[0] if seen else "")
    lines = ["", f"  Ready. On this machine:  {here}/"]
    if public:
        lines += [f"  For phones:              {public}/", "", addresses.qr(f"{public}/")]
        lines += [f"  Can phones reach it?     {public}/reach/"]
        lines += [f"  Also seen as:            {other}/" for other in seen if other != public]
    elif not only_here:
        lines += [
            "  This machine is on no network, so phones cannot reach it: join the Wi-Fi and start again."
        ]
    if wish.https is not None and not trusted:
        lines += [f"  Over HTTPS:              {wish.https.address}/ (phones: first trust it, see /reach/)"]
    if sign_in:
        lines += ["", f"  Sign in as the director (works once):  {here}{sign_in}"]
    lines += ["", f"  Data: {settings.DATA_DIR}    Stop: Ctrl-C    Access lost: manage.py director", ""]
    return "\n".join(lines)


def _become(plan: Plan, kept: list[IO[str] | socket.socket]) -> NoReturn:
    """The supervisor takes over this process: same id, held lock and port, none of Django's memory."""
    for file in kept:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        pipe.write(plan.as_json())
    os.dup2(reading, 0)
    os.environ["DATA_DIR"] = str(settings.DATA_DIR)
    os.environ["LOG_LEVEL"] = environment.text("LOG_LEVEL", "WARNING")
    os.chdir(settings.BASE_DIR)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # the supervisor hears of it once it can end in order
    os.execv(sys.executable, [sys.executable, "-m", "deploy.supervisor"])
