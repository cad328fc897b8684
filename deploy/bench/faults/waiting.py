"""Waiting for what other processes do: as long as it takes, but not for ever."""

import time
from collections.abc import Callable

from deploy.loose_parts import LooseParts
from tournament.models import Result

LONGEST, BETWEEN = 60.0, 0.05


class NotInTime(RuntimeError):
    """It did not happen; the text says what."""


def until(happened: Callable[[], object], what: str, parts: LooseParts | None = None) -> None:
    """Returns once it has happened; raises NotInTime when it does not, or when one of the parts ends by itself."""
    ends = time.monotonic() + LONGEST
    while not happened():
        dead = [part.name for part in parts.started if not part.is_running] if parts else []
        if dead:
            raise NotInTime(f"{what}: {', '.join(dead)} ended")
        if time.monotonic() > ends:
            raise NotInTime(f"{what}: not in {LONGEST:.0f} s")
        time.sleep(BETWEEN)


def until_all_advanced(parts: LooseParts) -> None:
    """Returns when no result waits for a worker; within the database of these parts."""
    until(lambda: not Result.objects.filter(advanced_at__isnull=True).exists(), "results are advanced", parts)
