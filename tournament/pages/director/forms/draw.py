"""Forms of the draw page: how to draw, why to draw again, how long a round's matches are."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.drawing import DrawPlan
from tournament.models.brackets import DrawMethod
from tournament.pages.director.forms.tournament import length_field

METHODS = [
    (DrawMethod.RANDOM.value, _("By lot: everybody's place is drawn")),
    (DrawMethod.SEEDED.value, _("Seeded: seeds are kept apart, the others are drawn")),
]


class DrawForm(forms.Form):
    """`reason_needed`: the draw that this one replaces was released."""

    method = forms.ChoiceField(label=_("How to draw"), choices=METHODS, widget=forms.RadioSelect)
    seed_text = forms.CharField(
        label=_("Seed text"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "Any text: the same text and entries always give the same draw. Leave it empty and one is made by chance."
        ),
    )
    reason = forms.CharField(label=_("Reason for drawing again"), max_length=200)

    def __init__(self, *args: Any, is_redraw: bool, reason_needed: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        if not is_redraw:
            del self.fields["reason"]
        else:
            self.fields["reason"].required = reason_needed

    def plan(self) -> DrawPlan:
        return DrawPlan(**self.cleaned_data)


class ReasonForm(forms.Form):
    """A reason that may be left out, unless the work asks for it."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)


class LengthForm(forms.Form):
    round = forms.IntegerField(widget=forms.HiddenInput)
    length = length_field(label=_("Match length"))
