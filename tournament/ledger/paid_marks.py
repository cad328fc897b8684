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
    marks = list(entries.values_list("pk", "is_paid"))
    now_unpaid = [pk for pk, is_paid in marks if is_paid and pk in unpaid]
    now_paid = [pk for pk, is_paid in marks if not is_paid and pk not in unpaid]
    Entry.objects.filter(pk__in=now_unpaid).update(is_paid=False)
    Entry.objects.filter(pk__in=now_paid).update(is_paid=True)
