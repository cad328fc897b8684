"""Forms of rounds: the clock, two players for a change by hand, and when rounds are released."""

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.brackets.clocks import MOST_MOVE_SECONDS, MOST_POINT_SECONDS, RoundClock
from tournament.models import RoundRelease
from tournament.models.events import MOST_RELEASE_GRACE
from tournament.pages.draws.forms import reason_field
from tournament.pages.tournaments.length_forms import RoundForm
from tournament.refusals.rounds import HAND_REASON_NEEDED


def seconds_field(label: Any, max_seconds: int) -> forms.IntegerField:
    attributes = {"inputmode": "numeric", "min": 0, "max": max_seconds}
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=max_seconds,
        widget=forms.NumberInput(attrs=attributes),
    )


class ClockForm(RoundForm):
    """Both fields empty: the ruleset's clock. Both 0: no clock."""

    point_seconds = seconds_field(_("Seconds a point"), MOST_POINT_SECONDS)
    move_seconds = seconds_field(_("Seconds a move"), MOST_MOVE_SECONDS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (data.get("point_seconds") is None) != (data.get("move_seconds") is None) and not self.errors:
            raise forms.ValidationError(_("Enter both clock times, or leave both empty."))
        return data

    def clock(self) -> RoundClock | None:
        points, moves = self.cleaned_data["point_seconds"], self.cleaned_data["move_seconds"]
        return None if points is None else RoundClock(points, moves)


class PairForm(forms.Form):
    """Two players of the tournament and the reason for a change by hand. `names` are entry ids and names."""

    reason = reason_field(HAND_REASON_NEEDED, help_text=_("Shown on the page of the draw after the release."))

    def __init__(self, *args: Any, names: Sequence[tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        choices = [("", _("Choose a player")), *names]
        players = {
            "first": forms.ChoiceField(label=_("Player"), choices=choices),
            "second": forms.ChoiceField(label=_("Other player"), choices=choices),
        }
        self.fields = {**players, **self.fields}

    def players(self) -> tuple[uuid.UUID, uuid.UUID]:
        return uuid.UUID(self.cleaned_data["first"]), uuid.UUID(self.cleaned_data["second"])


class RuleForm(forms.Form):
    rule = forms.IntegerField(min_value=1)


class JournalForm(forms.Form):
    """The round of a line of the journal; empty on other pages."""

    round = forms.IntegerField(required=False, min_value=1)


class SwapForm(forms.Form):
    """`number` counts the swaps of a preview from 1."""

    number = forms.IntegerField(min_value=1)


class RoundReleaseForm(forms.Form):
    round_release = forms.ChoiceField(
        label=_("When a round is complete"), choices=RoundRelease.choices, widget=forms.RadioSelect
    )
    release_grace = forms.IntegerField(
        label=_("Minutes until the automatic pairing"),
        required=False,
        min_value=0,
        max_value=MOST_RELEASE_GRACE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 0, "max": MOST_RELEASE_GRACE}),
        help_text=_("They begin with the last result. A correction or a dispute stops them; you can too."),
    )

    def choice(self) -> RoundRelease:
        return RoundRelease(self.cleaned_data["round_release"])
