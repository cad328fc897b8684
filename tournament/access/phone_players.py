"""Whom a phone acts for: a personal link is a player's in a tournament, whichever of the entries there it was made for.

So whoever enters again goes on with the phone at hand. Reads only; nobody else's entry is ever opened by a link.
"""

import uuid
from collections.abc import Iterable, Sequence

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Entry, PersonalLink

PlayerKey = tuple[uuid.UUID, uuid.UUID]


def players_of_tokens(tokens: Sequence[str]) -> list[Actor]:
    """The players of the open links of these tokens, in their order; of one player the newest entry first."""
    links = permissions.open_links(tokens)
    others = _reentries(links)
    found: dict[uuid.UUID, Actor] = {}
    for link in links:
        for entry in others.get(_player_key(link.entry), [link.entry]):
            found.setdefault(entry.pk, Actor(link=link, other_entry=None if entry == link.entry else entry))
    return list(found.values())


def _player_key(entry: Entry) -> PlayerKey:
    return entry.tournament_id, entry.player_id


def _reentries(links: Iterable[PersonalLink]) -> dict[PlayerKey, list[Entry]]:
    """All entries of those who may have several, the newest first; asked only where there were terms of re-entry."""
    own = {_player_key(link.entry) for link in links if link.entry.tournament.reentry}
    if not own:
        return {}
    entries = Entry.objects.select_related("player", "tournament__event").filter(
        tournament__in={tournament for tournament, _ in own}, player__in={player for _, player in own}
    )
    found: dict[PlayerKey, list[Entry]] = {}
    for entry in entries.order_by("-number"):
        if _player_key(entry) in own:
            found.setdefault(_player_key(entry), []).append(entry)
    return found
