"""Waiting for what other processes do: as long as it takes, but not for ever."""

import time
from collections.abc import Callable

from tests.flows.stage import Stage
from tournament.models import Result

LONGEST, BETWEEN = 60.0, 0.05


def until(happened: Callable[[], object], what: str, stage: Stage | None = None) -> None:
    """Returns once it has happened; fails with `what` when it does not, or when a part of the stage ends by itself."""
    ends = time.monotonic() + LONGEST
    while not happened():
        dead = [part.name for part in stage.started if not part.is_running] if stage else []
        assert dead == [], f"{what}: {', '.join(dead)} ended"
        assert time.monotonic() < ends, f"{what}: not in {LONGEST:.0f} s"
        time.sleep(BETWEEN)


def until_all_advanced(stage: Stage) -> None:
    """Returns when no result waits for a worker; inside the stage's database."""
    until(lambda: not Result.objects.filter(advanced_at__isnull=True).exists(), "results are advanced", stage)
