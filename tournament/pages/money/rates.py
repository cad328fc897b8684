"""The organizer's own rates of exchange in an event."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability
from tournament.fees.amounts import DEFAULT_CURRENCY
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.money import rates
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import event_context
from tournament.pages.money.amount_fields import NumberField, currency_choices, read_amount
from tournament.queries.money.cash_desk import event_currencies

OTHER_CURRENCY = "CHF"
"""The currency of the example, if the event uses only the default one."""


class RateForm(forms.Form):
    """A rate as written: one of the first currency is `rate` of the second."""

    base = forms.ChoiceField(label=gettext_lazy("Charged in"))
    currency = forms.ChoiceField(label=gettext_lazy("Paid in"))
    rate = NumberField(
        label=gettext_lazy("Rate"), max_digits=14, decimal_places=6, min_value=0, localize=True,
        widget=forms.TextInput({"inputmode": "decimal", "autocomplete": "off"}),
    )  # fmt: skip
    unit = forms.CharField(
        label=gettext_lazy("Round to"),
        max_length=20,
        help_text=gettext_lazy("In the second currency. 1 means whole amounts."),
    )

    def __init__(self, currencies: Sequence[str], data: QueryDict | None) -> None:
        """`currencies` are those in use, the first of them what players usually owe."""
        base = currencies[0] if currencies else DEFAULT_CURRENCY
        super().__init__(data, initial={"base": base, "unit": "1"})
        other = next((code for code in (*currencies, DEFAULT_CURRENCY, OTHER_CURRENCY) if code != base), "")
        self.fields["rate"].help_text = _("Write {rate} if 1 {base} is worth {rate} {other}.").format(
            rate=localize(Decimal("1.05")), base=base, other=other
        )
        choices = currency_choices([base, *currencies])
        self.fields["base"].choices = choices  # type: ignore[attr-defined]
        self.fields["currency"].choices = [("", _("Choose a currency")), *choices]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("currency") and data.get("unit"):
            try:
                data["unit"] = read_amount(data["unit"], data["currency"]).minor
            except forms.ValidationError as error:
                self.add_error("unit", error)
        return data

    def typed_rate(self) -> Rate:
        data = self.cleaned_data
        return Rate(data["base"], data["currency"], int(data["rate"] * RATE_UNIT), data["unit"])


@page("GET", "POST")
def exchange_rates(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    form = RateForm(event_currencies(context.event), request.POST or None)
    if request.method == "POST" and submit(
        form, lambda: rates.set_rate(context.event, form.typed_rate(), context.actor)
    ):
        messages.success(request, _("The rate is saved. The cash desk offers payments in this currency."))
        return redirect("exchange-rates", event)
    return context.render(
        request, "exchange_rates.html", "cash-desk", form=form, rates=rates.written_rates(context.event)
    )


@page("POST")
def remove_rate(request: HttpRequest, event: str, rate: int) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    run(
        request,
        lambda: rates.remove_rate(context.event, rate, context.actor),
        _("The rate is removed. Recorded payments keep it."),
    )
    return redirect("exchange-rates", event)
