"""Screens of an event: their links, and the event's own slides."""

import uuid

from django.db import models
from django.db.models import Q

from tournament.models.events import Event

MOST_PICTURE_BYTES = 2 * 1024 * 1024


class DisplayLink(models.Model):
    """The read-only link of one screen. `plan`: kinds of slides and their seconds (`screens.plan`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="display_links")
    label = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    plan = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]


class Slide(models.Model):
    """A slide of the event's own: a text, a re-encoded picture, or both."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="slides")
    position = models.PositiveIntegerField()
    text = models.CharField(max_length=200, blank=True, default="")
    picture = models.BinaryField(default=bytes)
    picture_size = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["position", "made_at"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(text="") | Q(picture_size__gte=1), name="slide_shows_something"
            ),
            models.CheckConstraint(
                condition=Q(picture_size__lte=MOST_PICTURE_BYTES), name="slide_picture_size_in_range"
            ),
        ]
