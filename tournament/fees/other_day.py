"""Fees of an event on another day: their days move with it. Pure."""

from dataclasses import replace
from datetime import timedelta

from tournament.fees.schedule import FeeSchedule


def moved_by(schedule: FeeSchedule, later: timedelta) -> FeeSchedule:
    """The schedule with the last day before the late fee, and the last days of refunds, later by whole days."""
    return replace(
        schedule,
        late_after=schedule.late_after + later if schedule.late_after else None,
        refunds=tuple(replace(tier, until=tier.until + later) for tier in schedule.refunds),
    )
