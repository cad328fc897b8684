"""One event whose parts are killed, stopped, cut off, filled up and put back: nothing is lost or happens twice.

Two web nodes, three workers and a clock of the sweep share one database and one broker throughout.
"""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.flows import faults
from tests.flows.evening import CarelessPhone, Cluster, Evening, cluster, open_evening
from tests.flows.faults import OwnServer
from tests.flows.hall import Phone
from tests.flows.test_formats import has_a_winner, is_played_out, open_pairings, opened
from tests.flows.waiting import LONGEST, until, until_all_advanced
from tests.tournament import stories
from tournament import links, rebuilding
from tournament.draw.formats import Format, Kind
from tournament.models import Event, Result, Tournament
from tournament.rehearsal.wire import Wire

# That something went and that it came back, said by a worker and by its child, and that the child ended.
MOST_LINES = 6

BEFORE_THE_FALL = 5
DAY = [
    (Format(consolation="simple"), 8),
    (Format(Kind.DOUBLE, reset=True), 5),
    (Format(Kind.ROUND_ROBIN), 4),
    (Format(Kind.SWISS, rounds=3), 5),
]


@pytest.fixture(scope="module")
def two_nodes(request, django_db_blocker) -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="flow-", dir="/tmp"))
    folder.chmod(0o755)
    before = request.session.testsfailed
    with django_db_blocker.unblock(), cluster(OwnServer(folder)) as started:
        yield started
        if request.session.testsfailed > before:
            print(f"\n{started.stage.logs()}")
    shutil.rmtree(folder, ignore_errors=True)


def until_taken_in(evening: Evening, more: int) -> None:
    before = evening.told.acknowledged
    evening.go_on()
    until(lambda: evening.told.acknowledged >= before + more, "games are taken in all the same")


def until_refused(evening: Evening) -> None:
    before = evening.told.refused
    evening.go_on()
    until(lambda: evening.told.refused > before, "phones are told to come again")


def a_worker_is_killed(evening: Evening) -> None:
    it = evening.cluster
    it.stage.kill(it.workers.pop(0))
    evening.go_on()
    it.workers.append(it.stage.start_another_worker())


def a_child_of_a_worker_is_killed(evening: Evening) -> None:
    parent = evening.cluster.workers[0].process.pid
    [child] = faults.family(parent)[1:]
    os.kill(child, signal.SIGKILL)
    until_taken_in(evening, 4)
    until(lambda: faults.family(parent)[1:] not in ([], [child]), "the worker has another child")


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
    until_taken_in(evening, 4)
    stage.broker = stage.start_broker()


def the_database_is_restarted(evening: Evening) -> None:
    server = evening.cluster.server
    if server is None:  # a file does not restart; the write lock may be held for long
        with faults.held_lock(evening.cluster.stage):
            evening.go_on()
            time.sleep(1)
        return
    server.stop()
    until_refused(evening)
    server.start_again()


def the_disk_is_full(evening: Evening) -> None:
    it = evening.cluster
    with faults.full_disk(it.stage, it.parts, it.server):
        until_refused(evening)


def the_clock_is_wrong(evening: Evening) -> None:
    """The broker loses its messages at the same time, so that only the sweep can help, which lives by the clock."""
    evening.cluster.clock.move(hours=3)
    until_taken_in(evening, 1)
    evening.cluster.clock.move(hours=-6)
    evening.cluster.stage.restart_broker()


def the_clock_is_right_again(evening: Evening) -> None:
    evening.cluster.clock.move(hours=0)


def a_web_server_hangs(evening: Evening) -> None:
    with faults.hanging(evening.cluster.webs[0]):
        until_taken_in(evening, 1)


def a_worker_hangs(evening: Evening) -> None:
    with faults.hanging(evening.cluster.workers[-1]):
        until_taken_in(evening, 4)


def phones_send_everything_twice_and_too_early(evening: Evening) -> None:
    evening.kind = Phone


FAULTS = [
    phones_send_everything_twice_and_too_early,
    a_worker_is_killed,
    a_child_of_a_worker_is_killed,
    the_clock_of_the_sweep_is_killed,
    a_web_server_is_killed,
    the_broker_is_away_for_a_while_and_comes_back_empty,
    the_database_is_restarted,
    the_disk_is_full,
    the_clock_is_wrong,
    the_clock_is_right_again,
    a_web_server_hangs,
    a_worker_hangs,
]


def test_an_event_survives_every_fault(two_nodes, browser):
    evening = open_evening(two_nodes, browser.new_page())
    evening.kind = CarelessPhone
    streams = [f"/live/?bracket={evening.bracket}", f"/e/{evening.slugs}/"]
    print()
    with faults.slow_clients(two_nodes.air.url, streams, each=5):
        for fault in FAULTS:
            quiet = two_nodes.loud_lines()
            account = evening.wave(fault)
            louder = two_nodes.loud_lines() - quiet
            print(f"{fault.__name__}: {account}; lines told: {sorted(louder.values())}", flush=True)
            assert (account.lost, account.twice) == (0, 0)
            assert account.applied == account.acknowledged
            assert all(lines <= MOST_LINES for lines in louder.values()), louder


def a_day() -> tuple[Event, Tournament, str]:
    """A day of formats, and a match for two beside it whose director has this token."""
    actor = stories.director()
    return opened(DAY, actor), stories.released(actor, 2), links.make_api_token(actor.user, "the desk")


def is_played_out_everywhere(url: str, event: Event) -> None:
    assert rebuilding.differences(event) == []
    for tournament in event.tournaments.all():
        is_played_out(tournament)
        has_a_winner(url, tournament)


def what_is_posted_at_one_is_seen_at_the_other(one: str, other: str, tournament: str, token: str) -> None:
    desk = Wire(one, token)
    bracket, [pairing] = desk.get(f"{tournament}/brackets/main/").body["id"], open_pairings(desk, tournament)
    with urlopen(f"{other}/live/?bracket={bracket}", timeout=LONGEST) as stream:
        body = {"kind": "walkover", "winner": pairing["left"]["entry_id"], "reason": "Not here"}
        assert desk.post(f"/api/v1/pairings/{pairing['id']}/award/", body).is_ok
        assert faults.told_of(bracket, stream)


def test_two_nodes_and_three_workers_play_a_day_of_formats_and_one_node_falls(two_nodes):
    stage, node, air = two_nodes.stage, two_nodes.node, two_nodes.air
    event, beside, token = stage.ask(a_day)
    what_is_posted_at_one_is_seen_at_the_other(stage.url, node.url, f"/api/v1/tournaments/{beside.pk}", token)
    posted = Result.objects.filter(pairing__round__bracket__tournament__event=event)
    with ThreadPoolExecutor(1) as threads:
        options = ("--url", air.url, "--speed", "0", "--seed", "5")
        playing = threads.submit(stage.manage, "rehearse", event.slug, *options)
        until(lambda: playing.done() or stage.ask(posted.count) > BEFORE_THE_FALL, "they play")
        node.fall()
        assert "refused:" in playing.result()
    stage.ask(lambda: until_all_advanced(stage))
    stage.ask(lambda: is_played_out_everywhere(stage.url, event))
