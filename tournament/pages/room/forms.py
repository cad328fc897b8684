"""Forms for the set-up of a room: new tables, one table, a pin, the settings of calls."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Pairing, Player, Room, Table
from tournament.models.room import LONGEST_TABLE_NAME
from tournament.queries.room.tables import pairings_to_pin, players_to_pin, tables_to_pin
from tournament.room.tables import LONGEST_WAIT, MOST_TABLES, TablePlan

LONGEST_LIST = 2000
NOTE = 60


class AddTablesForm(forms.Form):
    names = forms.CharField(
        label=_("Names of tables"),
        max_length=LONGEST_LIST,
        help_text=_("For example: 1-24, Stream. Existing names are skipped."),
        error_messages={"required": _("Type the names of the tables, for example 1-24.")},
    )


class TableForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_TABLE_NAME,
        error_messages={"required": _("Type a name for the table.")},
    )
    note = forms.CharField(label=_("Purpose"), max_length=NOTE, required=False)
    is_reserved = forms.BooleanField(label=_("Assigned by hand only"), required=False)
    position = forms.IntegerField(label=_("Position"), required=False, min_value=1, max_value=MOST_TABLES)

    def plan(self) -> TablePlan:
        return TablePlan(**self.cleaned_data)


class PinForm(forms.Form):
    """Pins a player or one match to a table."""

    whom = forms.ChoiceField(
        label=_("Player or match"), error_messages={"required": _("Choose a player or a match.")}
    )
    table: "forms.ModelChoiceField[Table]" = forms.ModelChoiceField(
        None,
        label=_("Table"),
        empty_label=_("Choose a table"),
        error_messages={"required": _("Choose a table.")},
    )
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, *args: Any, event: Event, room: Room | None, **options: Any) -> None:
        super().__init__(*args, **options)
        table = cast("forms.ModelChoiceField[Table]", self.fields["table"])
        table.queryset = tables_to_pin(room)
        table.label_from_instance = lambda obj: obj.name  # type: ignore[method-assign]
        self.players = {f"player {row.pk}": row for row in players_to_pin(event)}
        self.pairings = {f"match {row.pk}": row for row in pairings_to_pin(event)}
        cast(forms.ChoiceField, self.fields["whom"]).choices = [
            (_("Players"), [(key, row.name) for key, row in self.players.items()]),
            (_("Matches"), [(key, _names(row)) for key, row in self.pairings.items()]),
        ]

    @property
    def holder(self) -> Player | Pairing:
        key = self.cleaned_data["whom"]
        return self.players.get(key) or self.pairings[key]


class CallingForm(forms.Form):
    by_itself = forms.BooleanField(
        label=_("Call waiting matches to free tables automatically"), required=False
    )
    second_call_after = forms.IntegerField(
        label=_("Minutes until a second call is due"), min_value=1, max_value=LONGEST_WAIT
    )


def _names(row: Pairing) -> str:
    return " – ".join(entry.name if entry else "?" for entry in (row.left, row.right))
