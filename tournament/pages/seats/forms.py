"""The form of a seat swap."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.drawing.swaps import Swap
from tournament.pages.draws.forms import reason_field
from tournament.refusals.seats import SWAP_REASON_NEEDED

MOST_FIGURES = 80


class SeatField(forms.CharField):
    """A seat and the entry that the page showed on it, “12:entry”. A bye has nothing after the colon."""

    def to_python(self, value: Any) -> Any:
        feed, _colon, entry = (super().to_python(value) or "").partition(":")
        try:
            return int(feed), uuid.UUID(entry) if entry else None
        except ValueError:
            raise forms.ValidationError(_("Choose two seats.")) from None


class SwapForm(forms.Form):
    one = SeatField(max_length=MOST_FIGURES)
    other = SeatField(max_length=MOST_FIGURES)

    def __init__(self, *args: Any, reason_needed: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"] = reason_field(SWAP_REASON_NEEDED if reason_needed else None)

    def swap(self) -> Swap:
        first, second = self.cleaned_data["one"], self.cleaned_data["other"]
        return Swap(first[0], second[0], (first[1], second[1]))
