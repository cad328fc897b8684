"""Keeps `Entry.is_paid` true exactly for players who owe nothing, in tournaments with fees."""

import uuid
from collections.abc import Collection

from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import Book
from tournament.models import Entry


def mark_paid_entries(book: Book, players: Collection[uuid.UUID]) -> None:
    """Call it in the transaction that charges these players or takes their money."""
    amounts = open_amounts(book.event.pk, players)
    owing = [pk for pk in players if any(minor > 0 for minor in amounts.get(pk, {}).values())]
    rows = Entry.objects.filter(player__in=players)
    entries = rows if book.event.fees else rows.exclude(tournament__fees={})
    entries.filter(player__in=owing, is_paid=True).update(is_paid=False)
    entries.exclude(player__in=owing).filter(is_paid=False).update(is_paid=True)
