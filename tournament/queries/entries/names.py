"""Loads names of entries, the public entry list, and the names to choose from on the poster page. Reads only."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from tournament.access.tournament_lists import is_listed
from tournament.models import Entry, Event, Tournament
from tournament.models.entries import name_of_entry
from tournament.runtime.name_search import sort_key


class Entrant(NamedTuple):
    """The public data of an entry in brackets and standings. `name` ends in "(2)" for a player's second entry."""

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


ENTRANT_FIELDS = (
    "pk", "number", "player__name", "player__country", "player__club", "player__team", "seed", "withdrawn_at",
)  # fmt: skip


def entrants_by_id(tournaments: Sequence[Tournament]) -> dict[uuid.UUID, Entrant]:
    """Returns the public data of all entries of these tournaments of one event. Runs one statement."""
    shows_clubs = not any(tournament.event.shows_initials for tournament in tournaments)
    rows = Entry.objects.filter(tournament__in=tournaments).values_list(*ENTRANT_FIELDS)
    return {
        entry: Entrant(
            entry,
            name_of_entry(name, number),
            country,
            club if shows_clubs else "",
            team if shows_clubs else "",
            *more,
        )
        for entry, number, name, country, club, team, *more in rows
    }


def names_by_id(entries: QuerySet[Entry]) -> dict[uuid.UUID, str]:
    """Returns the names of these entries by id. Runs one statement."""
    rows = entries.values_list("pk", "player__name", "number")
    return {pk: name_of_entry(name, number) for pk, name, number in rows}


def entry_names(tournament: Tournament) -> dict[uuid.UUID, str]:
    return names_by_id(Entry.objects.filter(tournament=tournament))


def list_entries(tournament: Tournament) -> list[Entry]:
    """Returns all entries by name, withdrawn ones included."""
    entries = tournament.entries.select_related("player")
    return sorted(entries, key=lambda entry: sort_key(entry.player.name))


def list_active_entries(tournament: Tournament) -> list[Entry]:
    """Returns the entries that are not withdrawn, in the database's order of names."""
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    return list(entries.select_related("player").order_by("player__name", "number"))


def list_selectable_entries(event: Event) -> list[Entry]:
    """Returns the entries of the listed tournaments that are not withdrawn, by tournament, then by name."""
    entries = Entry.objects.filter(
        is_listed("tournament"), tournament__event=event, withdrawn_at__isnull=True
    )
    related = entries.select_related("player", "tournament__event")
    return sorted(related, key=lambda entry: (entry.tournament.created_at, sort_key(entry.player.name)))


def find_selectable_entry(event: Event, entry_id: uuid.UUID) -> Entry | None:
    """Returns the entry with this id if `list_selectable_entries` would contain it."""
    entries = Entry.objects.select_related("player", "tournament")
    listed = entries.filter(is_listed("tournament"), tournament__event=event, withdrawn_at__isnull=True)
    return listed.filter(pk=entry_id).first()
