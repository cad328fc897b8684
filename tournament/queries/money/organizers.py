"""Organizers of events: those that an owner chooses from, and their events. Reads only."""

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.fees.amounts import Amount
from tournament.ledger.balances import balances_of
from tournament.models import AccountKind, Event, LedgerAccount, Organizer


@dataclass(frozen=True, slots=True)
class YearlyPot:
    """The sums that fees and prizes of an organizer's events put aside in a year; one amount for each currency."""

    year: int
    amounts: tuple[Amount, ...]
    events: int


def organizers_of(actor: Actor, event: Event) -> list[Organizer]:
    """Returns the organizers of the user, without the one of the event. A token of one event sees none."""
    if actor.only_event is not None:
        return []
    return [row for row in Organizer.objects.filter(owner=actor.user) if row.pk != event.organizer_id]


def events_of_year(event: Event, year: int, actor: Actor) -> list[Event]:
    """Returns the events of an event's organizer that begin in the year, by day, if the actor may see their money."""
    rows = Event.objects.filter(organizer=event.organizer_id, starts_on__year=year)
    rows = rows.order_by("starts_on", "name")
    readable = _events_with_money(actor)
    return [row for row in rows if row.pk in readable]


def yearly_pots(event: Event, actor: Actor) -> list[YearlyPot]:
    """Returns the yearly pots of an event's organizer, last year first, of events whose money the actor may see."""
    accounts = LedgerAccount.objects.filter(
        kind=AccountKind.YEARLY_POT,
        event__organizer=event.organizer_id,
        event__deleted_at__isnull=True,
        event__in=_events_with_money(actor),
    ).select_related("event")
    balances = balances_of(accounts)
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    events: dict[int, set[Event]] = defaultdict(set)
    for account in accounts:
        if balances.get(account.pk):
            year = account.event.starts_on.year
            sums[year][account.currency] -= balances[account.pk]
            events[year].add(account.event)
    return [
        YearlyPot(
            year,
            tuple(Amount(minor, currency) for currency, minor in sorted(sums[year].items())),
            len(events[year]),
        )
        for year in sorted(sums, reverse=True)
    ]


def _events_with_money(actor: Actor) -> set[uuid.UUID]:
    """The events whose money the actor may see, by one statement for all of them. Also events in the bin."""
    return {
        pk
        for pk, role in permissions.roles_by_event(actor).items()
        if Capability.MONEY in permissions.CAPABILITIES.get(role, frozenset())
    }


def owns_organizer(event: Event, actor: Actor) -> bool:
    return (
        event.organizer is not None and actor.user is not None and event.organizer.owner_id == actor.user.pk
    )
