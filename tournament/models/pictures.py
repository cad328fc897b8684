"""Pictures of winners and logos of events. Nothing here writes."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.models.desk import MOST_PHOTO_BYTES
from tournament.models.entries import Player
from tournament.models.events import Event, Tournament
from tournament.models.screens import MOST_PICTURE_BYTES


class WinnerPicture(models.Model):
    """A picture of the winners of a tournament (`bracket` is empty), or of a side bracket with its key.

    Re-encoded, so that only the picture is stored. `description` says what it shows. `players` had their permission
    noted at the upload; the picture goes when the data of one of them are removed. `deleted_at`: it can be restored.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="winner_pictures")
    bracket = models.CharField(max_length=60, blank=True, default="")
    photo = models.BinaryField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    description = models.CharField(max_length=120)
    players = models.ManyToManyField(Player, related_name="winner_pictures")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    uploaded_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "bracket"],
                condition=Q(deleted_at__isnull=True),
                name="one_picture_of_winners",
            ),
            models.CheckConstraint(
                condition=Q(size__gte=1) & Q(size__lte=MOST_PHOTO_BYTES), name="winner_picture_size_in_range"
            ),
            models.CheckConstraint(condition=~Q(description=""), name="winner_picture_is_described"),
        ]


class EventLogo(models.Model):
    """A logo that the event shows, or showed before. Re-encoded, so that only the picture is stored.

    `removed_at`: not set for the current logo. Until the cleanup deletes it, a removed logo can be restored.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="logos")
    picture = models.BinaryField()
    size = models.PositiveIntegerField()
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    uploaded_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(removed_at__isnull=True), name="one_logo_of_an_event"
            ),
            models.CheckConstraint(
                condition=Q(size__gte=1) & Q(size__lte=MOST_PICTURE_BYTES), name="event_logo_size_in_range"
            ),
        ]
