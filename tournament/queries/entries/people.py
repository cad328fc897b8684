"""The players of an event with their tournaments. Reads only."""

import uuid
from collections import defaultdict
from dataclasses import dataclass

from tournament.models import Entry, Event, Player
from tournament.runtime.name_search import sort_key


@dataclass(frozen=True, slots=True)
class EventPlayer:
    pk: uuid.UUID
    name: str
    club: str
    tournaments: tuple[str, ...]
    tournament_ids: frozenset[uuid.UUID]


def players_of_event(event: Event) -> dict[uuid.UUID, EventPlayer]:
    """Returns the players who are entered in a tournament that is not in the bin, by name."""
    entered: dict[uuid.UUID, dict[uuid.UUID, str]] = defaultdict(dict)
    entries = Entry.objects.filter(tournament__event=event, tournament__deleted_at__isnull=True)
    entries = entries.order_by("entered_at")
    for player_id, tournament_id, name in entries.values_list("player", "tournament", "tournament__name"):
        entered[player_id][tournament_id] = name
    players = Player.objects.filter(event=event, removed_at__isnull=True, pk__in=entered)
    rows = [
        EventPlayer(
            player.pk,
            player.registered_name,
            player.club,
            tuple(entered[player.pk].values()),
            frozenset(entered[player.pk]),
        )
        for player in players
    ]
    return {row.pk: row for row in sorted(rows, key=lambda row: sort_key(row.name))}


def first_entry(player_id: uuid.UUID) -> Entry | None:
    """Returns the player's first entry with its tournament, if one is in a tournament that is not in the bin."""
    rows = Entry.objects.filter(player=player_id, tournament__deleted_at__isnull=True)
    return rows.select_related("tournament").order_by("entered_at").first()
