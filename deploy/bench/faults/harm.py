"""What is done to the parts while a wave is played, each as it happens to a club, and put right again."""

import os
import signal
import time
from collections.abc import Callable
from urllib.request import urlopen

from deploy.bench.faults import hands
from deploy.bench.faults.cluster import PATIENCE
from deploy.bench.faults.evening import Evening
from deploy.bench.faults.phones import CarelessPhone, Phone
from deploy.bench.faults.waiting import LONGEST, until
from deploy.bench.postgresql import Postgresql

Fault = Callable[[Evening], None]
SECONDS_LOCKED = 1.0
TAKEN_IN = 4


def until_taken_in(evening: Evening, more: int) -> None:
    before = evening.told.acknowledged
    evening.go_on()
    until(lambda: evening.told.acknowledged >= before + more, "games are taken in all the same")


def until_refused(evening: Evening) -> None:
    """Or until everything is taken in all the same, which a disk that is nearly full may let happen."""
    before = evening.told.refused
    evening.go_on()
    until(
        lambda: evening.told.refused > before or all(one.done() for one in evening.playing),
        "phones are told to come again",
    )


def phones_send_everything_twice_and_too_early(evening: Evening) -> None:
    """They did so from their first game on; from now on they are careful."""
    evening.kind = Phone


def a_worker_is_killed(evening: Evening) -> None:
    it = evening.cluster
    it.stage.kill(it.workers.pop(0))
    evening.go_on()
    it.workers.append(it.stage.start_another_worker())


def a_child_of_a_worker_is_killed(evening: Evening) -> None:
    """Of one that has come up: before that it ends with its child, and whoever started it starts it again."""
    it = evening.cluster
    until(lambda: it.waiting_workers() >= len(it.workers), "every worker waits for messages")
    parent = it.workers[0].process.pid
    child, *_ = hands.family(parent)[1:]
    os.kill(child, signal.SIGKILL)
    until_taken_in(evening, TAKEN_IN)
    until(lambda: hands.family(parent)[1:] not in ([], [child]), "the worker has another child")


def the_clock_of_the_sweep_is_killed(evening: Evening) -> None:
    it = evening.cluster
    it.stage.kill(it.beat)
    evening.go_on()
    it.beat = it.stage.start_beat()


def a_web_server_is_killed(evening: Evening) -> None:
    it = evening.cluster
    it.node.kill(it.webs[1])
    evening.go_on()
    it.webs[1] = it.node.start_web()


def the_broker_is_away_for_a_while_and_comes_back_empty(evening: Evening) -> None:
    stage = evening.cluster.stage
    stage.kill(stage.broker)
    until_taken_in(evening, TAKEN_IN)
    stage.broker = stage.start_broker()


def the_broker_hangs(evening: Evening) -> None:
    with hands.hanging(evening.cluster.stage.broker):
        until_taken_in(evening, TAKEN_IN)


def the_file_is_locked(evening: Evening) -> None:
    with hands.held_lock(evening.cluster.stage):
        evening.go_on()
        time.sleep(SECONDS_LOCKED)


def the_database_is_restarted(evening: Evening) -> None:
    server = _server(evening)
    server.stop()
    until_refused(evening)
    server.start_again()


def the_database_hangs(evening: Evening) -> None:
    """Not a word from it, and nothing is closed: whoever needs none goes on, everybody else is told to come again."""
    nodes = [evening.cluster.stage.url, evening.cluster.node.url]
    page = f"/e/{evening.slugs}/rules/"
    for url in nodes:
        _look(url, page)
    with hands.hanging(_server(evening)):
        until_refused(evening)
        for url in nodes:
            for path in ("/healthz", "/static/style.css", page):
                _look(url, path)


def the_disk_of_the_database_hangs(evening: Evening) -> None:
    """It lets everybody in and reads, but keeps nothing: that is one fault, however often it is asked meanwhile."""
    with hands.keeping_nothing(_server(evening)):
        until_refused(evening)
        time.sleep(2 * PATIENCE)


def the_disk_is_full(evening: Evening) -> None:
    it = evening.cluster
    with hands.full_disk(it.stage, it.parts, it.server):
        until_refused(evening)


def the_disk_of_the_log_is_full(evening: Evening) -> None:
    """A server that cannot write its log ends at once; it is started again when there is room."""
    server = _server(evening)
    hands.fill_disk_of_log(server)
    server.process.wait(LONGEST)
    until_refused(evening)
    server.start_again()


def the_clock_is_wrong(evening: Evening) -> None:
    """The broker loses its messages at the same time, so that only the sweep can help, which lives by the clock."""
    evening.cluster.clock.move(hours=3)
    until_taken_in(evening, 1)
    evening.cluster.clock.move(hours=-6)
    evening.cluster.stage.restart_broker()


def the_clock_is_right_again(evening: Evening) -> None:
    evening.cluster.clock.move(hours=0)


def a_web_server_hangs(evening: Evening) -> None:
    with hands.hanging(evening.cluster.webs[0]):
        until_taken_in(evening, 1)


def a_worker_hangs(evening: Evening) -> None:
    with hands.hanging(evening.cluster.workers[-1]):
        until_taken_in(evening, TAKEN_IN)


ANYWHERE: tuple[Fault, ...] = (
    a_worker_is_killed,
    a_child_of_a_worker_is_killed,
    the_clock_of_the_sweep_is_killed,
    a_web_server_is_killed,
    the_broker_is_away_for_a_while_and_comes_back_empty,
    the_broker_hangs,
    the_disk_is_full,
    the_clock_is_wrong,
    the_clock_is_right_again,
    a_web_server_hangs,
    a_worker_hangs,
)
OF_A_SERVER: tuple[Fault, ...] = (
    the_database_is_restarted,
    the_database_hangs,
    the_disk_of_the_log_is_full,
)
# It takes as long as three others, for it has to outlast everybody's patience twice.
OF_A_SERVER_BY_HAND: tuple[Fault, ...] = (the_disk_of_the_database_hangs,)
OF_A_FILE: tuple[Fault, ...] = (the_file_is_locked,)


def faults(server: Postgresql | None) -> list[Fault]:
    """All that can happen to such an installation, in the order in which a test tries them."""
    return [phones_send_everything_twice_and_too_early, *ANYWHERE, *(OF_A_SERVER if server else OF_A_FILE)]


def all_faults(server: Postgresql | None) -> list[Fault]:
    """Also those that take long."""
    return [*faults(server), *(OF_A_SERVER_BY_HAND if server else ())]


def before(fault: Fault) -> type[Phone]:
    """The phones that a wave begins with."""
    return CarelessPhone if fault is phones_send_everything_twice_and_too_early else Phone


def _server(evening: Evening) -> Postgresql:
    if evening.cluster.server is None:
        raise ValueError("a file is no server")
    return evening.cluster.server


def _look(url: str, path: str) -> None:
    """Raises where it is not given soon."""
    with urlopen(f"{url}{path}", timeout=PATIENCE) as answer:  # noqa: S310 (our own)
        answer.read()
