"""The what-if form: other lengths of rounds, tables and pauses. Sent by GET; stores nothing."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.forecast.moment import PlanChange
from tournament.forecast.pauses import LONGEST_PAUSE
from tournament.queries.forecast.what_if import MOST_TABLES, RoundChoice


class WhatIfForm(forms.Form):
    """Fields for tables, the pause and the length of each round that has not begun.

    `twice`: names with several values in the address. A plain form would use the last value.
    """

    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("Empty: as many as needed."),
    )
    pause = forms.IntegerField(
        label=_("Minutes between two matches"), min_value=0, max_value=LONGEST_PAUSE, required=False
    )

    def __init__(
        self, *args: Any, rounds: Sequence[RoundChoice], twice: Collection[str] = (), **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.rounds, self.twice = rounds, frozenset(twice)
        for choice in rounds:
            self.fields[choice.name] = forms.IntegerField(
                label=_("{round} and later").format(round=choice.label) if choice.and_later else choice.label,
                initial=choice.length,
                min_value=SHORTEST,
                max_value=LONGEST,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        for name in self.fields.keys() & self.twice:
            self.add_error(name, _("This is entered twice. Enter it once."))
        return self.cleaned_data

    def lengths(self) -> list[forms.BoundField]:
        return [self[choice.name] for choice in self.rounds]

    def change(self, pause: float) -> PlanChange:
        """Returns the change of a valid form. An empty pause means `pause`, an empty length no change."""
        data = self.cleaned_data
        lengths = {
            choice.part: data[choice.name]
            for choice in self.rounds
            if data[choice.name] not in (None, choice.length)
        }
        return PlanChange(lengths, data["tables"], pause if data["pause"] is None else data["pause"])
