"""Game records that take long to check delay no result: one worker takes results only. So the flow could fail."""

from collections.abc import Callable

from matches.models import GameRecord, Match
from tests.flows.hall import open_hall
from tests.flows.test_lost_messages import a_long_evening
from tests.flows.test_records import bring, state_of
from tests.flows.waiting import until
from tournament.models import Result


def advanced(results: int) -> Callable[[], bool]:
    return lambda: Result.objects.filter(advanced_at__isnull=False).count() == results


def busy(workers: int) -> Callable[[], bool]:
    return lambda: GameRecord.objects.filter(busy_until__isnull=False).count() >= workers


def test_a_backlog_of_slow_records_does_not_delay_a_result(new_stage):
    stage = new_stage(SWEEP="off")
    stage.start_web()
    hall = open_hall(stage, entries=16)
    first, second, *slow = hall.open_matches()[:5]
    stage.start_worker("results", queues="celery")
    hall.play(first)
    left, right = hall.phone(second.left), hall.phone(second.right)
    tail = left.enter(second.match, hall.games_of(second))
    evening = a_long_evening()
    with stage.database():
        until(advanced(1), "the worker for results has started", stage)
        Match.objects.filter(pk__in=[table.match for table in slow]).update(length=None)
        backlog = [bring(hall, table, evening + b"\n" * more)["id"] for table in slow for more in (0, 1)]
        everything = stage.start_worker("everything")
        until(busy(1), "a record is being checked", stage)
        right.confirm(second.match, tail)
        until(advanced(2), "the result is advanced", stage)
        assert "waiting" in {state_of(record) for record in backlog}, "the result was before the last record"
    stage.kill(everything)  # it would finish its record first
