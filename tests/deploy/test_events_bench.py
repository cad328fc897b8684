"""What the bench of many events says of its figures."""

from deploy.bench.events import Played, Sizes
from deploy.bench.events_told import EventsTold, as_text
from deploy.bench.figures import Figures


def told(alone: Played, crowd: Played) -> EventsTold:
    disks = {"A database": Figures.of([0.001])}
    return EventsTold("A machine", "2026-11-21", Sizes(events=2), {"A database": (alone, crowd)}, disks)


def test_an_event_that_waits_for_another_misses_its_mark_however_quick_the_other_is():
    alone, quick, slow = [0.010] * 20, [0.001] * 20, [0.020] * 20
    one = told(Played(100.0, [alone]), Played(120.0, [quick, slow]))
    assert one.played["A database"][1].worst.p99 == 20.0
    assert "MISSED (p99 of the slowest event 2.00 of one event's, at most 1.5)" in as_text(one)
    assert "met (posts a second 1.20 of one event's, at least 0.95)" in as_text(one)
    assert one.as_json()["databases"]["A database"]["all at once"]["all"]["count"] == 40
    fewer = told(Played(100.0, [alone]), Played(90.0, [alone, alone]))
    assert "MISSED (posts a second 0.90 of one event's" in as_text(fewer)
