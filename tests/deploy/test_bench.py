"""Reports of the benches, and small runs of the benches that need no installation."""

from dataclasses import replace
from io import StringIO
from random import Random

import pytest

from deploy.bench.events import EventsReport, Load, Sizes
from deploy.bench.events import as_text as events_as_text
from deploy.bench.faults import scenarios
from deploy.bench.faults.event import Reconciliation
from deploy.bench.faults.report import NOTHING, FaultCounts, FaultsReport, shuffle_repeatedly
from deploy.bench.faults.report import as_text as faults_as_text
from deploy.bench.figures import Figures
from deploy.bench.formats import stored
from deploy.bench.formats.measures import TRIAL, Measure
from deploy.bench.formats.report import FormatsReport, measure_formats
from deploy.bench.formats.report import as_text as formats_as_text

FIRST, SECOND = Reconciliation(20, 3, 12, 12, 0, 0), Reconciliation(50, 9, 26, 25, 1, 0)


def test_figures_of_a_series():
    figures = Figures.of([number / 1000 for number in range(1, 102)])
    assert (figures.count, figures.p50, figures.p10, figures.p90) == (101, 51.0, 11.0, 91.0)
    assert (figures.p99, figures.longest) == (100.0, 101.0)


def test_an_empty_series_has_no_figures():
    with pytest.raises(ValueError, match="Nothing was measured"):
        Figures.of([])


def test_a_mark_is_met_or_missed_by_the_median_or_by_a_ratio():
    figures = Figures.of([0.010, 0.020, 0.090])
    assert Measure("a draw", figures, mark=20.0).is_met
    assert not Measure("a draw", figures, mark=19.0).is_met
    assert Measure("a draw", figures).is_met is None
    assert not Measure("an advance at 1,024", ratio=1.6, most=1.5).is_met


def test_the_report_of_formats_ends_with_the_missed_marks():
    measures = {"In memory": [Measure("a draw", Figures.of([1.0]), 15.0)]}
    assert formats_as_text(FormatsReport("A machine", "2026-11-21", measures)).endswith(
        "Marks MISSED: a draw"
    )


def test_formats_are_measured_in_memory():
    report = measure_formats((), TRIAL, StringIO())
    (measures,) = report.measures.values()
    assert all(measure.ratio or (measure.figures and measure.figures.p50 > 0) for measure in measures)
    assert {measure.is_met for measure in measures} == {None}
    assert report.missed == []


@pytest.mark.django_db
def test_formats_are_measured_stored():
    measures = stored.measure_all(replace(TRIAL, bracket=16, swiss=(4,), samples=1))
    names = [measure.name for measure in measures if measure.figures and measure.figures.p50 > 0]
    assert "draw of 16, double elimination" in names
    assert "preview of a correction in round 1 of 16" in names
    assert "a Swiss round of 4, paired and stored" in names


def events_report(alone: Load, together: Load) -> EventsReport:
    disks = {"A database": Figures.of([0.001])}
    return EventsReport("A machine", "2026-11-21", Sizes(events=2), {"A database": (alone, together)}, disks)


def test_a_slow_event_misses_its_mark_beside_a_quick_one():
    alone, quick, slow = [0.010] * 20, [0.001] * 20, [0.020] * 20
    report = events_report(Load(100.0, [alone]), Load(120.0, [quick, slow]))
    text = events_as_text(report)
    assert report.loads["A database"][1].slowest_event.p99 == 20.0
    assert "MISSED (p99 of the slowest event 2.00 of one event's, at most 1.5)" in text
    assert "met (posts a second 1.20 of one event's, at least 0.95)" in text
    assert report.as_json()["databases"]["A database"]["all at once"]["all"]["count"] == 40


def test_fewer_posts_a_second_than_one_event_miss_their_mark():
    alone = [0.010] * 20
    report = events_report(Load(100.0, [alone]), Load(90.0, [alone, alone]))
    assert "MISSED (posts a second 0.90 of one event's" in events_as_text(report)


def faults_report(*waves: tuple[Reconciliation, Reconciliation], wrong: str = "") -> FaultsReport:
    counts = FaultCounts()
    for now, before in waves:
        counts.add(now, before, recovered=1.25, lines=2)
    report = FaultsReport("a machine", "today", seed=1, minutes=1)
    report.counts["SQLite"] = {"a worker is killed": counts}
    report.wrong = {"SQLite": wrong} if wrong else {}
    return report


def test_a_wave_counts_only_its_own_requests():
    text = faults_as_text(faults_report((FIRST, NOTHING)))
    cells = (
        "a worker is killed      1        20        3            12       12     0      0          1.2      2"
    )
    assert cells in text
    assert text.endswith("Mark: met (12 acknowledged, 12 applied, 0 lost, 0 twice)")


def test_a_lost_game_misses_the_mark():
    report = faults_report((FIRST, NOTHING), (SECOND, FIRST))
    assert faults_as_text(report).endswith("Mark: MISSED (26 acknowledged, 25 applied, 1 lost, 0 twice)")
    assert report.as_json()["databases"]["SQLite"]["a worker is killed"]["lost"] == 1


def test_a_wrong_state_is_reported_in_place_of_the_mark():
    report = faults_report((FIRST, NOTHING), wrong="The bracket differs from a rebuild")
    assert faults_as_text(report).endswith("WRONG: The bracket differs from a rebuild")


def test_every_fault_comes_equally_often_and_in_the_same_order_for_the_same_seed():
    faults = scenarios.quick_faults(None)
    order = shuffle_repeatedly(faults, Random(3))
    twice = [next(order) for _ in range(2 * len(faults))]
    again = shuffle_repeatedly(faults, Random(3))
    assert sorted(fault.__name__ for fault in twice) == sorted(2 * [fault.__name__ for fault in faults])
    assert twice == [next(again) for _ in twice]
