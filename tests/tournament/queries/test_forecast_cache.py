"""Forecasts that take long: who asks at the same time shares one, and is told nothing older than the question."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tournament.queries.forecast.cache import MOST_KEPT, MOST_WAITING, OLDEST_SECONDS, OneAtATime

SECONDS = 30.0


class Work:
    """Counts how often it is done; the one that is stopped waits until it may go on."""

    def __init__(self) -> None:
        self.done, self.goes_on, self.is_at_it = 0, Event(), Event()

    def __call__(self, before: int | None) -> int:
        self.done += 1
        mine = self.done
        if mine == 2:
            self.is_at_it.set()
            assert self.goes_on.wait(SECONDS)
        return mine


def until(shared: OneAtATime, waiting: int) -> None:
    pause = Event()
    for _ in range(3000):
        if len(shared._lines["event"].waiting) == waiting:
            return
        pause.wait(0.01)
    raise AssertionError("They do not wait.")


def test_who_asks_while_a_forecast_is_worked_out_shares_the_next_one() -> None:
    clock = [0.0]
    shared, work = OneAtATime(lambda _: True, lambda: clock[0]), Work()
    assert shared.of("event", work) == 1
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(shared.of, "event", work)
        assert work.is_at_it.wait(SECONDS)
        others = [threads.submit(shared.of, "event", work) for _ in range(MOST_WAITING)]
        until(shared, 1 + MOST_WAITING)
        assert shared.of("event", work) == 1, "more would hold every thread of a node"
        assert shared.of("another event", lambda _: 7) == 7
        clock[0] = OLDEST_SECONDS
        others.append(threads.submit(shared.of, "event", work))
        until(shared, 2 + MOST_WAITING)  # what was told so long ago is told to nobody
        work.goes_on.set()
        assert first.result(SECONDS) == 2
        assert {other.result(SECONDS) for other in others} == {3}, (
            "what came before they asked is too old for them"
        )
    assert (work.done, shared._lines["event"].waiting) == (3, [])


def test_a_forecast_builds_on_what_was_told_before_where_that_was_large() -> None:
    shared: OneAtATime[int] = OneAtATime(lambda told: told > 100)
    assert shared.of("event", lambda before: 200) == 200
    assert shared.of("event", lambda before: (before or 0) - 199) == 1
    assert shared.of("event", lambda before: -1 if before is None else before) == -1
    for number in range(MOST_KEPT + 1):
        shared.of(number, lambda _: 300)
    assert [shared.of(number, lambda before: before or 300) for number in (1, 0)] == [300, 300]
    assert shared.of(MOST_KEPT, lambda before: -1 if before is None else 0) == 0
