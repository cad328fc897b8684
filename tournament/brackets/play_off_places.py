"""Decides whether an entry that withdraws gives up its place in a play-off. Reads only.

The answer is kept with the withdrawal, so results that come in later do not change it.
"""

from dataclasses import replace

from django.utils import timezone

from tournament.brackets import storage
from tournament.models import Entry, Feed

GAVE_UP_PLACE = "gave_up_place"
"""The key under which the journal keeps it."""


def gives_up_place(entry: Entry) -> bool:
    """Whether the next of the group can still move up, because no match has begun that would get other players."""
    tournament = entry.tournament
    if not Feed.objects.filter(bracket__tournament=tournament).exists():
        return False
    sheet = storage.read(tournament)
    facts = sheet.facts
    gone = facts._replace(withdrawn={**facts.withdrawn, entry.pk: timezone.now().timestamp()})
    moving_up = gone._replace(without_place={*facts.without_place, entry.pk})
    changed = storage.pairings_with_other_players(replace(sheet, facts=gone), moving_up)
    begun = storage.pairings_under_way(tournament) | set(facts.decisions)
    return not changed & begun
