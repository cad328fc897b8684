"""Settlements and hedges: two players agree on how they share the prizes of their match. Nothing here writes."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least

from tournament.models.brackets import Pairing
from tournament.models.desk import Result
from tournament.models.entries import Entry
from tournament.models.ledger import CURRENCY_LENGTH


class Settlement(models.Model):
    """A proposal or agreement of two players: the player who advances, and the amount for each of them.

    `first_minor` and `second_minor` are the prizes of the winner and of the loser when it was proposed; all amounts are
    minor units of `currency`, 0 if no prizes were known. `pots` lists the key of each pot that they share with both of
    its prizes; empty: the main pot, with these prizes. `proposed_by` is None for the desk. `result` is the result
    that was posted when the other player or the desk confirmed. `closed_at`: withdrawn, declined or replaced.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="settlements")
    left = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    right = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    winner = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    currency = models.CharField(max_length=CURRENCY_LENGTH, blank=True, default="")
    first_minor = models.BigIntegerField(default=0)
    second_minor = models.BigIntegerField(default=0)
    left_minor = models.BigIntegerField(default=0)
    right_minor = models.BigIntegerField(default=0)
    pots = models.JSONField(default=list, db_default=[])
    proposed_by = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="+")
    proposed_at = models.DateTimeField()
    result = models.OneToOneField(Result, null=True, on_delete=models.CASCADE, related_name="settlement")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-proposed_at"]
        constraints = [
            models.CheckConstraint(condition=~Q(left=F("right")), name="settlement_has_two_players"),
            models.CheckConstraint(
                condition=Q(winner=F("left")) | Q(winner=F("right")), name="settlement_has_one_winner"
            ),
            models.CheckConstraint(
                condition=~Q(currency="") | Q(first_minor=0, second_minor=0),
                name="agreed_amounts_have_a_currency",
            ),
            models.CheckConstraint(
                condition=Q(left_minor__gte=0) & Q(right_minor__gte=0),
                name="settlement_pays_no_negative_amount",
            ),
            models.CheckConstraint(
                condition=Q(first_minor__gte=0) & Q(second_minor__gte=0),
                name="settlement_shares_no_negative_prize",
            ),
            models.CheckConstraint(
                condition=Q(first_minor=F("left_minor") + F("right_minor") - F("second_minor")),
                name="settlement_keeps_the_sum_of_the_prizes",
            ),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(closed_at__isnull=True),
                name="agreed_settlement_is_not_closed",
            ),
            models.UniqueConstraint(
                fields=["pairing"],
                condition=Q(result__isnull=True, closed_at__isnull=True),
                name="one_open_settlement_of_a_pairing",
            ),
        ]

    @property
    def total_minor(self) -> int:
        return self.left_minor + self.right_minor


class Hedge(models.Model):
    """A private proposal or agreement beside the prizes of a match that is played.

    `left_minor`: minor units of `currency` that the left player gives the right one after winning the match;
    `right_minor` the other way round. It counts once `accepted_at` is set. `cancel_asked_by` asks to cancel an accepted
    one, which needs both players. `closed_at`: withdrawn, declined, replaced or cancelled.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="hedges")
    left = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    right = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    currency = models.CharField(max_length=CURRENCY_LENGTH)
    left_minor = models.BigIntegerField()
    right_minor = models.BigIntegerField()
    proposed_by = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    proposed_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    cancel_asked_by = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="+")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["proposed_at"]
        constraints = [
            models.CheckConstraint(condition=~Q(left=F("right")), name="hedge_has_two_players"),
            models.CheckConstraint(
                condition=Q(proposed_by=F("left")) | Q(proposed_by=F("right")),
                name="hedge_is_proposed_by_one_of_its_players",
            ),
            models.CheckConstraint(condition=~Q(currency=""), name="hedge_has_a_currency"),
            models.CheckConstraint(
                condition=Q(left_minor__gte=0, right_minor__gte=0)
                & (Q(left_minor__gt=0) | Q(right_minor__gt=0)),
                name="hedge_gives_a_positive_amount",
            ),
            models.CheckConstraint(
                condition=Q(cancel_asked_by__isnull=True) | Q(accepted_at__isnull=False),
                name="only_an_accepted_hedge_is_cancelled_by_both",
            ),
            models.UniqueConstraint(
                F("pairing"),
                Least("left", "right"),
                Greatest("left", "right"),
                condition=Q(closed_at__isnull=True),
                name="one_open_hedge_of_two_players",
            ),
        ]
