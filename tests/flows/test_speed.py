"""The bench of speed measures what it says, on a stage; and tells it: marks, spreads, what got slower."""

import json

import pytest

from deploy.bench import speed
from deploy.bench.figures import Figures
from deploy.bench.grounds import Ground
from deploy.bench.reading.marks import Rates
from deploy.bench.speed import SpeedTold, slower
from deploy.bench.speed_told import as_text
from deploy.bench.writing import BESIDE_DISK, GAMES, SEEN, SUBMIT, WITHOUT_BROKER, of_size, writing

SIZE = 8


def figures(*milliseconds: float) -> Figures:
    return Figures.of([one / 1000 for one in milliseconds])


def told(kind: str = "sqlite", **figures) -> SpeedTold:
    return SpeedTold("A machine", "2026-11-21", {kind: {**figures}})


def test_results_are_taken_in_and_seen(stage):
    ground, steps = Ground(stage, "the database of this run", stage.broker), []
    wrote = writing(ground, speed.TRIAL.to_write, steps.append)
    stage.broker = stage.start_broker()
    assert len(steps) + len(speed.TRIAL.to_read.entries) + 1 == speed.TRIAL.steps
    assert wrote[of_size(GAMES, SIZE)].count == speed.TRIAL.to_write.passes
    assert wrote[of_size(SUBMIT, SIZE)].count == 8 * 2 * speed.TRIAL.to_write.games
    assert wrote[of_size(SEEN, SIZE)].count == speed.TRIAL.to_write.results
    assert wrote[of_size("  its answer to the player", SIZE)].p50 < wrote[of_size(SEEN, SIZE)].p50
    assert wrote[WITHOUT_BROKER].count == speed.TRIAL.to_write.without_broker
    one = SpeedTold("A machine", "2026-11-21", {"sqlite": wrote}, is_trial=True)
    text = as_text(one, slower(one, json.loads(json.dumps(one.as_json()))))
    assert "MISSED" not in text
    assert "Nothing got slower" in text
    assert text.count("[fsync ") == len(BESIDE_DISK)


def test_a_mark_that_was_missed_is_named_with_its_database():
    fast, slow = figures(9, 10, 11), figures(20, 21, 60)
    one = SpeedTold(
        "A machine",
        "2026-11-21",
        {
            "sqlite": {of_size(GAMES, 64): Rates.a_second([100], 1), of_size(SUBMIT, 64): slow},
            "postgresql": {of_size(GAMES, 64): Rates.a_second([100], 1), of_size(SUBMIT, 64): fast},
        },
        missing={"oracle": "There is none."},
    )
    one.both = speed.beside(one.databases)
    text = as_text(one)
    (against,) = one.both.items()
    assert against == (
        "p99 of a game's submit on SQLite, times PostgreSQL's, 64 entries",
        pytest.approx(5.4, abs=0.1),
    )
    assert f"Marks MISSED: postgresql: {of_size(GAMES, 64)}; both: {against[0]}" in text
    assert text.endswith("Not measured on oracle: There is none.")
    assert as_text(told("sqlite", **{of_size(SEEN, 16): fast})).endswith("Marks: all met that were measured")


def test_only_what_is_worse_beyond_the_spread_of_both_runs_got_slower():
    """Times, numbers a second, and single figures; what was not measured before is not compared."""
    before = told(
        steady=figures(8, 10, 12),
        slow=figures(8, 10, 12),
        quick=figures(8, 10, 12),
        ratio=1.0,
        memory=100.0,
        shrunk=-10.2,
    )
    rates = {"few a second": [90, 100, 110], "many a second": [90, 100, 110]}
    before.databases["sqlite"] |= {name: Rates.a_second(counts, 1) for name, counts in rates.items()}
    now = told(
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
    found = slower(now, json.loads(json.dumps(before.as_json())))
    assert [one.split(": ")[1] for one in found] == ["slow", "memory", "few a second"]
    assert "Slower: sqlite: memory: 100.00 before, 120.00 now" in as_text(now, found)
