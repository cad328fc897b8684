"""The form of the clock of a round."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.brackets.clocks import MOST_MOVE_SECONDS, MOST_POINT_SECONDS, RoundClock


def seconds_field(label: Any, max_seconds: int) -> forms.IntegerField:
    attributes = {"inputmode": "numeric", "min": 0, "max": max_seconds}
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=max_seconds,
        widget=forms.NumberInput(attrs=attributes),
    )


class ClockForm(forms.Form):
    """Both fields empty: the ruleset's clock. Both 0: no clock."""

    round = forms.IntegerField(widget=forms.HiddenInput)
    point_seconds = seconds_field(_("Seconds a point"), MOST_POINT_SECONDS)
    move_seconds = seconds_field(_("Seconds a move"), MOST_MOVE_SECONDS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (data.get("point_seconds") is None) != (data.get("move_seconds") is None) and not self.errors:
            raise forms.ValidationError(_("Give both figures of a clock, or leave both empty."))
        return data

    def clock(self) -> RoundClock | None:
        points, moves = self.cleaned_data["point_seconds"], self.cleaned_data["move_seconds"]
        return None if points is None else RoundClock(points, moves)
