"""Choosing a ruleset: one of the known sheets, and what this tournament plays differently.

What a field of a ruleset means is known to `rules`; here are only the words for it and the choices offered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.ruleset import DEFAULT_PRESET, PRESETS, CrawfordForm, Ruleset, UncubedSingle

SHEETS: Mapping[str, tuple[Promise, Promise]] = {
    "tournament": (
        _("Tournament match play"),
        _("Matches to a length, doubling cube, Crawford game. What most tournaments play."),
    ),
    "standard": (
        _("Standard rules"),
        _(
            "Matches with cube and Crawford game; beavers, Jacoby and automatic doubles stay off unless chosen."
        ),
    ),
    "boxed-set": (
        _("Boxed set with house scoring"),
        _(
            "An undoubled game counts the loser's checkers left; in the Crawford game only the leader may double."
        ),
    ),
    "parker-1994": (
        _("Parker Brothers 1994"),
        _("No Crawford game; the first double only after the first throw."),
    ),
    "fundex-5730": (
        _("Fundex 5730"),
        _("Matches to 10 and more, no Crawford game, the cube may be offered at any time."),
    ),
}
AS_THE_SHEET = ("", _("As the sheet says"))


@dataclass(frozen=True, slots=True)
class OwnChange:
    """One field of a ruleset that a director may change here: its label and (code, words, value) of each choice."""

    field: str
    label: Promise
    choices: tuple[tuple[str, Promise, Any], ...]

    def form_field(self) -> forms.ChoiceField:
        offered = [AS_THE_SHEET, *((code, words) for code, words, _value in self.choices)]
        return forms.ChoiceField(label=str(self.label), choices=offered, required=False)

    def value(self, code: str) -> Any:
        return next(value for known, _words, value in self.choices if known == code)

    def code(self, value: Any) -> str:
        """The code of a value; empty when it is none of those offered."""
        return next((code for code, _words, known in self.choices if known == value), "")


YES_OR_NO = (("yes", _("Yes"), True), ("no", _("No"), False))
OWN_CHANGES = (
    OwnChange("cube", _("Doubling cube"), YES_OR_NO),
    OwnChange(
        "crawford",
        _("Crawford game"),
        (
            ("on", _("Nobody doubles in it"), CrawfordForm.ON),
            ("trailer_only", _("Only the leader may double in it"), CrawfordForm.TRAILER_ONLY),
            ("off", _("There is none"), CrawfordForm.OFF),
        ),
    ),
    OwnChange("jacoby", _("Jacoby rule"), YES_OR_NO),
    OwnChange(
        "uncubed_single",
        _("A single game with the cube never turned"),
        (
            ("one", _("Counts one point"), UncubedSingle.ONE),
            ("checkers_left", _("Counts the loser's checkers left"), UncubedSingle.CHECKERS_LEFT),
        ),
    ),
    OwnChange(
        "automatic_doubles",
        _("Automatic doubles"),
        (("none", _("None"), 0), ("one", _("One a game"), 1), ("any", _("Any number"), None)),
    ),
    OwnChange(
        "beavers",
        _("Beavers"),
        (("none", _("None"), 0), ("one", _("One"), 1), ("any", _("Any number"), None)),
    ),
    OwnChange(
        "cube_limit",
        _("Highest cube"),
        (("none", _("No limit"), None), ("8", _("8"), 8), ("16", _("16"), 16), ("64", _("64"), 64)),
    ),
)


def sheet_choices() -> list[tuple[str, Promise]]:
    known = [(name, words[0]) for name, words in SHEETS.items() if name in PRESETS]
    return sorted(known, key=lambda choice: choice[0] != DEFAULT_PRESET)


def chosen(current: Ruleset | None, sheet: str, codes: Mapping[str, str]) -> Ruleset:
    """The sheet with the changes of these codes; what `current` has beyond both stays while the sheet does."""
    preset = PRESETS[sheet]
    basis = current if current is not None and current.name == sheet else preset
    values = {
        change.field: change.value(codes[change.field])
        if codes.get(change.field)
        else getattr(preset, change.field)
        for change in OWN_CHANGES
    }
    ruleset = replace(basis, **values)
    is_changed = replace(ruleset, title=preset.title) != preset
    return replace(ruleset, title=f"{preset.title}, with changes" if is_changed else preset.title)


def codes_of(ruleset: Ruleset) -> dict[str, str]:
    """What stands in the form for this ruleset: its sheet, and a code wherever it differs from that."""
    sheet = ruleset.name if ruleset.name in PRESETS else DEFAULT_PRESET
    codes = {"sheet": sheet}
    for change in OWN_CHANGES:
        value = getattr(ruleset, change.field)
        codes[change.field] = "" if value == getattr(PRESETS[sheet], change.field) else change.code(value)
    return codes
