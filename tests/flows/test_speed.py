"""The writing half of `bench speed`, and its report: marks, spreads, comparison with an earlier run."""

import json

import pytest

from deploy.bench.figures import Figures, Rates
from deploy.bench.speed import report as speed
from deploy.bench.speed import writing
from deploy.bench.speed.report import SpeedReport, as_text, slower_figures
from deploy.bench.speed.writing import BESIDE_DISK, GAMES, RECEIVED, SUBMIT, WITHOUT_BROKER, with_size
from deploy.bench.temporary import RunningInstallation

SIZE = 8


def figures(*milliseconds: float) -> Figures:
    return Figures.of([value / 1000 for value in milliseconds])


def report_of(kind: str = "sqlite", **figures) -> SpeedReport:
    return SpeedReport("A machine", "2026-11-21", {kind: {**figures}})


def test_the_speed_benchmark_reports_games_and_results(stage):
    running, steps = RunningInstallation(stage, "the database of this run", stage.broker), []
    written = writing.measure(running, speed.TRIAL.to_write, steps.append)
    stage.broker = stage.start_broker()
    assert len(steps) + len(speed.TRIAL.to_read.entries) + 1 == speed.TRIAL.steps
    assert written[with_size(GAMES, SIZE)].count == speed.TRIAL.to_write.passes
    assert written[with_size(SUBMIT, SIZE)].count == 8 * 2 * speed.TRIAL.to_write.games
    assert written[with_size(RECEIVED, SIZE)].count == speed.TRIAL.to_write.results
    assert written[with_size("  its answer to the player", SIZE)].count == speed.TRIAL.to_write.results
    assert written[WITHOUT_BROKER].count == speed.TRIAL.to_write.without_broker
    report = SpeedReport("A machine", "2026-11-21", {"sqlite": written}, is_trial=True)
    text = as_text(report, slower_figures(report, json.loads(json.dumps(report.as_json()))))
    assert "MISSED" not in text
    assert "Nothing got slower" in text
    assert text.count("[fsync ") == len(BESIDE_DISK)


def test_a_missed_target_is_reported_with_its_database():
    fast, slow = figures(9, 10, 11), figures(20, 21, 60)
    report = SpeedReport(
        "A machine",
        "2026-11-21",
        {
            "sqlite": {with_size(GAMES, 64): Rates.a_second([100], 1), with_size(SUBMIT, 64): slow},
            "postgresql": {with_size(GAMES, 64): Rates.a_second([100], 1), with_size(SUBMIT, 64): fast},
        },
        missing={"oracle": "There is none."},
    )
    report.both = speed.compare_databases(report.databases)
    text = as_text(report)
    (ratio,) = report.both.items()
    assert ratio == (
        "p99 of a game's submit on SQLite, times PostgreSQL's, 64 entries",
        pytest.approx(5.4, abs=0.1),
    )
    assert f"Marks MISSED: postgresql: {with_size(GAMES, 64)}; both: {ratio[0]}" in text
    assert text.endswith("Not measured on oracle: There is none.")
    met = report_of("sqlite", **{with_size(RECEIVED, 16): fast})
    assert as_text(met).endswith("Marks: all met that were measured")


def test_a_figure_is_slower_when_the_change_exceeds_the_spread_of_both_runs():
    """Figures that were not measured before are not compared."""
    before = report_of(
        steady=figures(8, 10, 12),
        slow=figures(8, 10, 12),
        quick=figures(8, 10, 12),
        ratio=1.0,
        memory=100.0,
        shrunk=-10.2,
    )
    rates = {"few a second": [90, 100, 110], "many a second": [90, 100, 110]}
    before.databases["sqlite"] |= {name: Rates.a_second(counts, 1) for name, counts in rates.items()}
    now = report_of(
        steady=figures(9, 11.9, 13),
        slow=figures(11, 13, 14),
        quick=figures(1, 2, 3),
        ratio=1.09,
        memory=120.0,
        shrunk=-10.2,
        new=figures(900),
    )
    now.databases["sqlite"]["few a second"] = Rates.a_second([70, 80, 85], 1)
    now.databases["sqlite"]["many a second"] = Rates.a_second([190, 200, 210], 1)
    slower = slower_figures(now, json.loads(json.dumps(before.as_json())))
    assert [sentence.split(": ")[1] for sentence in slower] == ["slow", "memory", "few a second"]
    assert "Slower: sqlite: memory: 100.00 before, 120.00 now" in as_text(now, slower)
