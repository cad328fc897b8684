"""Forms of the room's set-up: tables by their names, one table, a pin, how matches are called."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Pairing, Player, Room, Table
from tournament.models.room import LONGEST_TABLE_NAME
from tournament.room.tables import LONGEST_WAIT, MOST_TABLES, TablePlan

LONGEST_LIST = 2000
NOTE = 60


class AddTablesForm(forms.Form):
    names = forms.CharField(
        label=_("Names of tables"),
        max_length=LONGEST_LIST,
        help_text=_("For example: 1-24, Stream. A name that is there already stays as it is."),
        error_messages={"required": _("Type the names of the tables, for example 1-24.")},
    )


class TableForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_TABLE_NAME, error_messages={"required": _("A table has a name.")}
    )
    note = forms.CharField(label=_("What for"), max_length=NOTE, required=False)
    is_reserved = forms.BooleanField(label=_("Given by hand only"), required=False)
    position = forms.IntegerField(
        label=_("Place in the order"), required=False, min_value=1, max_value=MOST_TABLES
    )

    def plan(self) -> TablePlan:
        return TablePlan(**self.cleaned_data)


class PinForm(forms.Form):
    """A player who always plays at one table, or one match that is to be played there."""

    whom = forms.ChoiceField(
        label=_("Player or match"), error_messages={"required": _("Choose a player or a match.")}
    )
    table = forms.ModelChoiceField(
        Table.objects.none(), label=_("Table"), error_messages={"required": _("Choose a table.")}
    )
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, *args: Any, event: Event, room: Room | None, **more: Any) -> None:
        super().__init__(*args, **more)
        table = cast("forms.ModelChoiceField[Table]", self.fields["table"])
        table.queryset = Table.objects.filter(room=room).select_related("room")
        table.label_from_instance = lambda obj: obj.name  # type: ignore[method-assign]
        self.players = {f"player {row.pk}": row for row in Player.objects.filter(event=event)}
        self.pairings = {f"match {row.pk}": row for row in _to_be_played(event)}
        cast(forms.ChoiceField, self.fields["whom"]).choices = [
            (_("Players"), [(key, row.name) for key, row in self.players.items()]),
            (_("Matches"), [(key, _names(row)) for key, row in self.pairings.items()]),
        ]

    @property
    def held(self) -> Player | Pairing:
        key = self.cleaned_data["whom"]
        return self.players.get(key) or self.pairings[key]


class CallingForm(forms.Form):
    by_itself = forms.BooleanField(label=_("Free tables go to waiting matches by themselves"), required=False)
    second_call_after = forms.IntegerField(
        label=_("Minutes until a second call is due"), min_value=1, max_value=LONGEST_WAIT
    )


def _to_be_played(event: Event) -> Iterable[Pairing]:
    """Matches whose two players are known and that are not decided."""
    rows = Pairing.objects.filter(round__bracket__tournament__event=event, match__isnull=False, settled="")
    return rows.select_related("left__player", "right__player")


def _names(row: Pairing) -> str:
    return " – ".join(entry.name if entry else "?" for entry in (row.left, row.right))
