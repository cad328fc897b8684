"""The auction of the players of a tournament, called a Calcutta. Nothing here writes. Amounts are minor units."""

import uuid

from django.db import models
from django.db.models import Q

from tournament.fees.shares import WHOLE
from tournament.models.entries import Entry, Player
from tournament.models.events import Tournament
from tournament.models.ledger import CURRENCY_LENGTH


class Calcutta(models.Model):
    """The terms of an auction; a tournament without this row has none.

    `rake` is in hundredths of a percent. `split` lists the percent of each place. `is_public`: everybody may see the
    lots and the names of their buyers, but no amount. `awards_stamp`: a digest of what the awards of the owners
    depended on when they were posted; empty before.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="calcutta")
    currency = models.CharField(max_length=CURRENCY_LENGTH)
    minimum = models.BigIntegerField()
    step = models.BigIntegerField()
    rake = models.PositiveIntegerField(default=0)
    split = models.JSONField(default=list)
    is_public = models.BooleanField(default=False)
    awards_stamp = models.CharField(max_length=32, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(minimum__gt=0) & Q(step__gt=0), name="bids_start_and_rise"),
            models.CheckConstraint(condition=Q(rake__lte=WHOLE), name="rake_is_a_part_of_the_bids"),
        ]


class CalcuttaLot(models.Model):
    """Entries that are sold together. The field is everybody who is in no other sold lot.

    `bought_back_by` is the player of the lot who bought half of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    calcutta = models.ForeignKey(Calcutta, on_delete=models.CASCADE, related_name="lots")
    number = models.PositiveSmallIntegerField()
    is_field = models.BooleanField(default=False)
    sold_at = models.DateTimeField(null=True)
    bought_back_by = models.ForeignKey(Player, null=True, on_delete=models.RESTRICT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["calcutta", "number"], name="lot_numbered_once"),
            models.UniqueConstraint(
                fields=["calcutta"], condition=Q(is_field=True), name="one_field_in_an_auction"
            ),
            models.CheckConstraint(
                condition=Q(bought_back_by__isnull=True) | (Q(is_field=False) & Q(sold_at__isnull=False)),
                name="half_of_a_sold_player_is_bought_back",
            ),
        ]


class CalcuttaSeat(models.Model):
    """An entry in a lot."""

    lot = models.ForeignKey(CalcuttaLot, on_delete=models.CASCADE, related_name="seats")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="calcutta_seat")

    class Meta:
        ordering = ["pk"]


class CalcuttaBid(models.Model):
    """`number` counts the bids on a lot; the last one is the highest."""

    lot = models.ForeignKey(CalcuttaLot, on_delete=models.CASCADE, related_name="bids")
    number = models.PositiveSmallIntegerField()
    buyer = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="calcutta_bids")
    amount = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["lot", "number"], name="bid_numbered_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="bid_is_positive"),
        ]


class CalcuttaShare(models.Model):
    """`parts` of all parts of a sold lot belong to the owner."""

    lot = models.ForeignKey(CalcuttaLot, on_delete=models.CASCADE, related_name="shares")
    owner = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="calcutta_shares")
    parts = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["lot", "owner"], name="owner_named_once"),
            models.CheckConstraint(condition=Q(parts__gt=0), name="owner_has_a_part"),
        ]
