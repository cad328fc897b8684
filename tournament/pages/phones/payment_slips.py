"""Printed payment codes of players who have something to pay, beside their slips. For people with Capability.MONEY."""

import uuid
from collections.abc import Iterable, Sequence

from tournament.fees.amounts import Amount
from tournament.ledger.balances import open_amounts
from tournament.models import Entry, Event
from tournament.queries.entries.entry_list import EntryLine
from tournament.web.payment_ways import PaymentWays, payment_ways


def are_payments_open(event: Event, lines: Iterable[EntryLine]) -> bool:
    """True if one of these players has something to pay, and the organizer a bank account or a payment link."""
    organizer = event.organizer
    if organizer is None or not (organizer.iban or organizer.payment_link):
        return False
    amounts = open_amounts(event.pk, [line.entry.player_id for line in lines])
    return any(minor > 0 for owed in amounts.values() for minor in owed.values())


def payment_ways_of(event: Event, entries: Sequence[Entry]) -> dict[uuid.UUID, list[PaymentWays]]:
    """By the player's id; for each currency in which something is open."""
    players = {entry.player_id: entry.player for entry in entries}
    return {
        pk: [
            way
            for currency, minor in owed.items()
            if minor > 0 and (way := payment_ways(event, players[pk], Amount(minor, currency)))
        ]
        for pk, owed in open_amounts(event.pk, list(players)).items()
    }
