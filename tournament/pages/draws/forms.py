"""Forms of the draw page: how to draw, by secret and dice or at once, why to draw again, how long a round is."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.draw.recipes import Byes, OrderRules, SeededLines, Separate
from tournament.drawing.draws import DrawPlan, ExpectedDraw
from tournament.drawing.order import DrawRules
from tournament.entries.lists.limits import HIGHEST_SEED
from tournament.models.brackets import DrawMethod

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
    (SeededLines.FIXED.value, _("Fixed: seed 3 always stands on the same line")),
    (SeededLines.DRAWN.value, _("Drawn between 3 and 4, among 5 to 8, and so on")),
]
APART = [
    (Separate.NONE.value, _("Nobody")),
    (Separate.CLUB.value, _("Players of one club")),
    (Separate.COUNTRY.value, _("Players of one country")),
    (Separate.TEAM.value, _("Players of one team")),
]
MOST_PROTECTED = 5
RULES = ("byes", "by_hand", "byes_reason", "seeded_lines", "separate", "protected_rounds")
Names = Sequence[tuple[str, str]]


class RulesForm(forms.Form):
    """How to draw. `names` are the entries by their ids; without them, where nobody can have a bye, only the method."""

    method = forms.ChoiceField(label=_("How to draw"), choices=METHODS, widget=forms.RadioSelect)
    byes = forms.ChoiceField(
        label=_("Who has the byes"),
        choices=BYES,
        required=False,
        help_text=_(
            "Rounds and brackets stay as shown. Byes by lot among all, or named below, can change who has a second bye "
            "and who may meet again."
        ),
    )
    byes_reason = forms.CharField(
        label=_("Reason for byes by hand"), required=False, max_length=200, help_text=_("It is published.")
    )
    seeded_lines = forms.ChoiceField(label=_("Lines of the seeds"), choices=LINES, required=False)
    separate = forms.ChoiceField(label=_("Keep apart"), choices=APART, required=False)
    protected_rounds = forms.IntegerField(
        label=_("In this many rounds"),
        required=False,
        min_value=1,
        max_value=MOST_PROTECTED,
        help_text=_("Empty: the first only."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1, "max": MOST_PROTECTED}),
    )

    def __init__(self, *args: Any, names: Names = (), **more: Any) -> None:
        super().__init__(*args, **more)
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
        said = super().clean() or {}
        if said.get("byes") == Byes.BY_HAND and not said.get("byes_reason", "").strip():
            self.add_error("byes_reason", _("Say why these have the byes."))
        return said

    @property
    def rules(self) -> list[forms.BoundField]:
        return [self[name] for name in RULES if name in self.fields]

    @property
    def by_hand_boxes(self) -> list[dict[str, Any]]:
        """A box for each entry: ready to be written, because a widget each takes longer than the whole page."""
        field = self["by_hand"]
        ticked = {str(value) for value in field.value() or ()}
        return [
            {
                "id": f"{field.id_for_label}_{place}",
                "value": value,
                "label": label,
                "is_checked": value in ticked,
            }
            for place, (value, label) in enumerate(self.names)
        ]

    @property
    def has_special_rules(self) -> bool:
        """Something other than the usual is asked, or wrong."""
        usual: tuple[Any, ...] = (None, "", [], Byes.TOP_SEEDS, SeededLines.FIXED, Separate.NONE)
        return any(field.errors or field.value() not in usual for field in self.rules)

    def draw_rules(self) -> DrawRules:
        said = self.cleaned_data
        return DrawRules(said["method"], order_rules(said), said.get("byes_reason", ""))


class DrawForm(RulesForm):
    """`reason_needed`: the draw that this one replaces was released, or made with a secret. `seen` is its number."""

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
    reason = forms.CharField(label=_("Reason for drawing again"), max_length=200)

    def __init__(self, *args: Any, is_redraw: bool, reason_needed: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        if not is_redraw:
            del self.fields["reason"]
        else:
            self.fields["reason"].required = reason_needed

    def expected_draw(self) -> ExpectedDraw:
        return ExpectedDraw(self.cleaned_data["seen"])

    def plan(self) -> DrawPlan:
        said = self.cleaned_data
        return DrawPlan(
            method=said["method"],
            seed_text=said["seed_text"],
            reason=said.get("reason", ""),
            rules=order_rules(said),
            byes_reason=said.get("byes_reason", ""),
        )


def order_rules(said: Mapping[str, Any]) -> OrderRules[str]:
    """The rules as said; what is left out is as usual."""
    plain: OrderRules[str] = OrderRules()
    by_hand = said.get("byes") == Byes.BY_HAND
    return OrderRules(
        byes=Byes(said.get("byes") or plain.byes),
        seeded_lines=SeededLines(said.get("seeded_lines") or plain.seeded_lines),
        separate=Separate(said.get("separate") or plain.separate),
        protected_rounds=said.get("protected_rounds") or plain.protected_rounds,
        by_hand=tuple(said.get("by_hand", ())) if by_hand else (),
    )


class SeedingForm(forms.Form):
    how_many = forms.IntegerField(
        label=_("Seed the best rated"),
        min_value=0,
        max_value=HIGHEST_SEED,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 0}),
        error_messages={"required": _("Say how many are seeded.")},
    )


class ReasonForm(forms.Form):
    """A reason that may be left out, unless the work asks for it."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)
