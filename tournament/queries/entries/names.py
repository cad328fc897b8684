"""What players are called, the public entry list, and the names to choose from at the wall poster. Reads only."""

import uuid
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from matches.statements import CompiledQuery
from tournament.models import Entry, Event, Tournament
from tournament.models.entries import name_of_entry
from tournament.runtime.name_search import sort_key


class Entrant(NamedTuple):
    """An entry as it stands in brackets and tables; `name` says of a second entry of a player that it is one."""

    entry: uuid.UUID
    name: str
    country: str
    club: str
    team: str
    seed: int | None
    withdrawn_at: datetime | None

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None


_entrants_of: CompiledQuery[Any] = CompiledQuery(
    lambda tournament: Entry.objects.filter(tournament=tournament).values_list(
        "pk",
        "number",
        "player__name",
        "player__country",
        "player__club",
        "player__team",
        "seed",
        "withdrawn_at",
    )
)


def entrants_of(tournament: Tournament) -> dict[uuid.UUID, Entrant]:
    """Everybody in a tournament as everybody may see them, in one statement."""
    shows_clubs = not tournament.event.shows_initials
    return {
        entry: Entrant(
            entry,
            name_of_entry(name, number),
            country,
            club if shows_clubs else "",
            team if shows_clubs else "",
            *more,
        )
        for entry, number, name, country, club, team, *more in _entrants_of.all(tournament.pk)
    }


def names_in(entries: QuerySet[Entry]) -> dict[uuid.UUID, str]:
    """What these entries are called, in one statement; a second entry of a player says so."""
    found = entries.values_list("pk", "player__name", "number")
    return {pk: name_of_entry(name, number) for pk, name, number in found}


def names_of(tournament: Tournament) -> dict[uuid.UUID, str]:
    return names_in(Entry.objects.filter(tournament=tournament))


def who_plays(tournament: Tournament) -> list[Entry]:
    """Everybody entered, by name; those who withdrew come with it said on them."""
    entries = tournament.entries.select_related("player")
    return sorted(entries, key=lambda entry: sort_key(entry.player.name))


def names_to_choose(event: Event) -> list[Entry]:
    """Everybody in any of the event's tournaments who has not withdrawn: by tournament, then by name."""
    entries = Entry.objects.filter(tournament__event=event, withdrawn_at__isnull=True)
    related = entries.select_related("player", "tournament__event")
    return sorted(related, key=lambda entry: (entry.tournament.created_at, sort_key(entry.player.name)))


def entry_to_choose(event: Event, entry_id: uuid.UUID) -> Entry | None:
    """The entry of this id, if it can be chosen in this event."""
    entries = Entry.objects.select_related("player", "tournament")
    return entries.filter(pk=entry_id, tournament__event=event, withdrawn_at__isnull=True).first()
