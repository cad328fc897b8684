"""Finds the players that a phone acts for. A personal link is valid for all entries of its player in a tournament.

A player who enters again keeps using the same phone. A link never opens the entry of another player. Reads only.
"""

import uuid
from collections.abc import Sequence

from tournament import sql
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Entry, Pairing


def players_of_tokens(tokens: Sequence[str]) -> list[Actor]:
    """Returns the players of the open links, in the order of the tokens; of one player the newest entry first."""
    actors: dict[uuid.UUID, Actor] = {}
    for link in permissions.open_links(tokens):
        for entry in sql.entries_of_player(link.entry_id):
            if entry.pk == link.entry_id:
                link.entry = entry
            other_entry = None if entry.pk == link.entry_id else entry
            actors.setdefault(entry.pk, Actor(link=link, other_entry=other_entry))
    return list(actors.values())


def open_pairing_of(entry: Entry) -> Pairing | None:
    """Returns a pairing of the entry whose match is not decided, with its match and round."""
    pairings = Pairing.objects.filter(settled="", match__isnull=False).select_related("match", "round")
    return pairings.filter(left=entry).first() or pairings.filter(right=entry).first()
