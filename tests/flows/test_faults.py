"""Faults are injected while one event is played: nothing is lost and nothing happens twice."""

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page

from deploy.bench.faults import injection, scenarios
from deploy.bench.faults.cluster import VARIABLES, Cluster, start_cluster
from deploy.bench.faults.event import ENTRIES, PlayedEvent
from deploy.bench.faults.report import NOTHING, FaultBench
from deploy.bench.faults.spectator import Spectator
from tests.flows.hall import open_hall
from tests.flows.own_server import OwnServer
from tests.flows.stage import Stage

# A worker and its child each log the failure and the recovery, on a busy machine more than once. A line for each
# refused request would be hundreds.
MOST_LINES = 30

# The bench injects these faults too. Here other flows make the same claim on both kinds of database:
# test_phones (everything is sent repeatedly and early), test_lost_messages (all workers are killed at once) and
# test_results_first (there is no beat).
IN_OTHER_FLOWS = {
    scenarios.phones_send_everything_twice_and_too_early,
    scenarios.a_worker_is_killed,
    scenarios.the_beat_is_killed,
}

# These faults do not depend on the database, so that they are tested on one kind only.
INDEPENDENT_OF_DATABASE = {
    scenarios.a_child_of_a_worker_is_killed,
    scenarios.the_broker_is_away_and_comes_back_empty,
    scenarios.the_broker_hangs,
    scenarios.the_clock_is_wrong,
    scenarios.the_clock_is_right_again,
}
REFUSED = {
    "the disk is full",
    "the disk of the log is full",
    "the database is restarted",
    "the database hangs",
}


@pytest.fixture(scope="module")
def two_nodes(request, django_db_blocker) -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="flow-", dir="/tmp"))
    folder.chmod(0o755)
    before = request.session.testsfailed
    with django_db_blocker.unblock():
        stores = OwnServer(folder)
        stage = Stage(stores, **VARIABLES)
        with start_cluster(stage, stores.server) as started:
            yield started
            if request.session.testsfailed > before:
                print(f"\n{stage.logs()}")
        stage.close()
    shutil.rmtree(folder, ignore_errors=True)


IS_CURRENT = """async () => {
  const parts = (root) => [...root.querySelectorAll("[data-live] [data-part]")]
    .map((part) => part.dataset.stamp || part.textContent.replace(/\\s+/g, " "));
  const answer = await fetch(location.href, { cache: "no-store" });
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  return answer.ok && JSON.stringify(parts(now)) === JSON.stringify(parts(document));
}"""


def open_event(two_nodes: Cluster, page: Page) -> PlayedEvent:
    """A spectator's page is opened once and never loaded again."""
    with ThreadPoolExecutor(1) as threads:
        drawn = threads.submit(open_hall, two_nodes.site, ENTRIES).result()
    event = PlayedEvent(two_nodes, drawn, lambda: bool(page.evaluate(IS_CURRENT)))
    page.goto(f"{two_nodes.proxy.url}{event.path}")
    return event


def faults_of(two_nodes: Cluster) -> list[scenarios.Fault]:
    left_out = IN_OTHER_FLOWS if two_nodes.server else IN_OTHER_FLOWS | INDEPENDENT_OF_DATABASE
    return [fault for fault in scenarios.quick_faults(two_nodes.server) if fault not in left_out]


def test_an_event_survives_faults_of_all_its_parts(two_nodes, browser):
    event = open_event(two_nodes, browser.new_page())
    url, faults = two_nodes.proxy.url, faults_of(two_nodes)
    bench, reconciliation = FaultBench(two_nodes, faults), NOTHING
    streams = [f"/live/?bracket={event.bracket}", event.path]
    print()
    with (
        Spectator(url, event.bracket, f"{event.path}fragment/") as spectator,
        injection.slow_clients(url, streams, count=5),
    ):
        browser_is_current = event.page_is_current
        event.page_is_current = lambda: spectator.page_is_current() and browser_is_current()
        for _ in faults:
            reconciliation = bench.play_wave(event, reconciliation)
            fault, counts = list(bench.counts.items())[-1]
            print(f"{fault}: {reconciliation}; at most {counts.lines} lines in a log", flush=True)
            assert (reconciliation.lost, reconciliation.twice) == (0, 0)
            assert reconciliation.applied == reconciliation.acknowledged
            assert counts.lines <= MOST_LINES, fault
            assert counts.refused or fault not in REFUSED, fault
    assert two_nodes.all_parts_run
