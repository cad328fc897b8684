"""Screens of an event: their links, the event's own slides, and the link of its kiosk."""

import uuid

from django.db import models
from django.db.models import Q

from tournament.models.events import Event

MOST_PICTURE_BYTES = 2 * 1024 * 1024


class DisplayLink(models.Model):
    """The read-only link of one screen. `plan`: kinds of slides and their seconds (`screens.plan`).

    `code` opens the screen too. It is short, because a person types it on the remote control of a TV.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="display_links")
    label = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    code = models.CharField(max_length=8, blank=True, default="", db_default="")
    plan = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(fields=["code"], condition=~Q(code=""), name="screen_code_given_once"),
        ]


class KioskLink(models.Model):
    """The link of the kiosk: a tablet at the door where players check themselves in. An event has one open link."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="kiosk_links")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(revoked_at__isnull=True), name="one_open_kiosk_link"
            ),
        ]


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
