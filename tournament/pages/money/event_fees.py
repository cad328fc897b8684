"""The page of what players pay once in an event: registration and membership."""

from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability
from tournament.fees.other_currency import event_fees_with_other_currency
from tournament.fees.schedule import EventFees, Fee
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import CONDITION_LABELS
from tournament.models import Event
from tournament.money.fees import FeeChange, preview_event_fees, set_event_fees
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context
from tournament.pages.money.amount_fields import (
    AmountField,
    AmountsForm,
    amount_text,
    currency_choices,
)
from tournament.pages.money.fee_confirmation import revision_for_form, save_fees
from tournament.pages.money.fee_forms import keep_prices
from tournament.pages.money.pool_fields import PRICES
from tournament.queries.money.cash_desk import usual_currency

REGISTRATION_CONDITIONS = PRICES


class EventFeesForm(AmountsForm):
    negative = gettext_lazy("A fee cannot be negative.")
    currency = forms.ChoiceField(label=gettext_lazy("Currency"))
    registration = AmountField(
        label=gettext_lazy("Registration"),
        help_text=gettext_lazy("Paid once, with the first entry in the event. Goes to the organizer."),
    )
    membership = AmountField(
        label=gettext_lazy("Membership"),
        help_text=gettext_lazy("The price for a player who becomes a member here."),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["currency"].choices = currency_choices([self.initial["currency"]])  # type: ignore[attr-defined]
        for condition in REGISTRATION_CONDITIONS:
            self.fields[f"registration_{condition}"] = AmountField(label=CONDITION_LABELS[condition])

    @property
    def condition_fields(self) -> list[BoundField]:
        return [self[f"registration_{condition}"] for condition in REGISTRATION_CONDITIONS]

    def fees(self, stored: EventFees | None) -> EventFees:
        """The fees as written, with the stored prices that the form does not offer."""
        currency = self.cleaned_data["currency"]
        present = event_fees_with_other_currency(stored or EventFees(""), currency)
        prices = {
            condition: price
            for condition in REGISTRATION_CONDITIONS
            if (price := self.amounts[f"registration_{condition}"]) is not None
        }
        return EventFees(
            currency,
            keep_prices(
                Fee(self.amounts["registration"] or 0, prices), present.registration, REGISTRATION_CONDITIONS
            ),
            keep_prices(Fee(self.amounts["membership"] or 0), present.membership, ()),
        )


@page("GET", "POST")
def event_fees(request: HttpRequest, event: str) -> HttpResponse:
    """Saves at once if nobody was charged another amount; else shows who was, and saves when that is confirmed."""
    context = event_context(request, event, Capability.DIRECT)
    present = prices_of(context.event.pk).event
    form = EventFeesForm(request.POST or None, initial=_initial(context.event, present))
    change: FeeChange | None = None
    revision = revision_for_form(request, context.event.fees, is_saved=form.is_valid())
    if request.method == "POST" and form.is_valid():
        fees = form.fees(present)
        change = save_fees(
            form,
            request.POST.get("confirmed", ""),
            lambda digest: set_event_fees(
                context.event, fees, context.actor, digest, revision=request.POST.get("revision", "")
            ),
            lambda: preview_event_fees(context.event, fees),
        )
        if change is None and form.is_valid():
            messages.success(request, _("Fees saved. Each player is charged."))
            return redirect("event-fees", event)
    return context.render(
        request,
        "event_fees.html",
        "cash-desk",
        form=form,
        change=change,
        revision=revision,
        tournaments=context.event.tournaments.filter(archived_at__isnull=True),
    )


def _initial(event: Event, fees: EventFees | None) -> dict[str, Any]:
    if fees is None:
        return {"currency": usual_currency(event)}
    prices = fees.registration.prices.items()
    return {
        "currency": fees.currency,
        "registration": amount_text(fees.registration.price, fees.currency),
        "membership": amount_text(fees.membership.price, fees.currency),
        **{f"registration_{name}": amount_text(minor, fees.currency) or "0" for name, minor in prices},
    }
