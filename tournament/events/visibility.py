"""Hides events from public lists and lists them again. For administrators."""

from django.db import transaction

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event


@transaction.atomic
def set_listed(event: Event, *, is_listed: bool, actor: Actor) -> None:
    """A hidden event keeps its address and stays in the lists of its members."""
    if Event.objects.filter(pk=event.pk).exclude(is_listed=is_listed).update(is_listed=is_listed):
        verb = "list event" if is_listed else "hide event"
        journal.write(event, actor, JournalEntry(verb, "event", event.pk))
