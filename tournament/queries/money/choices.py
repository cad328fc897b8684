"""Entries of a tournament in the order of names, for their prices and side pools. Reads only."""

from tournament.models import Entry, Tournament
from tournament.runtime.name_search import sort_key


def entries_by_name(tournament: Tournament) -> list[Entry]:
    """The entries that did not withdraw, with their players."""
    rows = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    return sorted(rows.select_related("player"), key=lambda entry: sort_key(entry.registered_name))
