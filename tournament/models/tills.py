"""Rows of tills: what somebody counted in them, and the organizer's own rates of exchange. Nothing here writes."""

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Substr
from django.db.models.lookups import Exact

from tournament.models.desk import JournalLine
from tournament.models.events import Event
from tournament.models.ledger import (
    BOOK_LENGTH,
    CURRENCY_LENGTH,
    AccountKind,
    LedgerAccount,
    LedgerTransaction,
    Transfer,
    names_its_event,
)

BOX = f":{AccountKind.CASH}:"
"""Follows currency and event in the id of a till's account."""


class CashClosing(models.Model):
    """Somebody counted a till of one currency. Amounts are minor units. A correction is a new count.

    `expected` is the balance of the till after `last_transfer`. `pieces` lists [minor units, number] of each note and
    coin, empty for a total without them. `difference` posts counted minus expected to over and short. `taken_back`
    is set once, with the reason. Nothing else is ever changed, except that personal data are removed from texts.
    """

    id = models.BigAutoField(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="cash_closings")
    account = models.ForeignKey(LedgerAccount, on_delete=models.RESTRICT, related_name="closings")
    last_transfer = models.ForeignKey(Transfer, on_delete=models.RESTRICT, related_name="+")
    at = models.DateTimeField()
    expected = models.BigIntegerField()
    counted = models.BigIntegerField()
    pieces = models.JSONField(default=list)
    signed_by = models.CharField(max_length=80)
    reason = models.CharField(max_length=300, blank=True, default="")
    difference = models.OneToOneField(
        LedgerTransaction, null=True, on_delete=models.RESTRICT, related_name="closing"
    )
    journal_line = models.ForeignKey(JournalLine, on_delete=models.RESTRICT, related_name="+")
    taken_back = models.OneToOneField(JournalLine, null=True, on_delete=models.RESTRICT, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "last_transfer", "counted"],
                condition=Q(taken_back__isnull=True),
                name="till_closed_once",
            ),
            models.CheckConstraint(condition=Q(counted__gte=0), name="counted_cash_is_not_negative"),
            models.CheckConstraint(
                condition=(Q(counted=F("expected")) & Q(difference__isnull=True))
                | (~Q(counted=F("expected")) & Q(difference__isnull=False) & ~Q(reason="")),
                name="difference_is_posted_with_a_reason",
            ),
            models.CheckConstraint(condition=~Q(signed_by=""), name="closing_is_signed"),
            models.CheckConstraint(condition=names_its_event("account"), name="counted_till_is_of_the_event"),
            models.CheckConstraint(
                condition=Exact(Substr("account", BOOK_LENGTH + 1, len(BOX)), Value(BOX)),
                name="only_a_till_is_counted",
            ),
        ]


class ExchangeRate(models.Model):
    """The organizer's own rate: one `base` is `rate` millionths of `currency`, rounded to `unit` minor units."""

    id = models.BigAutoField(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="exchange_rates")
    base = models.CharField(max_length=CURRENCY_LENGTH)
    currency = models.CharField(max_length=CURRENCY_LENGTH)
    rate = models.BigIntegerField()
    unit = models.BigIntegerField(default=1)

    class Meta:
        ordering = ["base", "currency"]
        constraints = [
            models.UniqueConstraint(fields=["event", "base", "currency"], name="one_rate_for_two_currencies"),
            models.CheckConstraint(condition=Q(rate__gt=0) & Q(unit__gt=0), name="exchange_rate_is_positive"),
            models.CheckConstraint(condition=~Q(base=F("currency")), name="rate_has_two_currencies"),
        ]
