"""`bench hall` with compressed times: forty phones without a network, and results before spectators."""

from dataclasses import replace

from deploy.bench import hall
from deploy.bench.proxy import NetworkConditions

SHORT = replace(hall.TRIAL, phones=40, outage=1.0, afterwards=NetworkConditions(0.1, 0.3))


def test_every_game_of_forty_phones_is_stored_once_and_in_order_after_an_outage(stage):
    steps: list[str] = []
    counts = hall.outage(stage, SHORT, steps.append)
    print(f"{counts.requests} requests, {counts.lost} lost by the network, {counts.applied} games stored")
    assert counts.lost > 0, "nothing was lost, so nothing was tested"
    assert counts.requests > counts.entered
    assert (counts.missing, counts.twice_or_unknown, counts.disordered) == (0, 0, 0)
    assert counts.applied == counts.entered
    assert (counts.posted, counts.matches) == (20, 20)
    assert steps[1] == "no network for 1 s"
    figures, numbers = hall.crowd(stage, hall.TRIAL, steps.append)
    assert (numbers["streams broken"], numbers["never seen"]) == (0, 0)
    assert figures["seen"].count == numbers["results"] * numbers["spectators"] == 50


def test_an_outage_run_with_a_missing_game_is_incomplete():
    assert not hall.OutageCounts(entered=3, applied=2, missing=1, matches=1, posted=1).is_complete
    assert hall.OutageCounts(entered=3, applied=3, matches=1, posted=1).is_complete
