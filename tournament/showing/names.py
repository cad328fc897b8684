"""Who plays: the public entry list, and the names to choose from at the wall poster. Reads only."""

import uuid
from dataclasses import dataclass

from tournament.entrylist.cleaning import key
from tournament.models import Entry, Event, Tournament


@dataclass(frozen=True, slots=True)
class Division:
    """A tournament with everybody who is in, by name."""

    tournament: Tournament
    entries: tuple[Entry, ...]


def who_plays(tournament: Tournament) -> list[Entry]:
    """Everybody entered, by name; those who withdrew come with it said on them."""
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    return sorted(entries, key=lambda entry: key(entry.player.name))


def divisions(event: Event) -> list[Division]:
    """Every tournament of the event with who may choose their name: all who have not withdrawn."""
    rows = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=True).select_related("player")
    by_name = sorted(rows, key=lambda entry: key(entry.player.name))
    return [
        Division(tournament, tuple(entry for entry in by_name if entry.tournament_id == tournament.pk))
        for tournament in Tournament.objects.filter(event=event)
    ]


def entry_to_choose(event: Event, entry_id: uuid.UUID) -> Entry | None:
    """The entry of this id, if it can be chosen in this event."""
    entries = Entry.objects.select_related("player", "tournament")
    return entries.filter(pk=entry_id, tournament__event=event, withdrawn_at__isnull=True).first()
