"""The form in which a player or the desk writes how two players settle their match."""

import uuid
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.fees.amounts import Amount, format_amount, format_number
from tournament.fees.shares import WHOLE, share_of
from tournament.money.settling import Agreement
from tournament.money.stakes import Stakes
from tournament.pages.money.amount_fields import PERCENT, read_amount, read_percent
from tournament.queries.money.settlements import SettlementPage

SIDES = ("left", "right")


class SettlementForm(forms.Form):
    """Amounts in the currency of the prizes, or percentages of them; without prizes the form asks for the winner only.

    An empty field gets the rest, and so does the proposed amount beside a percentage.
    """

    winner = forms.TypedChoiceField(
        label=_("Winner for the list of places"), widget=forms.RadioSelect, coerce=uuid.UUID
    )
    left = forms.CharField(max_length=20, required=False)
    right = forms.CharField(max_length=20, required=False)

    def __init__(self, settlement: SettlementPage, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"winner": str(settlement.favorite.entry.pk)})
        self.settlement, self.percentages = settlement, dict[str, int]()
        choices = [(str(side.entry.pk), side.entry.name) for side in settlement.sides]
        self.fields["winner"].choices = choices  # type: ignore[attr-defined]
        rows = zip(SIDES, settlement.sides, settlement.suggested, strict=True)
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
        amounts = {name: self._read(name, data[name], stakes) for name in SIDES}
        if self.errors:
            return data
        self._fill_in_the_rest(amounts, stakes.total)
        if None in amounts.values() or sum(filter(None, amounts.values())) != stakes.total:
            total = format_amount(Amount(stakes.total, stakes.currency), get_language() or "en")
            self.add_error(None, _("Both amounts together must be {total}.").format(total=total))
        return data | amounts

    def _read(self, name: str, text: str, stakes: Stakes) -> int | None:
        """Minor units; None for an empty field and with an error."""
        try:
            if PERCENT in text:
                self.percentages[name] = _percentage(text)
                return share_of(stakes.total, self.percentages[name])
            return (
                read_amount(text, stakes.currency, _("An amount cannot be negative.")).minor if text else None
            )
        except forms.ValidationError as error:
            self.add_error(name, error)
            return None

    def _fill_in_the_rest(self, amounts: dict[str, int | None], total: int) -> None:
        for name, other in (SIDES, SIDES[::-1]):
            given = amounts[other]
            is_proposed = other in self.percentages and name not in self.changed_data
            if given is not None and given <= total and (amounts[name] is None or is_proposed):
                amounts[name] = total - given
        if len(self.percentages) == len(SIDES) and sum(self.percentages.values()) == WHOLE:
            left, right = SIDES
            amounts[right] = total - (amounts[left] or 0)

    def agreement(self) -> Agreement:
        data = self.cleaned_data
        amounts = None if self.settlement.stakes is None else (data["left"], data["right"])
        return Agreement(data["winner"], amounts)


def _percentage(text: str) -> int:
    percent = read_percent(text)
    if percent is None:
        raise forms.ValidationError(_("Write a percentage from 0 to 100, such as 60 %, or an amount."))
    return percent


class HedgeForm(forms.Form):
    """Asks for what each player gives the other after winning. An empty amount is none. The page has stakes."""

    left = forms.CharField(max_length=20, required=False)
    right = forms.CharField(max_length=20, required=False)

    def __init__(self, settlement: SettlementPage, data: QueryDict | None = None) -> None:
        super().__init__(data, prefix="hedge")
        self.stakes = settlement.stakes
        for name, side in zip(SIDES, settlement.sides, strict=True):
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
