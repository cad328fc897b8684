"""One event whose parts are killed, stopped, cut off, filled up and put back: nothing is lost or happens twice.

Two web nodes, three workers and a clock of the sweep share one database and one broker throughout.
"""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page

from deploy.bench.faults import hands, harm
from deploy.bench.faults.cluster import SWITCHES, Cluster, cluster
from deploy.bench.faults.evening import ENTRIES, Evening
from deploy.bench.faults.onlooker import Onlooker
from deploy.bench.faults.running import NOTHING, Bench
from deploy.bench.faults.waiting import LONGEST, until, until_all_advanced
from tests.flows.hall import open_hall
from tests.flows.own_server import OwnServer
from tests.flows.stage import Stage
from tests.flows.test_formats import has_a_winner, is_played_out, open_pairings, opened
from tests.tournament import stories
from tournament import links, rebuilding
from tournament.draw.formats import Format, Kind
from tournament.models import Event, Result, Tournament
from tournament.rehearsal.wire import Wire

# That something went and that it came back, said by a worker and by its child, and that the child ended.
MOST_LINES = 6

REFUSED = {
    "the disk is full",
    "the disk of the log is full",
    "the database is restarted",
    "the database hangs",
}
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


def a_day() -> tuple[Event, Tournament, str]:
    """A day of formats, and a match for two beside it whose director has this token."""
    actor = stories.director()
    return opened(DAY, actor), stories.released(actor, 2), links.make_api_token(actor.user, "the desk")


def is_played_out_everywhere(url: str, event: Event) -> None:
    assert rebuilding.differences(event) == []
    for tournament in event.tournaments.all():
        is_played_out(tournament)
        has_a_winner(url, tournament)


def told_of(bracket: object, stream: Iterable[bytes]) -> bytes:
    """The first line of a live stream that tells of the bracket."""
    return next(line for line in stream if line.startswith(f"data: {bracket}".encode()))


def what_is_posted_at_one_is_seen_at_the_other(one: str, other: str, tournament: str, token: str) -> None:
    desk = Wire(one, token)
    bracket, [pairing] = desk.get(f"{tournament}/brackets/main/").body["id"], open_pairings(desk, tournament)
    with urlopen(f"{other}/live/?bracket={bracket}", timeout=LONGEST) as stream:
        body = {"kind": "walkover", "winner": pairing["left"]["entry_id"], "reason": "Not here"}
        assert desk.post(f"/api/v1/pairings/{pairing['id']}/award/", body).is_ok
        assert told_of(bracket, stream)


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
