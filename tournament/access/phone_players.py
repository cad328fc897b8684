"""Finds the players that a phone acts for. A personal link is valid for all entries of its player in a tournament.

A player who enters again keeps using the same phone. A link never opens the entry of another player. Reads only.
"""

import uuid
from collections.abc import Iterable, Sequence

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Entry, Pairing, PersonalLink

PlayerKey = tuple[uuid.UUID, uuid.UUID]


def players_of_tokens(tokens: Sequence[str]) -> list[Actor]:
    """Returns the players of the open links, in the order of the tokens; of one player the newest entry first."""
    links = permissions.open_links(tokens)
    reentries = _reentries(links)
    actors: dict[uuid.UUID, Actor] = {}
    for link in links:
        for entry in reentries.get(_player_key(link.entry), [link.entry]):
            actors.setdefault(entry.pk, Actor(link=link, other_entry=None if entry == link.entry else entry))
    return list(actors.values())


def open_pairing_of(entry: Entry) -> Pairing | None:
    """Returns a pairing of the entry whose match is not decided, with its match and round."""
    pairings = Pairing.objects.filter(settled="", match__isnull=False).select_related("match", "round")
    return pairings.filter(left=entry).first() or pairings.filter(right=entry).first()


def _player_key(entry: Entry) -> PlayerKey:
    return entry.tournament_id, entry.player_id


def _reentries(links: Iterable[PersonalLink]) -> dict[PlayerKey, list[Entry]]:
    """Returns all entries of players in tournaments with re-entry, the newest first."""
    keys = {_player_key(link.entry) for link in links if link.entry.tournament.reentry}
    if not keys:
        return {}
    entries = Entry.objects.select_related("player", "tournament__event").filter(
        tournament__in={tournament for tournament, _ in keys}, player__in={player for _, player in keys}
    )
    by_player: dict[PlayerKey, list[Entry]] = {}
    for entry in entries.order_by("-number"):
        if _player_key(entry) in keys:
            by_player.setdefault(_player_key(entry), []).append(entry)
    return by_player
