"""What might be done differently: lengths of rounds, tables, pauses. Asked by GET; nothing is kept."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.forecast.moment import PlanChange
from tournament.queries.forecast.what_if import LONGEST_PAUSE, MOST_TABLES, Choice


class WhatIfForm(forms.Form):
    """A field for each round that has not begun, beside tables and pause.

    `twice` are the names that the address gives several values, of which a form alone would take the last.
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
        self, *args: Any, rounds: Sequence[Choice], twice: Collection[str] = (), **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.rounds, self.twice = rounds, frozenset(twice)
        for one in rounds:
            self.fields[one.name] = forms.IntegerField(
                label=_("{round} and later").format(round=one.label) if one.and_later else one.label,
                initial=one.length,
                min_value=SHORTEST,
                max_value=LONGEST,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        for name in self.fields.keys() & self.twice:
            self.add_error(name, _("This is given twice. Give it once."))
        return self.cleaned_data

    def lengths(self) -> list[forms.BoundField]:
        return [self[one.name] for one in self.rounds]

    def change(self, pause: float) -> PlanChange:
        """What was asked for; what was left empty stays as it is. Only of a form that is in order."""
        said = self.cleaned_data
        lengths = {
            one.part: said[one.name] for one in self.rounds if said[one.name] not in (None, one.length)
        }
        return PlanChange(lengths, said["tables"], pause if said["pause"] is None else said["pause"])
