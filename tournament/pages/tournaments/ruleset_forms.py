"""Fields for a ruleset: one of the standard sheets, and the fields in which the tournament differs from it.

`rules` defines the meaning of each field; this module has the labels and the choices.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.ruleset import (
    DEFAULT_PRESET,
    PRESETS,
    STAKE_PLAY_PRESETS,
    BearOff,
    Clock,
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    DiceObligation,
    FirstDouble,
    LateLadder,
    Opening,
    Ruleset,
    UncubedSingle,
)

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
MOST_SUGGESTED = 20
AS_THE_SHEET = ("", _("As in the rule sheet"))


Choices = tuple[tuple[str, Promise | str, Any], ...]


@dataclass(frozen=True, slots=True)
class OwnChange:
    """One field of a ruleset that a director may change here: its label and (code, words, value) of each choice."""

    field: str
    label: Promise
    choices: Choices

    def form_field(self, current: Ruleset | None) -> forms.ChoiceField:
        """Also offers the value of `current` if the API has set a value outside the list."""
        offered = [AS_THE_SHEET, *((code, words) for code, words, _value in self.choices)]
        own = getattr(current, self.field) if current is not None else self.choices[0][2]
        if self.field not in PARTS and own not in [value for _code, _words, value in self.choices]:
            offered.append((self.code(own), self.code(own)))
        return forms.ChoiceField(label=str(self.label), choices=offered, required=False)

    def value(self, code: str) -> Any:
        known = {known: value for known, _words, value in self.choices}
        return known[code] if code in known else int(code)

    def code(self, value: Any) -> str:
        """Returns the code of a value. A number is its own code."""
        return next((code for code, _words, known in self.choices if known == value), str(value))


@dataclass(frozen=True, slots=True)
class Figure:
    """One number in a part of a ruleset: the late ladder or the clock."""

    part: str
    name: str
    label: Promise
    least: int
    most: int

    @property
    def field(self) -> str:
        return f"{self.part}_{self.name}"

    def form_field(self) -> forms.IntegerField:
        attributes = {"inputmode": "numeric", "min": self.least, "max": self.most}
        return forms.IntegerField(
            label=str(self.label),
            required=False,
            min_value=self.least,
            max_value=self.most,
            widget=forms.NumberInput(attrs=attributes),
        )


YES_OR_NO = (("yes", _("Yes"), True), ("no", _("No"), False))
NUMBERS: Choices = tuple((str(number), str(number), number) for number in (2, 3))
FEW_OR_ANY: Choices = (("none", _("None"), 0), ("one", _("One"), 1), *NUMBERS, ("any", _("Any number"), None))
USED_OR_NOT = (("yes", _("Yes, with these figures"), True), ("no", _("No"), False))
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
    OwnChange("automatic_doubles", _("Automatic doubles in a game"), FEW_OR_ANY),
    OwnChange("beavers", _("Beavers in reply to a double"), FEW_OR_ANY),
    OwnChange(
        "cube_limit",
        _("Highest cube"),
        (("none", _("No limit"), None), *((str(2**n), str(2**n), 2**n) for n in range(1, 11))),
    ),
)
MORE_CHANGES = (
    OwnChange(
        "opening",
        _("The first play"),
        (
            ("play_both_dice", _("With the two dice of the opening roll"), Opening.PLAY_BOTH_DICE),
            ("roll_again", _("With a new roll of both dice"), Opening.ROLL_AGAIN),
        ),
    ),
    OwnChange(
        "dice_obligation",
        _("Dice that must be played"),
        (
            ("all_then_larger", _("As many as possible, else the larger"), DiceObligation.ALL_THEN_LARGER),
            ("all", _("As many as possible"), DiceObligation.ALL),
            ("larger_die_suffices", _("The larger is enough"), DiceObligation.LARGER_DIE_SUFFICES),
        ),
    ),
    OwnChange(
        "bear_off",
        _("A die whose point is empty, with checkers above it"),
        (
            ("highest_only", _("Bears nothing off"), BearOff.HIGHEST_ONLY),
            ("lower_allowed", _("May bear off from a lower point"), BearOff.LOWER_ALLOWED),
        ),
    ),
    OwnChange("hit_checker_first", _("A checker hit during bearing off moves first"), YES_OR_NO),
    OwnChange(
        "cube_timing",
        _("When to double"),
        (
            ("before_roll", _("Before one's own roll"), CubeTiming.BEFORE_ROLL),
            ("any_time", _("At any time"), CubeTiming.ANY_TIME),
        ),
    ),
    OwnChange(
        "first_double",
        _("The first double"),
        (
            ("from_start", _("From the start of the game"), FirstDouble.FROM_START),
            ("after_first_throw", _("After the first throw"), FirstDouble.AFTER_FIRST_THROW),
        ),
    ),
    OwnChange("crawford_after_penalty", _("Penalty points bring the Crawford game"), YES_OR_NO),
    OwnChange("backgammon_counts_bar", _("A checker on the bar makes a backgammon"), YES_OR_NO),
    OwnChange("late_ladder", _("Penalty points for being late"), USED_OR_NOT),
    OwnChange("clock", _("Clocks"), USED_OR_NOT),
    OwnChange(
        "clock_expiry",
        _("A clock that runs out"),
        (
            ("loses_match", _("Loses the match"), ClockExpiry.LOSES_MATCH),
            ("overtime", _("Brings overtime"), ClockExpiry.OVERTIME),
        ),
    ),
)
PARTS: Mapping[str, type[LateLadder] | type[Clock]] = {"late_ladder": LateLadder, "clock": Clock}
FIGURES = (
    Figure("late_ladder", "first_minutes", _("Late: first penalty after minutes"), 1, 600),
    Figure("late_ladder", "first_points", _("Late: points of the first penalty"), 1, 999),
    Figure("late_ladder", "each_minutes", _("Late: next penalties every minutes"), 1, 600),
    Figure("late_ladder", "each_points", _("Late: points of each next penalty"), 0, 999),
    Figure("late_ladder", "lost_beyond_percent", _("Late: match lost above percent of its length"), 0, 100),
    Figure("clock", "point_seconds", _("Clock: seconds a match point"), 0, 3600),
    Figure("clock", "move_seconds", _("Clock: seconds a move"), 0, 3600),
    Figure("clock", "doubles_point_seconds", _("Clock of pairs: seconds a match point"), 0, 3600),
    Figure("clock", "doubles_move_seconds", _("Clock of pairs: seconds a move"), 0, 3600),
    Figure("clock", "late_start_seconds", _("Clock started late: seconds less a point"), 0, 3600),
)
TITLE, SUGGESTED = "rules_title", "suggested_lengths"
FIELDS = (
    *(change.field for change in (*OWN_CHANGES, *MORE_CHANGES)),
    *(figure.field for figure in FIGURES),
    TITLE,
    SUGGESTED,
)
"""The form's fields that change a ruleset. An empty field has the sheet's value."""


class SuggestedField(forms.CharField):
    """Usual match lengths, as "10, 20, 50". An empty field is None."""

    def to_python(self, value: Any) -> tuple[int, ...] | None:  # type: ignore[override]
        parts = str(value or "").replace(",", " ").split()
        lengths = tuple(int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 4)
        if len(lengths) != len(parts) or 0 in lengths or len(lengths) > MOST_SUGGESTED:
            raise forms.ValidationError(_("Enter numbers from 1 to 999, for example “10, 20”."))
        return lengths or None


def form_fields(current: Ruleset | None) -> dict[str, forms.Field]:
    """Returns the fields that change a ruleset, by name."""
    fields: dict[str, forms.Field] = {
        change.field: change.form_field(current) for change in (*OWN_CHANGES, *MORE_CHANGES)
    }
    fields |= {figure.field: figure.form_field() for figure in FIGURES}
    fields[TITLE] = forms.CharField(label=_("Name of these rules"), required=False, max_length=120)
    fields[SUGGESTED] = SuggestedField(label=_("Usual match lengths"), required=False, max_length=100)
    return fields


def sheet_choices() -> list[tuple[str, Promise]]:
    choices = [(name, words[0]) for name, words in SHEETS.items() if name in PRESETS]
    return sorted(choices, key=lambda choice: choice[0] != DEFAULT_PRESET)


def usual_lengths(sheet: str) -> str:
    """Returns the sheet's suggested lengths with commas, or a label for a sheet of stake play without lengths."""
    if sheet in STAKE_PLAY_PRESETS and not PRESETS[sheet].suggested_lengths:
        return str(_("none, it is stake play"))
    return ", ".join(map(str, PRESETS[sheet].suggested_lengths))


def translate_title(title: str) -> str:
    """Returns the title of a stored ruleset in the reader's language if it is that of a sheet, else unchanged."""
    for name, preset in PRESETS.items():
        if title == preset.title:
            return str(SHEETS[name][0])
        if title == _changed_title(preset):
            return gettext("{sheet}, with changes").format(sheet=SHEETS[name][0])
    return title


def _changed_title(preset: Ruleset) -> str:
    return f"{preset.title}, with changes"


def chosen(sheet: str, data: Mapping[str, Any]) -> Ruleset:
    """Returns the sheet's ruleset with these changes. An empty field has the sheet's value."""
    preset = PRESETS[sheet]
    values = {
        change.field: change.value(data[change.field])
        for change in (*OWN_CHANGES, *MORE_CHANGES)
        if data.get(change.field) and change.field not in PARTS
    }
    values |= {part: _part(preset, part, data) for part in PARTS}
    if data.get(SUGGESTED):
        values[SUGGESTED] = data[SUGGESTED]
    ruleset = replace(preset, **values)
    usual = _changed_title(preset) if ruleset != preset else preset.title
    return replace(ruleset, title=data.get(TITLE) or usual)


def _part(preset: Ruleset, part: str, data: Mapping[str, Any]) -> LateLadder | Clock | None:
    """Returns the late ladder or the clock: None, or the sheet's value with the entered numbers."""
    entered = {figure.name: data.get(figure.field) for figure in FIGURES if figure.part == part}
    entered = {name: value for name, value in entered.items() if value is not None}
    is_used = data.get(part)
    if is_used == "no":
        return None
    usual: Any = getattr(preset, part)
    if usual is None and not is_used and not entered:
        return None
    figures: LateLadder | Clock = replace(usual or PARTS[part](), **entered)
    return figures


def codes_of(ruleset: Ruleset) -> dict[str, Any]:
    """Returns the form's values for this ruleset: its sheet, and each value that differs from the sheet."""
    sheet = ruleset.name if ruleset.name in PRESETS else DEFAULT_PRESET
    preset = PRESETS[sheet]
    codes: dict[str, Any] = {"sheet": sheet}
    for change in (*OWN_CHANGES, *MORE_CHANGES):
        value = getattr(ruleset, change.field)
        is_same = value == getattr(preset, change.field)
        choice = value is not None if change.field in PARTS else value
        codes[change.field] = "" if is_same else change.code(choice)
    for figure in FIGURES:
        own, usual = (
            getattr(getattr(source, figure.part), figure.name, None) for source in (ruleset, preset)
        )
        codes[figure.field] = own if own != usual else None
    lengths = ruleset.suggested_lengths
    codes[SUGGESTED] = ", ".join(map(str, lengths)) if lengths != preset.suggested_lengths else ""
    usual_titles = (preset.title, _changed_title(preset))
    codes[TITLE] = "" if ruleset.title in usual_titles else ruleset.title
    return codes
