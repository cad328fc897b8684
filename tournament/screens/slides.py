"""The event's own slides with a text, a picture or both: added, moved and removed."""

import uuid
from collections.abc import Callable

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, Slide
from tournament.refusals.screens import EMPTY_SLIDE, TOO_MANY_SLIDES
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.images import redraw_picture
from tournament.screens.display_links import publish_changes

MOST_SLIDES = 20


def slides_of_event(event: Event) -> list[Slide]:
    """Returns the slides in their order, without the bytes of the pictures."""
    return list(slide_rows(event))


def slide_rows(event: Event) -> QuerySet[Slide]:
    return Slide.objects.defer("picture").filter(event=event)


def slide_of_event(event: Event, slide_id: uuid.UUID) -> Slide:
    """Returns a slide with its picture. Raises NotFound."""
    slide = Slide.objects.filter(event=event, pk=slide_id).first()
    if slide is None:
        raise NotFound
    return slide


def add_slide(event: Event, text: str, uploaded: bytes, actor: Actor) -> Slide:
    """Adds a slide at the end. `uploaded`: bytes of a picture file. Raises Refused if text and picture are empty."""
    words = " ".join(text.split())
    if not words and not uploaded:
        raise Refused(EMPTY_SLIDE)
    picture = redraw_picture(uploaded) if uploaded else b""
    with transaction.atomic():
        lock_event(event.pk)
        existing = slides_of_event(event)
        if len(existing) >= MOST_SLIDES:
            raise Refused(TOO_MANY_SLIDES, most=MOST_SLIDES)
        slide = Slide.objects.create(
            event=event,
            position=existing[-1].position + 1 if existing else 1,
            text=words,
            picture=picture,
            picture_size=len(picture),
            made_at=timezone.now(),
        )
        journal.write(
            event,
            actor,
            JournalEntry("add slide", "slide", slide.pk, after={"text": words, "size": len(picture)}),
        )
        publish_changes(event.pk)
    return slide


def move_slide_up(event: Event, slide_id: uuid.UUID, actor: Actor) -> None:
    """Moves a slide one position up. The first slide stays."""
    _move(event, slide_id, actor, lambda index: index - 1)


def move_slide(event: Event, slide_id: uuid.UUID, position: int, actor: Actor) -> None:
    """Moves a slide to this position, from 1. A position after the last one means the last. Idempotent."""
    _move(event, slide_id, actor, lambda _index: position - 1)


@transaction.atomic
def _move(event: Event, slide_id: uuid.UUID, actor: Actor, to: Callable[[int], int]) -> None:
    lock_event(event.pk)
    existing = slides_of_event(event)
    index = next((index for index, slide in enumerate(existing) if slide.pk == slide_id), None)
    if index is None:
        raise NotFound
    new_index = min(max(0, to(index)), len(existing) - 1)
    if new_index == index:
        return
    existing.insert(new_index, existing.pop(index))
    for position, slide in enumerate(existing, start=1):
        Slide.objects.filter(pk=slide.pk).update(position=position)
    journal.write(event, actor, JournalEntry("move slide", "slide", slide_id))
    publish_changes(event.pk)


@transaction.atomic
def remove_slide(event: Event, slide_id: uuid.UUID, actor: Actor) -> None:
    """Removes a slide. Idempotent."""
    deleted, _ = Slide.objects.filter(event=event, pk=slide_id).delete()
    if deleted:
        journal.write(event, actor, JournalEntry("take slide away", "slide", slide_id))
        publish_changes(event.pk)
