"""While the broker is away or hangs, results are saved. The desk shows it, and players advance after its return."""

import time

from deploy.bench.faults import injection
from tests.flows.browser import Browser
from tests.flows.hall import open_hall, pairings_json
from tests.flows.waiting import until_all_advanced
from tournament.rehearsal.wire import Wire

DELAYED = "Players advance with a delay"


def test_without_a_broker_results_are_accepted_and_the_desk_shows_a_delay(stage):
    hall = open_hall(stage, entries=4)
    desk = Browser(stage.url)
    desk.sign_in(hall.sign_in_link)
    page = f"/e/{hall.tournament.event.slug}/{hall.tournament.slug}/desk/"
    assert DELAYED not in desk.read(page)
    table, second_table = hall.open_matches()
    with injection.suspended(stage.broker):
        hall.play(second_table)
    stage.kill(stage.broker)
    tail = hall.phone(table.left).enter(table.match, hall.games_of(table))
    began = time.perf_counter()
    answer = hall.phone(table.right).send(f"/api/v1/matches/{table.match}/confirm/", {"tail": str(tail)})
    print(f"\nconfirmed with the broker away in {(time.perf_counter() - began) * 1000:.1f} ms")
    assert (answer.status, answer.body["state"]) == (200, "posted")
    assert DELAYED in desk.read(page)
    stage.broker = stage.start_broker()
    with stage.database():
        until_all_advanced(stage)
    final = pairings_json(Wire(stage.url).get(hall.bracket_path))[-1]
    assert {final[side]["entry_id"] for side in ("left", "right")} == {
        str(hall.winner_of(match)) for match in (table, second_table)
    }
    assert DELAYED not in desk.read(page)
