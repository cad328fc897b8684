"""The clock of the sweep: every few seconds, whatever is done to the clock on the wall."""

from datetime import datetime

from celery.schedules import schedstate, schedule


class Steady(schedule):
    """A schedule that is due when its last time lies in the future: somebody put the clock back.

    Celery would wait until that time comes again, hours perhaps, and nobody would find what a lost message left.
    """

    def is_due(self, last_run_at: datetime) -> schedstate:
        if self.maybe_make_aware(last_run_at) > self.now():
            return schedstate(is_due=True, next=self.seconds)
        return super().is_due(last_run_at)
