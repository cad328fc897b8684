"""Rows of organizers: who runs events and keeps their money."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Organizer(models.Model):
    """The club or person that runs events and keeps their money. `tax_text` stands on receipts.

    Street to `country` (ISO 3166) are the address of the account holder, with the lengths of the Swiss QR code.
    `payment_link` is a template with {amount}, {currency} and {reference}, such as https://example.com/{amount}.
    `prize_templates` are `prizes.own_templates.OwnTemplate` by name. `statement_columns`: the heading of each column of
    the last bank statement, and its `decimal_sign`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="organizers"
    )
    account_holder = models.CharField(max_length=70, blank=True, default="")
    iban = models.CharField(max_length=34, blank=True, default="")
    bic = models.CharField(max_length=11, blank=True, default="")
    street = models.CharField(max_length=70, blank=True, default="", db_default="")
    house_number = models.CharField(max_length=16, blank=True, default="", db_default="")
    postcode = models.CharField(max_length=16, blank=True, default="", db_default="")
    town = models.CharField(max_length=35, blank=True, default="", db_default="")
    country = models.CharField(max_length=2, blank=True, default="", db_default="")
    payment_link = models.CharField(max_length=300, blank=True, default="")
    tax_text = models.CharField(max_length=300, blank=True, default="")
    prize_templates = models.JSONField(default=dict, db_default={})
    statement_columns = models.JSONField(default=dict, db_default={})

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="organizer_has_a_name"),
            models.CheckConstraint(
                condition=Q(payment_link="") | Q(payment_link__startswith="https://"),
                name="payment_link_is_https",
            ),
        ]
