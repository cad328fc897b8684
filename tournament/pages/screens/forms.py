"""Forms of the screens page: what a screen shows and for how long, and a slide of the event's own."""

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Tournament
from tournament.runtime.images import MAX_UPLOAD_BYTES
from tournament.screens.plan import LONGEST, SECONDS, SHORTEST, Plan, Show, Theme

SHOWS: Mapping[Show, Promise] = {
    Show.CALLS: _("Calls: who goes to which table now"),
    Show.TABLES: _("Tables: who plays where"),
    Show.BRACKETS: _("Brackets: the rounds that are played"),
    Show.STANDINGS: _("Standings"),
    Show.SLIDES: _("Slides of your own"),
}
THEMES = [(Theme.DARK.value, _("Dark")), (Theme.LIGHT.value, _("Light"))]


class ScreenForm(forms.Form):
    """`seconds_KIND` stands beside each kind; one that is not ticked is not shown."""

    label = forms.CharField(
        label=_("Name of the screen"),
        max_length=60,
        help_text=_("Where it hangs, so that you know it again."),
        error_messages={"required": _("Give the screen a name.")},
    )
    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: all of them, with those that come later."),
    )
    theme = forms.ChoiceField(label=_("Colours"), choices=THEMES, widget=forms.RadioSelect)

    def __init__(self, event: Event, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        rows = Tournament.objects.filter(event=event)
        self.fields["tournaments"].choices = [(str(one.pk), one.name) for one in rows]  # type: ignore[attr-defined]
        for kind, words in SHOWS.items():
            self.fields[f"shows_{kind}"] = forms.BooleanField(label=str(words), required=False)
            self.fields[f"seconds_{kind}"] = forms.IntegerField(
                label=_("Seconds a slide"),
                required=False,
                min_value=SHORTEST,
                max_value=LONGEST,
                error_messages=dict.fromkeys(
                    ("min_value", "max_value", "invalid"),
                    _("Give each slide %(shortest)s to %(longest)s seconds.")
                    % {"shortest": SHORTEST, "longest": LONGEST},
                ),
            )

    def kinds(self) -> Iterator[tuple[BoundField, BoundField]]:
        """Each kind with its seconds."""
        for kind in SHOWS:
            yield self[f"shows_{kind}"], self[f"seconds_{kind}"]

    def plan(self) -> Plan:
        """Only after `is_valid`."""
        said = self.cleaned_data
        seconds = {kind: said[f"seconds_{kind}"] or SECONDS[kind] for kind in SHOWS if said[f"shows_{kind}"]}
        return Plan(seconds, tuple(uuid.UUID(one) for one in said["tournaments"]), Theme(said["theme"]))


def as_typed(plan: Plan, label: str = "") -> dict[str, Any]:
    """What the form shows of a plan."""
    typed: dict[str, Any] = {
        "label": label,
        "theme": plan.theme.value,
        "tournaments": [str(one) for one in plan.tournaments],
    }
    for kind in SHOWS:
        typed[f"shows_{kind}"] = plan.shows(kind)
        typed[f"seconds_{kind}"] = plan.seconds.get(kind, SECONDS[kind])
    return typed


class SlideForm(forms.Form):
    """Words, a picture or both; whether it is a picture is said by `screens.pictures`."""

    text = forms.CharField(label=_("Words"), max_length=200, required=False)
    picture = forms.FileField(
        label=_("Picture"),
        required=False,
        max_length=None,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
        help_text=_("JPEG, PNG, WebP or GIF, at most 12 MB. It is kept at the size of a screen."),
    )

    def sent(self) -> bytes:
        """The bytes of the picture, one more than is allowed at most; only after `is_valid`."""
        file: UploadedFile[bytes] | None = self.cleaned_data["picture"]
        return file.read(MAX_UPLOAD_BYTES + 1) if file is not None else b""
