"""Forms of the screens page: the plan of a screen, and a slide of the event's own."""

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.runtime.images import MAX_UPLOAD_BYTES
from tournament.screens.plan import (
    DEFAULT_SECONDS,
    LONGEST_SECONDS,
    LONGEST_TURN,
    SHORTEST_READING,
    SHORTEST_SECONDS,
    Plan,
    SlideKind,
    Theme,
)

KIND_LABELS: Mapping[SlideKind, Promise] = {
    SlideKind.CALLS: _("Calls: who must go to a table now"),
    SlideKind.TABLES: _("Tables: all tables with their matches"),
    SlideKind.BRACKETS: _("Brackets: the rounds in play"),
    SlideKind.STANDINGS: _("Standings"),
    SlideKind.SLIDES: _("Slides of your own"),
}
THEMES = [(Theme.DARK.value, _("Dark")), (Theme.LIGHT.value, _("Light"))]


class ScreenForm(forms.Form):
    """Has the fields `shows_KIND` and `seconds_KIND` for each kind of slide."""

    label = forms.CharField(
        label=_("Name of the screen"),
        max_length=60,
        help_text=_("For example its location."),
        error_messages={"required": _("Give the screen a name.")},
    )
    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all tournaments, including new ones."),
    )
    theme = forms.ChoiceField(label=_("Colours"), choices=THEMES, widget=forms.RadioSelect)

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rows = event.tournaments.all()
        self.fields["tournaments"].choices = [(str(row.pk), row.name) for row in rows]  # type: ignore[attr-defined]
        for kind, words in KIND_LABELS.items():
            self.fields[f"shows_{kind}"] = forms.BooleanField(label=str(words), required=False)
            self.fields[f"seconds_{kind}"] = forms.IntegerField(
                label=_("Seconds a slide"),
                required=False,
                min_value=SHORTEST_SECONDS,
                max_value=LONGEST_SECONDS,
                error_messages=dict.fromkeys(
                    ("min_value", "max_value", "invalid"),
                    _("Show each slide for %(shortest)s to %(longest)s seconds.")
                    % {"shortest": SHORTEST_SECONDS, "longest": LONGEST_SECONDS},
                ),
            )

    def kinds(self) -> Iterator[tuple[BoundField, BoundField]]:
        for kind in KIND_LABELS:
            yield self[f"shows_{kind}"], self[f"seconds_{kind}"]

    @property
    def seconds_hint(self) -> str:
        return gettext(
            "If all slides together take more than {turn} seconds, each is shown for less time than you set, but for at"
            " least {shortest} seconds."
        ).format(shortest=SHORTEST_READING, turn=LONGEST_TURN)

    def plan(self) -> Plan:
        """Only after `is_valid`."""
        data = self.cleaned_data
        seconds = {
            kind: data[f"seconds_{kind}"] or DEFAULT_SECONDS[kind]
            for kind in KIND_LABELS
            if data[f"shows_{kind}"]
        }
        return Plan(seconds, tuple(uuid.UUID(pk) for pk in data["tournaments"]), Theme(data["theme"]))


def initial_values(plan: Plan, label: str = "") -> dict[str, Any]:
    values: dict[str, Any] = {
        "label": label,
        "theme": plan.theme.value,
        "tournaments": [str(pk) for pk in plan.tournaments],
    }
    for kind in KIND_LABELS:
        values[f"shows_{kind}"] = plan.shows(kind)
        values[f"seconds_{kind}"] = plan.seconds.get(kind, DEFAULT_SECONDS[kind])
    return values


class SlideForm(forms.Form):
    """A text, a picture or both. `runtime.images` checks the picture."""

    text = forms.CharField(label=_("Text"), max_length=200, required=False)
    picture = forms.FileField(
        label=_("Picture"),
        required=False,
        max_length=None,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
        help_text=_("JPEG, PNG, WebP or GIF, at most 12 MB. It is reduced to the size of a screen."),
    )

    def uploaded(self) -> bytes:
        """Returns the bytes of the picture, at most one more than allowed. Requires a valid form."""
        file: UploadedFile[bytes] | None = self.cleaned_data["picture"]
        return file.read(MAX_UPLOAD_BYTES + 1) if file is not None else b""
