"""The slides of an event's own: words, a picture or both; added, moved and taken away."""

import uuid
from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, Slide
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.images import redraw_picture
from tournament.screens.display_links import tell

MOST_SLIDES = 20


def slides_of(event: Event) -> list[Slide]:
    """In their order, without the bytes of the pictures."""
    return list(Slide.objects.defer("picture").filter(event=event))


def slide_in(event: Event, slide_id: uuid.UUID) -> Slide:
    """A slide of this event with its picture; raises NotFound."""
    found = Slide.objects.filter(event=event, pk=slide_id).first()
    if found is None:
        raise NotFound
    return found


def add_slide(event: Event, text: str, sent: bytes, actor: Actor) -> Slide:
    """One more at the end; `sent` is a picture as it came, or nothing. Raises Refused where neither shows anything."""
    words = " ".join(text.split())
    if not words and not sent:
        raise Refused("empty-slide", "Write some words for the slide, or choose a picture.")
    picture = redraw_picture(sent) if sent else b""
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        there = slides_of(event)
        if len(there) >= MOST_SLIDES:
            raise Refused(
                "too-many-slides", "There are {most} slides already. Take one away first.", most=MOST_SLIDES
            )
        slide = Slide.objects.create(
            event=event,
            position=there[-1].position + 1 if there else 1,
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
        tell(event.pk)
    return slide


def move_slide_up(event: Event, slide_id: uuid.UUID, actor: Actor) -> None:
    """Changes places with the one before it; the first one stays."""
    _move(event, slide_id, actor, lambda at: at - 1)


def move_slide(event: Event, slide_id: uuid.UUID, place: int, actor: Actor) -> None:
    """To this place, counted from 1; beyond the last one it is the last. To where it stands changes nothing."""
    _move(event, slide_id, actor, lambda _at: place - 1)


@transaction.atomic
def _move(event: Event, slide_id: uuid.UUID, actor: Actor, to: Callable[[int], int]) -> None:
    Event.objects.select_for_update().get(pk=event.pk)
    there = slides_of(event)
    at = next((at for at, one in enumerate(there) if one.pk == slide_id), None)
    if at is None:
        raise NotFound
    place = min(max(0, to(at)), len(there) - 1)
    if place == at:
        return
    there.insert(place, there.pop(at))
    for position, one in enumerate(there, start=1):
        Slide.objects.filter(pk=one.pk).update(position=position)
    journal.write(event, actor, JournalEntry("move slide", "slide", slide_id))
    tell(event.pk)


@transaction.atomic
def take_slide_away(event: Event, slide_id: uuid.UUID, actor: Actor) -> None:
    """Taking it away again changes nothing."""
    gone, _ = Slide.objects.filter(event=event, pk=slide_id).delete()
    if gone:
        journal.write(event, actor, JournalEntry("take slide away", "slide", slide_id))
        tell(event.pk)
