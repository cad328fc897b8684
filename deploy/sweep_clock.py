"""The clock of the sweep: every few seconds, whatever is done to the clock on the wall.

Celery's own goes by the time of day. Where somebody puts that back, it would wait until the time comes again, hours
perhaps, and nobody would find what a lost message left behind.
"""

import time
from typing import Any

from celery.beat import Scheduler
from django.conf import settings


class SweepScheduler(Scheduler):
    """Sends whatever is on the schedule every SWEEP_SECONDS; keeps nothing."""

    _next_sweep = 0.0

    def setup_schedule(self) -> None:
        self.merge_inplace(self.app.conf.beat_schedule)

    def tick(self, *_: Any, **__: Any) -> float:
        """Sends what is due; returns the seconds until it has to be asked again."""
        now = time.monotonic()
        if now >= self._next_sweep:
            self._next_sweep = now + settings.SWEEP_SECONDS
            for entry in self.schedule.values():
                self.apply_entry(entry, producer=self.producer)
        return float(max(0.0, self._next_sweep - time.monotonic()))
