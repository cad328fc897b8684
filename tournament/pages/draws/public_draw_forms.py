"""Forms of a draw by secret and dice: how it will be drawn and what counts, then what was thrown."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournament.draw.public_draw.commitment import LONGEST_PUBLIC_TEXT
from tournament.draw.public_draw.public_chance import (
    LONGEST_DESCRIPTION,
    MOST_DIGITS,
    MOST_THROWS,
    USUAL_THROWS,
    PublicChance,
    PublicSource,
)
from tournament.drawing.draws import DrawPlan
from tournament.pages.draws.forms import RulesForm

EXAMPLE = ("31", "52", "66", "64", "21", "43", "55", "61", "42", "53", "11", "65")


class ClosingForm(RulesForm):
    """How it will be drawn, and how many dice will count or which public number."""

    throws = forms.IntegerField(
        label=_("Throws of two dice that count"),
        required=False,
        min_value=1,
        max_value=MOST_THROWS,
        initial=USUAL_THROWS,
        help_text=_("It is published with the closing, before anybody throws."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1, "max": MOST_THROWS}),
    )
    description = forms.CharField(
        label=_("Public number instead of dice"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        help_text=_("For example a lottery and its date. Empty: dice are thrown."),
    )
    digits = forms.IntegerField(
        label=_("Digits of the public number"),
        required=False,
        min_value=1,
        max_value=MOST_DIGITS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1, "max": MOST_DIGITS}),
    )

    def clean(self) -> dict[str, Any]:
        said = super().clean()
        if bool(said.get("description")) != bool(said.get("digits")):
            self.add_error("digits", _now("Give the public number a name and say how many digits it has."))
        return said

    def public(self) -> PublicChance:
        said = self.cleaned_data
        if said.get("digits"):
            return PublicChance(PublicSource.NUMBER, said["digits"], said["description"])
        return PublicChance(count=said.get("throws") or USUAL_THROWS)


class DiceForm(forms.Form):
    """What was thrown in the hall, `expected` as it was fixed. `is_redraw`: another draw was made before."""

    public = forms.CharField(
        label=_("Dice thrown in the hall"),
        max_length=LONGEST_PUBLIC_TEXT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "numeric"}),
        error_messages={"required": _("Throw dice in the hall and type them in first.")},
    )
    reason = forms.CharField(label=_("Reason for drawing again"), max_length=200)

    def __init__(self, *args: Any, expected: PublicChance, is_redraw: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["public"]
        if expected.kind is PublicSource.DICE:
            field.help_text = _now("{count} throws of two dice, in the order thrown: {example}").format(
                count=expected.count, example=" ".join(EXAMPLE[: expected.count])
            )
        else:
            field.label = expected.description
            field.help_text = _now("{count} digits and nothing else.").format(count=expected.count)
        if not is_redraw:
            del self.fields["reason"]

    def plan(self) -> DrawPlan:
        return DrawPlan(public=self.cleaned_data["public"], reason=self.cleaned_data.get("reason", ""))
