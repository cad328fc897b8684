"""The form in which a player or the desk writes how two players settle their match."""

import uuid
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.fees.amounts import Amount, format_amount, format_number
from tournament.money.settling import Agreement
from tournament.pages.money.amount_fields import read_amount
from tournament.queries.money.settlements import SettlementPage


class SettlementForm(forms.Form):
    """Amounts are read in the currency of the prizes; without prizes the form asks for the winner only."""

    winner = forms.TypedChoiceField(
        label=_("Winner for the list of places"), widget=forms.RadioSelect, coerce=uuid.UUID
    )
    left = forms.CharField(max_length=20)
    right = forms.CharField(max_length=20)

    def __init__(self, settlement: SettlementPage, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"winner": str(settlement.favorite.entry.pk)})
        self.settlement = settlement
        choices = [(str(side.entry.pk), side.entry.name) for side in settlement.sides]
        self.fields["winner"].choices = choices  # type: ignore[attr-defined]
        rows = zip(("left", "right"), settlement.sides, settlement.suggested, strict=True)
        for name, side, amount in rows:
            if amount is None:
                del self.fields[name]
            else:
                self.fields[name].label = _("Amount for {name}").format(name=side.entry.name)
                self.fields[name].widget.attrs["inputmode"] = "decimal"
                self.initial[name] = format_number(amount, get_language() or "en")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        stakes = self.settlement.stakes
        if stakes is None or self.errors:
            return data
        for name in ("left", "right"):
            try:
                data[name] = read_amount(data[name], stakes.currency, _("An amount cannot be negative."))
            except forms.ValidationError as error:
                self.add_error(name, error)
        if not self.errors and data["left"].minor + data["right"].minor != stakes.total:
            total = format_amount(Amount(stakes.total, stakes.currency), get_language() or "en")
            self.add_error(None, _("Both amounts together must be {total}.").format(total=total))
        return data

    def agreement(self) -> Agreement:
        data = self.cleaned_data
        amounts = None if self.settlement.stakes is None else (data["left"].minor, data["right"].minor)
        return Agreement(data["winner"], amounts)


class HedgeForm(forms.Form):
    """Asks for what each player gives the other after winning. An empty amount is none. The page has stakes."""

    left = forms.CharField(max_length=20, required=False)
    right = forms.CharField(max_length=20, required=False)

    def __init__(self, settlement: SettlementPage, data: QueryDict | None = None) -> None:
        super().__init__(data, prefix="hedge")
        self.stakes = settlement.stakes
        for name, side in zip(("left", "right"), settlement.sides, strict=True):
            self.fields[name].label = _("{name} gives after a win").format(name=side.entry.name)
            self.fields[name].widget.attrs["inputmode"] = "decimal"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        currency = self.stakes.currency if self.stakes else ""
        for name in list(data) if currency else ():
            try:
                data[name] = read_amount(data[name] or "0", currency, _("An amount cannot be negative."))
            except forms.ValidationError as error:
                self.add_error(name, error)
        return data

    def amounts(self) -> tuple[int, int]:
        """Minor units that the left and the right player give."""
        if self.stakes is None:
            return 0, 0
        return self.cleaned_data["left"].minor, self.cleaned_data["right"].minor
