"""Forms of the auction of players."""

import re
import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.entries.lists.limits import LONGEST_NAME
from tournament.models import Calcutta
from tournament.money.calcutta import Buyer, ExpectedLot, Terms
from tournament.pages.money.amount_fields import (
    AmountField,
    AmountsForm,
    PercentField,
    amount_text,
    currency_choices,
    read_amount,
)
from tournament.prizes.calcutta import LONGEST_STATE, MOST_PARTS, MOST_PLACES, SPLITS

_PARTS = re.compile(r"\s*[:/;,\s]\s*")


class TermsForm(AmountsForm):
    """Reading it fills `terms`."""

    currency = forms.ChoiceField(label=_("Currency"))
    minimum = AmountField(label=_("Lowest first bid"))
    step = AmountField(label=_("Bids rise by at least"))
    rake = PercentField(label=_("Kept by the organizer, percent"))
    split = forms.CharField(
        label=_("Split of the pot by place, percent"),
        max_length=60,
        help_text=_("Usual: 100, 70/30, 70/20/10, 50/20/15/10/5 or 40/30/20/10. The sum is 100."),
    )
    is_public = forms.BooleanField(
        label=_("Everybody may see the lots and their buyers, without amounts"), required=False
    )

    def __init__(self, calcutta: Calcutta | None, currency: str, *args: Any) -> None:
        initial: dict[str, Any] = {"currency": currency, "split": _split_text(SPLITS[2])}
        if calcutta is not None:
            initial = {
                "currency": calcutta.currency,
                "minimum": amount_text(calcutta.minimum, calcutta.currency),
                "step": amount_text(calcutta.step, calcutta.currency),
                "rake": calcutta.rake,
                "split": _split_text(calcutta.split),
                "is_public": calcutta.is_public,
            }
        super().__init__(*args, initial=initial)
        self.terms: Terms | None = None
        self.fields["currency"].choices = currency_choices([self.initial["currency"]])  # type: ignore[attr-defined]

    def clean_split(self) -> tuple[int, ...]:
        parts = [part for part in _PARTS.split(self.cleaned_data["split"].strip()) if part]
        if not all(re.fullmatch("[0-9]{1,3}", part) for part in parts) or sum(map(int, parts)) != 100:
            raise forms.ValidationError(_("Enter whole percentages with a sum of 100, such as 70/20/10."))
        split = tuple(map(int, parts))
        if len(split) > MOST_PLACES or 0 in split:
            raise forms.ValidationError(_("Enter up to 10 places, each above zero."))
        return split

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        for name in ("minimum", "step"):
            if not self.errors and not self.amounts.get(name):
                self.add_error(name, _("Enter an amount above zero."))
        if not self.errors:
            self.terms = Terms(
                data["currency"],
                self.amounts["minimum"] or 0,
                self.amounts["step"] or 0,
                data["rake"] or 0,
                data["split"],
                data["is_public"],
            )
        return data


class NewLotForm(forms.Form):
    """Entries of a new lot, or a lot for each entry without one, or the field."""

    entries = forms.TypedMultipleChoiceField(required=False, coerce=uuid.UUID)
    each = forms.BooleanField(required=False)
    field = forms.BooleanField(required=False)

    def __init__(self, choices: list[tuple[str, str]], *args: Any) -> None:
        super().__init__(*args)
        self.fields["entries"].choices = choices  # type: ignore[attr-defined]


class LotForm(forms.Form):
    """An action on the lot as shown. A person is chosen from the list, or named."""

    deed = forms.ChoiceField(
        choices=[(name, name) for name in ("bid", "sell", "undo", "remove", "share", "buy-back")]
    )
    lot = forms.UUIDField()
    state = forms.CharField(max_length=LONGEST_STATE)
    person = forms.UUIDField(required=False)
    name = forms.CharField(required=False, max_length=LONGEST_NAME)
    amount = forms.CharField(required=False, max_length=20)
    parts = forms.IntegerField(required=False, min_value=0, max_value=MOST_PARTS)

    def __init__(self, currency: str, *args: Any) -> None:
        super().__init__(*args)
        self.currency, self.minor = currency, 0

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        deed = data.get("deed")
        is_named = data.get("person") or (data.get("name") and deed != "buy-back")
        if deed in ("bid", "share", "buy-back") and not is_named:
            raise forms.ValidationError(_("Choose a person, or write the name of another person."))
        if deed == "share" and data.get("parts") is None:
            raise forms.ValidationError(_("Enter how many parts this person owns."))
        if deed == "bid":
            self.minor = read_amount(data.get("amount") or "0", self.currency).minor
        return data

    @property
    def expected(self) -> ExpectedLot:
        return ExpectedLot(self.cleaned_data["lot"], self.cleaned_data["state"])

    @property
    def buyer(self) -> Buyer:
        """The written name counts only if nobody is chosen."""
        return Buyer(self.cleaned_data["person"], self.cleaned_data["name"])


def _split_text(split: tuple[int, ...] | list[int]) -> str:
    return "/".join(map(str, split))
