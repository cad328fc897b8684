"""The faults that are injected while a wave is played. Each function reverts its fault before it returns.

The name of a function is the name of its fault in the report.
"""

import os
import signal
import time
from collections.abc import Callable
from urllib.request import urlopen

from deploy.bench.faults import injection
from deploy.bench.faults.cluster import DATABASE_TIMEOUT
from deploy.bench.faults.event import PlayedEvent
from deploy.bench.faults.phones import CarelessPhone, Phone
from deploy.bench.postgresql import Postgresql
from deploy.bench.steps import LONGEST_WAIT, until

Fault = Callable[[PlayedEvent], None]
SECONDS_LOCKED = 1.0
SOME_GAMES = 4


def until_accepted(event: PlayedEvent, games: int) -> None:
    """Releases the phones and waits until so many more games are acknowledged."""
    before = event.log.acknowledged
    event.release_phones()
    until(lambda: event.log.acknowledged >= before + games, "games are accepted in spite of the fault")


def until_refused(event: PlayedEvent) -> None:
    """Releases the phones and waits for an answer 503, or until all players are done: a disk that is nearly full may
    store everything."""
    before = event.log.refused
    event.release_phones()
    until(
        lambda: event.log.refused > before or all(player.done() for player in event.players),
        "phones are answered 503",
    )


def phones_send_everything_twice_and_too_early(event: PlayedEvent) -> None:
    """`phone_class` makes the phones of the wave careless; later phones are not."""
    event.phone_class = Phone


def a_worker_is_killed(event: PlayedEvent) -> None:
    cluster = event.cluster
    cluster.site.kill(cluster.workers.pop(0))
    event.release_phones()
    cluster.workers.append(cluster.site.add_worker())


def a_child_of_a_worker_is_killed(event: PlayedEvent) -> None:
    """Waits until the workers have started: before that a worker ends together with its child."""
    cluster = event.cluster
    until(lambda: cluster.idle_workers() >= len(cluster.workers), "every worker waits for messages")
    parent = cluster.workers[0].process.pid
    child, *_ = injection.process_tree(parent)[1:]
    os.kill(child, signal.SIGKILL)
    until_accepted(event, SOME_GAMES)
    until(lambda: injection.process_tree(parent)[1:] not in ([], [child]), "the worker has another child")


def the_beat_is_killed(event: PlayedEvent) -> None:
    cluster = event.cluster
    cluster.site.kill(cluster.beat)
    event.release_phones()
    cluster.beat = cluster.site.start_beat()


def a_web_server_is_killed(event: PlayedEvent) -> None:
    cluster = event.cluster
    cluster.node.kill(cluster.webs[1])
    event.release_phones()
    cluster.webs[1] = cluster.node.start_web()


def the_broker_is_away_and_comes_back_empty(event: PlayedEvent) -> None:
    site = event.cluster.site
    site.kill(site.broker)
    until_accepted(event, SOME_GAMES)
    site.broker = site.start_broker()


def the_broker_hangs(event: PlayedEvent) -> None:
    with injection.suspended(event.cluster.site.broker):
        until_accepted(event, SOME_GAMES)


def the_database_file_is_locked(event: PlayedEvent) -> None:
    with injection.locked_database(event.cluster.site):
        event.release_phones()
        time.sleep(SECONDS_LOCKED)


def the_database_is_restarted(event: PlayedEvent) -> None:
    server = _server(event)
    server.stop()
    until_refused(event)
    server.restart()


def the_database_hangs(event: PlayedEvent) -> None:
    """Connections stay open but nothing is answered. Pages that need no database are still served."""
    urls = [event.cluster.site.url, event.cluster.node.url]
    cached_page = f"{event.path}rules/"
    for url in urls:
        _load(url, cached_page)
    with injection.suspended(_server(event)):
        until_refused(event)
        for url in urls:
            for path in ("/healthz", "/static/style.css", cached_page):
                _load(url, path)


def the_disk_of_the_database_hangs(event: PlayedEvent) -> None:
    """The server accepts connections and reads, but no commit returns, for longer than the database timeout."""
    with injection.blocked_commits(_server(event)):
        until_refused(event)
        time.sleep(2 * DATABASE_TIMEOUT)


def the_disk_is_full(event: PlayedEvent) -> None:
    cluster = event.cluster
    with injection.full_disk(cluster.site, cluster.parts, cluster.server):
        until_refused(event)


def the_disk_of_the_log_is_full(event: PlayedEvent) -> None:
    """The server ends because it cannot write its log; it is restarted with free space."""
    server = _server(event)
    injection.fill_log_disk(server)
    server.process.wait(LONGEST_WAIT)
    until_refused(event)
    server.restart()


def the_clock_is_wrong(event: PlayedEvent) -> None:
    """The broker loses its messages at the same time, so that only the sweep, which depends on the clock, can help."""
    event.cluster.clock.set_offset(hours=3)
    until_accepted(event, 1)
    event.cluster.clock.set_offset(hours=-6)
    event.cluster.site.restart_broker()


def the_clock_is_right_again(event: PlayedEvent) -> None:
    event.cluster.clock.set_offset(hours=0)


def a_web_server_hangs(event: PlayedEvent) -> None:
    with injection.suspended(event.cluster.webs[0]):
        until_accepted(event, 1)


def a_worker_hangs(event: PlayedEvent) -> None:
    with injection.suspended(event.cluster.workers[-1]):
        until_accepted(event, SOME_GAMES)


FAULTS: tuple[Fault, ...] = (
    phones_send_everything_twice_and_too_early,
    a_worker_is_killed,
    a_child_of_a_worker_is_killed,
    the_beat_is_killed,
    a_web_server_is_killed,
    the_broker_is_away_and_comes_back_empty,
    the_broker_hangs,
    the_disk_is_full,
    the_clock_is_wrong,
    the_clock_is_right_again,
    a_web_server_hangs,
    a_worker_hangs,
)
SQLITE_FAULTS: tuple[Fault, ...] = (the_database_file_is_locked,)
SERVER_FAULTS: tuple[Fault, ...] = (
    the_database_is_restarted,
    the_database_hangs,
    the_disk_of_the_log_is_full,
)
SLOW_SERVER_FAULTS: tuple[Fault, ...] = (the_disk_of_the_database_hangs,)
"""They take as long as three others."""


def quick_faults(server: Postgresql | None) -> list[Fault]:
    """The faults of this kind of database, in the order in which a test injects them."""
    return [*FAULTS, *(SERVER_FAULTS if server else SQLITE_FAULTS)]


def all_faults(server: Postgresql | None) -> list[Fault]:
    return [*quick_faults(server), *(SLOW_SERVER_FAULTS if server else ())]


def phone_class(fault: Fault) -> type[Phone]:
    """The class of the phones that play the wave of this fault."""
    return CarelessPhone if fault is phones_send_everything_twice_and_too_early else Phone


def _server(event: PlayedEvent) -> Postgresql:
    if event.cluster.server is None:
        raise ValueError("SQLite has no server.")
    return event.cluster.server


def _load(url: str, path: str) -> None:
    """Raises OSError unless the path is answered. What needs the database is refused with 503."""
    with urlopen(f"{url}{path}", timeout=LONGEST_WAIT) as answer:  # noqa: S310 (our own)
        answer.read()
