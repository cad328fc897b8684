"""Decides whether an entry that withdraws gives up its place in a play-off. Reads only.

The answer is stored with the withdrawal, so later results do not change it.
"""

from dataclasses import replace

from django.utils import timezone

from tournament.brackets import storage
from tournament.models import Entry, Feed

GAVE_UP_PLACE = "gave_up_place"
"""The key in the journal."""


def gives_up_place(entry: Entry) -> bool:
    """True if the next of the group can still move up: no match that would change players has begun."""
    tournament = entry.tournament
    if not Feed.objects.filter(bracket__tournament=tournament).exists():
        return False
    sheet = storage.read(tournament)
    facts = sheet.facts
    without_entry = facts._replace(withdrawn={**facts.withdrawn, entry.pk: timezone.now().timestamp()})
    moving_up = without_entry._replace(without_place={*facts.without_place, entry.pk})
    changed = storage.pairings_with_other_players(replace(sheet, facts=without_entry), moving_up)
    begun = storage.pairings_under_way(tournament) | set(facts.decisions)
    return not changed & begun
