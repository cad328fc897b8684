"""The Celery beat scheduler of the sweep. It uses the monotonic clock.

Celery's scheduler uses the time of day. If somebody set the clock back, the sweep would stop for that time, and
results whose message was lost would not advance.
"""

import time
from typing import Any

from celery.beat import Scheduler
from django.conf import settings


class SweepScheduler(Scheduler):
    """Sends all scheduled tasks every SWEEP_SECONDS. Stores no state."""

    _next_sweep = 0.0

    def setup_schedule(self) -> None:
        self.merge_inplace(self.app.conf.beat_schedule)

    def tick(self, *_: Any, **__: Any) -> float:
        """Sends the tasks if they are due. Returns the seconds until the next tick."""
        now = time.monotonic()
        if now >= self._next_sweep:
            self._next_sweep = now + settings.SWEEP_SECONDS
            for entry in self.schedule.values():
                self.apply_entry(entry, producer=self.producer)
        return float(max(0.0, self._next_sweep - time.monotonic()))
