"""Forms of the draw page: how to draw, closing the entries, dice, seeds and reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.refusals import Refusal
from tournament.draw.public_draw.proof_version_1 import LONGEST_PUBLIC_TEXT
from tournament.draw.public_draw.public_chance import (
    LONGEST_DESCRIPTION,
    MOST_DIGITS,
    MOST_THROWS,
    USUAL_THROWS,
    PublicChance,
    PublicSource,
)
from tournament.draw.recipes import Byes, OrderRules, SeededLines, Separate
from tournament.drawing.draws import DrawPlan, ExpectedDraw
from tournament.drawing.order import DrawRules
from tournament.entries.lists.limits import HIGHEST_SEED
from tournament.models.brackets import DrawMethod
from tournament.refusals.draws import REDRAW_REASON_NEEDED

METHODS = [
    (DrawMethod.RANDOM.value, _("By lot: everybody's place is drawn")),
    (DrawMethod.SEEDED.value, _("Seeded: seeds are kept apart, the others are drawn")),
]
BYES = [
    (Byes.TOP_SEEDS.value, _("To the best seeds, then by lot")),
    (Byes.LOTTERY.value, _("By lot among all")),
    (Byes.BALANCED_LOTTERY.value, _("By lot, spread evenly over the sheet")),
    (Byes.BY_HAND.value, _("To those named below")),
]
LINES = [
    (SeededLines.FIXED.value, _("Fixed: seed 3 is always on the same line")),
    (SeededLines.DRAWN.value, _("Drawn between 3 and 4, among 5 to 8, and so on")),
]
APART = [
    (Separate.NONE.value, _("Nobody")),
    (Separate.CLUB.value, _("Players of one club")),
    (Separate.COUNTRY.value, _("Players of one country")),
    (Separate.TEAM.value, _("Players of one team")),
]
MOST_PROTECTED = 5
EXAMPLE_THROWS = ("31", "52", "66", "64", "21", "43", "55", "61", "42", "53", "11", "65")
RULES = ("byes", "by_hand", "byes_reason", "seeded_lines", "separate", "protected_rounds")
Names = Sequence[tuple[str, str]]


def reason_field(needed: Refusal | None = None, **more: Any) -> forms.CharField:
    """`needed` is the refusal of an empty reason; without it the reason is optional."""
    options: dict[str, Any] = {
        "label": _("Reason"),
        "max_length": 200,
        "required": needed is not None,
        **more,
    }
    if needed is not None:
        options["error_messages"] = {"required": _(needed.template)}
    return forms.CharField(**options)


class ReasonForm(forms.Form):
    """`needed` is the refusal of an empty reason; without it the reason is optional."""

    def __init__(self, *args: Any, needed: Refusal | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["reason"] = reason_field(needed)


class RulesForm(forms.Form):
    """The rules of a draw. `names` are entry ids and names; without names, the form has only the method."""

    method = forms.ChoiceField(label=_("How to draw"), choices=METHODS, widget=forms.RadioSelect)
    byes = forms.ChoiceField(
        label=_("Who gets the byes"),
        choices=BYES,
        required=False,
        help_text=_(
            "Rounds and brackets stay as shown. Byes by lot among all, or named below, can change who "
            "has a second bye "
            "and who may meet again."
        ),
    )
    byes_reason = forms.CharField(
        label=_("Reason for byes by hand"), required=False, max_length=200, help_text=_("It is published.")
    )
    seeded_lines = forms.ChoiceField(label=_("Positions of the seeds"), choices=LINES, required=False)
    separate = forms.ChoiceField(label=_("Keep apart"), choices=APART, required=False)
    protected_rounds = forms.IntegerField(
        label=_("In how many rounds"),
        required=False,
        min_value=1,
        max_value=MOST_PROTECTED,
        help_text=_("Empty: only in the first round."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1, "max": MOST_PROTECTED}),
    )

    def __init__(self, *args: Any, names: Names = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.names = names
        self.fields["by_hand"] = forms.MultipleChoiceField(
            label=_("Byes by hand"),
            choices=list(names),
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        if not names:
            for name in RULES:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("byes") == Byes.BY_HAND and not data.get("byes_reason", "").strip():
            self.add_error("byes_reason", _("Enter a reason for these byes."))
        return data

    @property
    def rules(self) -> list[forms.BoundField]:
        return [self[name] for name in RULES if name in self.fields]

    @property
    def by_hand_boxes(self) -> list[dict[str, Any]]:
        """The check boxes as plain data: a widget for each entry takes longer to render than the rest of the page."""
        field = self["by_hand"]
        ticked = {str(value) for value in field.value() or ()}
        return [
            {
                "id": f"{field.id_for_label}_{index}",
                "value": value,
                "label": label,
                "is_checked": value in ticked,
            }
            for index, (value, label) in enumerate(self.names)
        ]

    @property
    def has_special_rules(self) -> bool:
        """True if a rule differs from its default or has an error."""
        defaults: tuple[Any, ...] = (None, "", [], Byes.TOP_SEEDS, SeededLines.FIXED, Separate.NONE)
        return any(field.errors or field.value() not in defaults for field in self.rules)

    def draw_rules(self) -> DrawRules:
        data = self.cleaned_data
        return DrawRules(data["method"], order_rules(data), data.get("byes_reason", ""))


class ReleaseForm(forms.Form):
    """`seen` is the number of the draw that the user saw, in the form or the address; missing where none is shown."""

    seen = forms.IntegerField(required=False)

    def expected_draw(self) -> ExpectedDraw | None:
        number = self.cleaned_data.get("seen") if self.is_valid() else None
        return None if number is None else ExpectedDraw(number)


class DrawForm(RulesForm):
    """A draw that is made at once. `reason_needed`: the draw to replace was released, or made with a secret.

    `seen` is the number of the draw that the user saw as current.
    """

    seen = forms.IntegerField(required=False, min_value=1, max_value=32767)

    seed_text = forms.CharField(
        label=_("Seed text"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "Any text: the same text and entries always give the same draw. Leave it empty and one is made by chance."
        ),
    )
    reason = reason_field(REDRAW_REASON_NEEDED, label=_("Reason for drawing again"))

    def __init__(self, *args: Any, is_redraw: bool, reason_needed: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not is_redraw:
            del self.fields["reason"]
        else:
            self.fields["reason"].required = reason_needed

    def expected_draw(self) -> ExpectedDraw:
        return ExpectedDraw(self.cleaned_data["seen"])

    def plan(self) -> DrawPlan:
        data = self.cleaned_data
        return DrawPlan(
            method=data["method"],
            seed_text=data["seed_text"],
            reason=data.get("reason", ""),
            rules=order_rules(data),
            byes_reason=data.get("byes_reason", ""),
        )


def order_rules(data: Mapping[str, Any]) -> OrderRules[str]:
    """The rules in cleaned form data; a missing field has its default."""
    defaults: OrderRules[str] = OrderRules()
    by_hand = data.get("byes") == Byes.BY_HAND
    return OrderRules(
        byes=Byes(data.get("byes") or defaults.byes),
        seeded_lines=SeededLines(data.get("seeded_lines") or defaults.seeded_lines),
        separate=Separate(data.get("separate") or defaults.separate),
        protected_rounds=data.get("protected_rounds") or defaults.protected_rounds,
        by_hand=tuple(data.get("by_hand", ())) if by_hand else (),
    )


class SeedingForm(forms.Form):
    how_many = forms.IntegerField(
        label=_("Seed the best rated"),
        min_value=0,
        max_value=HIGHEST_SEED,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 0}),
        error_messages={"required": _("Enter the number of seeds.")},
    )


class ClosingForm(RulesForm):
    """The rules of a draw with a later public throw: dice or a public number."""

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
        data = super().clean()
        if bool(data.get("description")) != bool(data.get("digits")):
            self.add_error("digits", gettext("Give the name and the number of digits of the public number."))
        return data

    def public(self) -> PublicChance:
        data = self.cleaned_data
        if data.get("digits"):
            return PublicChance(PublicSource.NUMBER, data["digits"], data["description"])
        return PublicChance(count=data.get("throws") or USUAL_THROWS)


class DiceForm(forms.Form):
    """The public throw. The closing fixed `expected`, the kind of throw. `is_redraw`: there was a draw before."""

    public = forms.CharField(
        label=_("Dice thrown in the hall"),
        max_length=LONGEST_PUBLIC_TEXT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "numeric"}),
        error_messages={"required": _("Throw dice in the hall and type them in first.")},
    )
    reason = forms.CharField(label=_("Reason for drawing again"), max_length=200)

    def __init__(self, *args: Any, expected: PublicChance, is_redraw: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["public"]
        if expected.kind is PublicSource.DICE:
            field.help_text = gettext("{count} throws of two dice, in the order thrown: {example}").format(
                count=expected.count, example=" ".join(EXAMPLE_THROWS[: expected.count])
            )
        else:
            field.label = expected.description
            field.help_text = gettext("{count} digits and nothing else.").format(count=expected.count)
        if not is_redraw:
            del self.fields["reason"]

    def plan(self) -> DrawPlan:
        return DrawPlan(public=self.cleaned_data["public"], reason=self.cleaned_data.get("reason", ""))
