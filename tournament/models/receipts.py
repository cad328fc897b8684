"""Rows of receipts. Numbers run without gaps in each year of the installation. Nothing here writes."""

import uuid

from django.db import models
from django.db.models import Q

from tournament.models.events import Event
from tournament.models.ledger import CURRENCY_LENGTH, LedgerTransaction


class ReceiptCounter(models.Model):
    """The last number of a year. Its lock is the last that a transaction takes."""

    year = models.PositiveSmallIntegerField(primary_key=True)
    last_number = models.PositiveIntegerField()


class Receipt(models.Model):
    """A receipt of a payment, or with a negative amount of a refund or of a payment that was taken back.

    It repeats what it printed: name of the organizer, tax text and `lines`, a list of [text, minor units]. The name of
    the payer is read from the ledger. The row stays, without event, after the removal of its event, so that no number
    is missing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    event = models.ForeignKey(Event, null=True, on_delete=models.SET_NULL, related_name="receipts")
    transaction = models.OneToOneField(
        LedgerTransaction, null=True, on_delete=models.SET_NULL, related_name="receipt"
    )
    cancels = models.OneToOneField("self", null=True, on_delete=models.RESTRICT, related_name="cancelled_by")
    issued_at = models.DateTimeField()
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=CURRENCY_LENGTH)
    lines = models.JSONField(default=list)
    organizer = models.CharField(max_length=120)
    tax_text = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["-year", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["year", "number"], name="receipt_number_is_used_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="receipt_has_a_number"),
            models.CheckConstraint(condition=~Q(amount=0), name="receipt_has_an_amount"),
        ]
