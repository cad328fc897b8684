"""Publishes and hides events and tournaments, archives tournaments, and lists events for administrators."""

import uuid
from dataclasses import replace

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Bracket, Event, Tournament, Visibility
from tournament.occupancy.releasing import release_tables_of_tournament
from tournament.runtime import publish


@transaction.atomic
def set_visibility(place: Event | Tournament, visibility: Visibility, actor: Actor) -> None:
    """Changes who may see the event or the tournament. Open pages are fetched again. Idempotent."""
    rows = _rows(place)
    before = rows.values_list("visibility", flat=True).get()
    if before == visibility:
        return
    rows.update(visibility=visibility)
    entry = replace(
        _entry("change visibility", place),
        before={"visibility": before},
        after={"visibility": visibility.value},
    )
    journal.write(place, actor, entry)
    publish_brackets(place)


@transaction.atomic
def make_new_key(place: Event | Tournament, actor: Actor) -> None:
    """Makes a new secret key: addresses with the old key stop working."""
    _rows(place).update(key_number=F("key_number") + 1)
    journal.write(place, actor, _entry("make new address", place))
    publish_brackets(place)


@transaction.atomic
def set_archived(tournament: Tournament, *, is_archived: bool, actor: Actor) -> None:
    """An archived tournament leaves the lists of its event, the screens and the room: its tables are free.

    Idempotent. Calls that ended stay ended.
    """
    rows = Tournament.objects.filter(pk=tournament.pk, archived_at__isnull=is_archived)
    if rows.update(archived_at=timezone.now() if is_archived else None):
        verb = "archive tournament" if is_archived else "take out of archive"
        journal.write(tournament, actor, _entry(verb, tournament))
        publish_brackets(tournament)
        if is_archived:
            release_tables_of_tournament(tournament)


@transaction.atomic
def set_listed(event: Event, *, is_listed: bool, actor: Actor) -> None:
    """A hidden event keeps its address and stays in the lists of its members."""
    if Event.objects.filter(pk=event.pk).exclude(is_listed=is_listed).update(is_listed=is_listed):
        verb = "list event" if is_listed else "hide event"
        journal.write(event, actor, JournalEntry(verb, "event", event.pk))


def publish_brackets(place: Event | Tournament) -> None:
    """After the commit, pages of these brackets are fetched again and shared copies of them are dropped."""
    path = "tournament" if isinstance(place, Tournament) else "tournament__event"
    brackets = Bracket.objects.filter(**{path: place})
    channels: dict[uuid.UUID, int] = dict.fromkeys(brackets.values_list("pk", flat=True), 0)
    transaction.on_commit(lambda: publish.publish_changes(channels), robust=True)


def _rows(place: Event | Tournament) -> QuerySet[Event] | QuerySet[Tournament]:
    model = Tournament if isinstance(place, Tournament) else Event
    return model.objects.filter(pk=place.pk)


def _entry(verb: str, place: Event | Tournament) -> JournalEntry:
    return JournalEntry(verb, "tournament" if isinstance(place, Tournament) else "event", place.pk)
