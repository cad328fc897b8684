"""The cache of forecasts: concurrent requests share a computation that started after they arrived."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
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
        if cache._slots["event"].waiting == waiting:
            return
        pause.wait(0.01)
    raise AssertionError("The requests do not wait.")


def test_requests_during_a_computation_share_the_next_one() -> None:
    clock = count()
    cache, computation = SharedCache(lambda: float(next(clock))), Computation()
    assert cache.get("event", computation) == 1
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(cache.get, "event", computation)
        assert computation.is_blocked.wait(SECONDS)
        others = [threads.submit(cache.get, "event", computation) for _ in range(MOST_WAITING - 1)]
        wait_for_requests(cache, MOST_WAITING)
        assert cache.get("event", computation) == 1, "more requests would occupy every thread"
        assert cache.get("another event", lambda _: 7) == 7
        clock = count(OLDEST_SECONDS + 10)
        others.append(threads.submit(cache.get, "event", computation))
        wait_for_requests(cache, 1 + MOST_WAITING)  # too old to be returned
        computation.may_finish.set()
        assert first.result(SECONDS) == 2
        assert {request.result(SECONDS) for request in others} == {3}, (
            "a value computed before a request is too old for it"
        )
    assert (computation.calls, cache._slots["event"].waiting) == (3, 0)


def test_a_computation_can_build_on_the_cached_value() -> None:
    cache: SharedCache[int] = SharedCache()
    assert cache.get("event", lambda before: 200) == 200
    assert cache.get("event", lambda before: (before or 0) + 1) == 201


def test_the_values_of_the_last_keys_are_kept() -> None:
    cache: SharedCache[int] = SharedCache()
    for number in (*range(MOST_CACHED), 0, MOST_CACHED):
        cache.get(number, lambda before: before or 300)
    assert cache.get(0, lambda before: before or 0) == 300
    assert cache.get(1, lambda before: before or 0) == 0
