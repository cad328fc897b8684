"""Deeds with money that many tests need."""

from tournament.access.actors import Actor
from tournament.fees.schedule import EventFees, FeeSchedule
from tournament.models import Event, Tournament
from tournament.money import fees
from tournament.money.fees import FeeChange


def change_fees(tournament: Tournament, schedule: FeeSchedule, actor: Actor) -> FeeChange:
    """Confirms what the preview shows."""
    shown = fees.preview_schedule(tournament, schedule)
    return fees.set_schedule(tournament.pk, schedule, actor, shown.digest)


def change_event_fees(event: Event, prices: EventFees, actor: Actor) -> FeeChange:
    """Confirms what the preview shows."""
    shown = fees.preview_event_fees(event, prices)
    return fees.set_event_fees(event, prices, actor, shown.digest)
