"""The form of a seat swap."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.drawing.swaps import Swap

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
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def swap(self) -> Swap:
        first, second = self.cleaned_data["one"], self.cleaned_data["other"]
        return Swap(first[0], second[0], (first[1], second[1]))
