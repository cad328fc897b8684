"""Keeps `Entry.is_paid` true exactly for entries whose charges are paid, in tournaments with fees."""

import uuid
from collections.abc import Collection

from tournament.ledger.recording import Book
from tournament.ledger.unpaid_charges import unpaid_charges
from tournament.models import Entry


def mark_paid_entries(book: Book, players: Collection[uuid.UUID]) -> None:
    """Call it in the transaction that charges these players or takes their money."""
    unpaid = {row.entry for row in unpaid_charges(book.event.pk, players) if row.entry}
    rows = Entry.objects.filter(player__in=players)
    entries = rows if book.event.fees else rows.exclude(tournament__fees={})
    entries.filter(pk__in=unpaid, is_paid=True).update(is_paid=False)
    entries.exclude(pk__in=unpaid).filter(is_paid=False).update(is_paid=True)
