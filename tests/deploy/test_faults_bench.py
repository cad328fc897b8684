"""What the bench of faults makes of its counts; that it hurts and heals is shown by the flow that uses the same."""

from random import Random

from deploy.bench.faults import harm
from deploy.bench.faults.replay import Account
from deploy.bench.faults.running import NOTHING, Row, in_any_order
from deploy.bench.faults.told import FaultsTold, as_text

FIRST, SECOND = Account(20, 3, 12, 12, 0, 0), Account(50, 9, 26, 25, 1, 0)


def told_of(*waves: tuple[Account, Account], wrong: str = "") -> FaultsTold:
    row = Row()
    for now, before in waves:
        row.add(now, before, recovered=1.25, lines=2)
    told = FaultsTold("a machine", "today", seed=1, minutes=1)
    told.rows["SQLite"] = {"a worker is killed": row}
    told.wrong = {"SQLite": wrong} if wrong else {}
    return told


def test_a_wave_counts_what_came_since_the_one_before_it():
    text = as_text(told_of((FIRST, NOTHING)))
    assert (
        "a worker is killed      1        20        3            12       12     0      0          1.2      2"
        in text
    )
    assert text.endswith("Mark: met (12 acknowledged, 12 applied, 0 lost, 0 twice)")


def test_what_is_lost_or_differs_is_said_and_kept():
    told = told_of((FIRST, NOTHING), (SECOND, FIRST))
    assert as_text(told).endswith("Mark: MISSED (26 acknowledged, 25 applied, 1 lost, 0 twice)")
    assert told.as_json()["databases"]["SQLite"]["a worker is killed"]["lost"] == 1
    differs = told_of((FIRST, NOTHING), wrong="The bracket differs from a rebuild")
    assert as_text(differs).endswith("WRONG: The bracket differs from a rebuild")


def test_each_fault_comes_as_often_as_any_other_and_in_the_same_order_for_the_same_number():
    faults = harm.faults(None)
    order = in_any_order(faults, Random(3))
    twice = [next(order) for _ in range(2 * len(faults))]
    again = in_any_order(faults, Random(3))
    assert sorted(one.__name__ for one in twice) == sorted(2 * [one.__name__ for one in faults])
    assert twice == [next(again) for _ in twice]
