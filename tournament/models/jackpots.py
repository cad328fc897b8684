"""Jackpots: small knockouts beside a tournament that start when they are full."""

import uuid

from django.db import models
from django.db.models import Q

from tournament.models.brackets import Bracket
from tournament.models.entries import Entry
from tournament.models.events import Tournament

JACKPOT_SIZES = (4, 8)


class Jackpot(models.Model):
    """Open until `size` entries have joined, then drawn as `bracket`.

    `price` is charged to who joins, in the currency of the tournament's fees; without fees it is only a note.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="jackpots")
    number = models.PositiveSmallIntegerField()
    size = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField()
    price = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    seed_text = models.CharField(max_length=100, blank=True, default="")
    bracket = models.OneToOneField(Bracket, null=True, on_delete=models.SET_NULL, related_name="jackpot")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="jackpot_numbered_once"),
            models.CheckConstraint(condition=Q(size__in=JACKPOT_SIZES), name="jackpot_size_is_known"),
        ]


class JackpotSeat(models.Model):
    jackpot = models.ForeignKey(Jackpot, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="jackpot_seats")
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "entry"], name="joined_jackpot_once"),
        ]
