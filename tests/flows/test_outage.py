"""Forty phones without a network, and a crowd that looks on: the bench of a hall, its times compressed."""

from dataclasses import replace

from deploy.bench import hall
from deploy.bench.air import CLEAR, Weather

SHORT = replace(hall.TRIAL, phones=40, outage=3.0, afterwards=Weather(0.1, 0.3))


def test_every_game_of_forty_phones_arrives_once_and_in_order_after_an_outage(stage):
    said: list[str] = []
    counts = hall.outage(stage, SHORT, said.append)
    print(f"{counts.requests} requests, {counts.lost} lost on the way, {counts.applied} games applied")
    assert counts.lost > 0, "nothing was lost, so nothing was tried"
    assert counts.requests > counts.entered
    assert (counts.missing, counts.twice_or_unknown, counts.disordered) == (0, 0, 0)
    assert counts.applied == counts.entered
    assert (counts.posted, counts.matches) == (20, 20)
    assert said[1] == "no network for 3 s"
    figures, numbers = hall.crowd(stage, hall.TRIAL, said.append)
    assert (numbers["streams broken"], numbers["never seen"]) == (0, 0)
    assert figures["seen"].count == numbers["results"] * numbers["spectators"] == 50


def test_a_bench_that_misses_a_game_says_so():
    counts = hall.Counts(entered=3, applied=2, missing=1, matches=1, posted=1)
    assert not counts.is_whole
    assert hall.Counts(entered=3, applied=3, matches=1, posted=1).is_whole
    assert CLEAR.loss == 0
