"""One event whose parts are killed, stopped, cut off, filled up and put back: nothing is lost or happens twice.

Two web nodes, three workers and a clock of the sweep share one database and one broker throughout.
"""

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page

from deploy.bench.faults import hands, harm
from deploy.bench.faults.cluster import SWITCHES, Cluster, cluster
from deploy.bench.faults.evening import ENTRIES, Evening
from deploy.bench.faults.onlooker import Onlooker
from deploy.bench.faults.running import NOTHING, Bench
from tests.flows.hall import open_hall
from tests.flows.own_server import OwnServer
from tests.flows.stage import Stage

# That something went and that it came back, said by a worker and by its child, and that the child ended.
MOST_LINES = 6

# These happen to messages and clocks, whoever keeps the rows: they are tried once.
NOT_TO_THE_ROWS = {
    harm.a_child_of_a_worker_is_killed,
    harm.the_clock_of_the_sweep_is_killed,
    harm.the_broker_is_away_for_a_while_and_comes_back_empty,
    harm.the_broker_hangs,
    harm.the_clock_is_wrong,
    harm.the_clock_is_right_again,
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
        stage = Stage(stores, **SWITCHES)
        with cluster(stage, stores.server) as started:
            yield started
            if request.session.testsfailed > before:
                print(f"\n{stage.logs()}")
        stage.close()
    shutil.rmtree(folder, ignore_errors=True)


IS_FRESH = """async () => {
  const parts = (root) => [...root.querySelectorAll("[data-live] [data-part]")]
    .map((part) => part.dataset.stamp || part.textContent.replace(/\\s+/g, " "));
  const answer = await fetch(location.href, { cache: "no-store" });
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  return answer.ok && JSON.stringify(parts(now)) === JSON.stringify(parts(document));
}"""


def open_evening(two_nodes: Cluster, page: Page) -> Evening:
    """A spectator's page is opened once and never loaded again."""
    with ThreadPoolExecutor(1) as threads:
        hall = threads.submit(open_hall, two_nodes.stage, ENTRIES).result()
    evening = Evening(two_nodes, hall, lambda: bool(page.evaluate(IS_FRESH)))
    page.goto(f"{two_nodes.air.url}/e/{evening.slugs}/")
    return evening


def test_an_event_survives_every_fault(two_nodes, browser):
    evening = open_evening(two_nodes, browser.new_page())
    page, faults = f"/e/{evening.slugs}/", harm.faults(two_nodes.server)
    if two_nodes.server is None:
        faults = [fault for fault in faults if fault not in NOT_TO_THE_ROWS]
    playing, account = Bench(two_nodes, faults), NOTHING
    streams = [f"/live/?bracket={evening.bracket}", page]
    print()
    with (
        Onlooker(two_nodes.air.url, evening.bracket, f"{page}fragment/") as onlooker,
        hands.slow_clients(two_nodes.air.url, streams, each=5),
    ):
        in_browser = evening.sees_all
        evening.sees_all = lambda: onlooker.sees_all() and in_browser()
        for _ in faults:
            account = playing.wave(evening, account)
            fault, row = list(playing.rows.items())[-1]
            print(f"{fault}: {account}; at most {row.lines} lines told by a part", flush=True)
            assert (account.lost, account.twice) == (0, 0)
            assert account.applied == account.acknowledged
            assert row.lines <= MOST_LINES, fault
            assert row.refused or fault not in REFUSED, fault
    assert two_nodes.is_whole
