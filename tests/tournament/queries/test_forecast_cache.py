"""The cache of forecasts: concurrent requests share a computation that started after they arrived."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tournament.queries.forecast.cache import MOST_CACHED, MOST_WAITING, OLDEST_SECONDS, SharedCache

SECONDS = 30.0


class Computation:
    """Counts its calls. The second call blocks until `may_finish` is set."""

    def __init__(self) -> None:
        self.calls, self.may_finish, self.is_blocked = 0, Event(), Event()

    def __call__(self, before: int | None) -> int:
        self.calls += 1
        number = self.calls
        if number == 2:
            self.is_blocked.set()
            assert self.may_finish.wait(SECONDS)
        return number


def wait_for_requests(cache: SharedCache, waiting: int) -> None:
    pause = Event()
    for _ in range(3000):
        if len(cache._queues["event"].waiting) == waiting:
            return
        pause.wait(0.01)
    raise AssertionError("The requests do not wait.")


def test_requests_during_a_computation_share_the_next_one() -> None:
    clock = [0.0]
    cache, computation = SharedCache(lambda _: True, lambda: clock[0]), Computation()
    assert cache.get("event", computation) == 1
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(cache.get, "event", computation)
        assert computation.is_blocked.wait(SECONDS)
        others = [threads.submit(cache.get, "event", computation) for _ in range(MOST_WAITING)]
        wait_for_requests(cache, 1 + MOST_WAITING)
        assert cache.get("event", computation) == 1, "more requests would occupy every thread"
        assert cache.get("another event", lambda _: 7) == 7
        clock[0] = OLDEST_SECONDS
        others.append(threads.submit(cache.get, "event", computation))
        wait_for_requests(cache, 2 + MOST_WAITING)  # too old to be returned
        computation.may_finish.set()
        assert first.result(SECONDS) == 2
        assert {other.result(SECONDS) for other in others} == {3}, (
            "a value computed before a request is too old for it"
        )
    assert (computation.calls, cache._queues["event"].waiting) == (3, [])


def test_a_computation_can_build_on_a_large_cached_value() -> None:
    cache: SharedCache[int] = SharedCache(lambda value: value > 100)
    assert cache.get("event", lambda before: 200) == 200
    assert cache.get("event", lambda before: (before or 0) - 199) == 1
    assert cache.get("event", lambda before: -1 if before is None else before) == -1
    for number in range(MOST_CACHED + 1):
        cache.get(number, lambda _: 300)
    assert [cache.get(number, lambda before: before or 300) for number in (1, 0)] == [300, 300]
    assert cache.get(MOST_CACHED, lambda before: -1 if before is None else 0) == 0
