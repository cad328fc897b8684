"""The reading half of `bench speed`: a small run measures every figure, and limits decide which marks are missed."""

from deploy.bench.figures import Figures, Rates
from deploy.bench.speed import reading
from deploy.bench.speed.reading import IDLE_MEMORY, MARKS, TRIAL
from deploy.bench.temporary import RunningInstallation


def test_the_reading_benchmark_reports_pages_streams_and_memory(stage):
    steps: list[str] = []
    figures = reading.measure(RunningInstallation(stage, "a stage", stage.broker), TRIAL, steps.append)
    assert steps == ["public pages of 16 entries", "10 live streams"]
    assert figures["page 200, a second, 16 entries"].p50 > 0
    assert figures["page 304, a second, 16 entries"].p50 > 0
    assert figures["first view after a change, 16 entries"].count == 2
    assert figures["received by 10 streams"].count == 30
    assert figures["4 results at once, received by 10"].count == 40
    assert figures["never received by 10 streams"] == 0
    assert figures["4 results at once, never received"] == 0


def test_too_few_or_late_answers_miss_the_reading_target():
    late = Figures.of([0.010] * 90 + [0.200] * 10)
    few, many = (Rates.a_second([count] * 3, 0.1) for count in (149, 150))
    assert [mark.is_met(late) for mark in MARKS["received by 1000 streams"]] == [True, False]
    (mark,) = MARKS["page 200, a second, 64 entries"]
    assert (mark.is_met(few), mark.is_met(many)) == (False, True)
    for name, most in ((IDLE_MEMORY, 300.0), ("64 results at once, never received", 0.0)):
        (mark,) = MARKS[name]
        assert (mark.is_met(most), mark.is_met(most + 1)) == (True, False)
    assert str(many) == "median  1,500 a second   (p10 1,500, p90 1,500; 3 tenths of a second)"
