"""A tournament's form: name, format, rules and lengths as directors write them ("final 11, semifinals 9, others 7")."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.ruleset import DEFAULT_PRESET, PRESETS, Ruleset
from tournament.brackets.lengths import LONGEST, SHORTEST, stake_play
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FormatPreset
from tournament.draw.standings.default_tie_breaks import SWISS_ORDER
from tournament.events.setup import TournamentPlan
from tournament.models import Tournament
from tournament.pages.tournaments import ruleset_forms as sheets
from tournament.pages.tournaments import standings_forms as ranking
from tournament.pages.tournaments.format_forms import FIELDS_OF, FormatForm, format_as_fields, format_of
from tournament.pages.tournaments.length_forms import (
    GAMES,
    LENGTH,
    MINUTES,
    WRONG,
    length_field,
    played_as_fields,
    played_fields,
    stake_play_of,
    usual_standings,
)
from tournament.pages.tournaments.prize_forms import (
    CURRENCY,
    TABLES,
    prize_fields,
    prizes_as_fields,
    prizes_of,
)
from tournament.pages.tournaments.prize_forms import FIELDS as PRIZES
from tournament.pages.tournaments.score_delay_forms import DelayField, delay_code
from tournament.queries.brackets.labels import ROUND_TITLES

NAMED_ROUNDS = 4
LONGEST_WAIT = 24 * 60
MOST_LENGTHS = 10
USUAL_LENGTH = 5
"""The stored length under stake play, if the form has none."""
WITH_A_FINAL = (Kind.KNOCKOUT, Kind.DOUBLE, Kind.GROUPS, Kind.LIVES)
SIDES: Mapping[str, tuple[str, Promise, tuple[Kind, ...]]] = {
    "consolation": ("lengths_consolation", _("Consolation"), (Kind.KNOCKOUT,)),
    "lower": ("lengths_lower", _("Lower bracket"), (Kind.DOUBLE,)),
    "last chance": ("lengths_last_chance", _("Last chance"), (Kind.KNOCKOUT, Kind.DOUBLE)),
    "third place": ("lengths_third", _("Third place"), (Kind.KNOCKOUT,)),
    "group": ("lengths_group", _("Groups"), (Kind.GROUPS,)),
}
"""Side brackets by key: the field of their lengths, its label, and the kinds of format that have them."""
STORED_LENGTHS = "stored_lengths"
"""Lengths of brackets without a field in the form. The form keeps the values that the API has set."""
PROPOSED_FOR = "lengths_proposed_for"
"""The ruleset whose usual lengths the page has already proposed."""
USUAL: Mapping[str, Any] = {"confirm_after": 30, "final_score_allowed": True, "score_delay": "0"}
RESULTS = ("confirm_after", "final_score_allowed", "two_cards", "score_delay")
AFTER_THE_DRAW = {"name", "doubles", "uses_clocks", *RESULTS, *PRIZES}
"""Fields that can change after the draw."""


class LengthsField(forms.CharField):
    """Match lengths from the last round backwards, as "9, 7". An empty field has none."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        parts = str(value or "").replace(",", " ").split()
        numbers = [part for part in parts if part.isascii() and part.isdecimal() and len(part) < 3]
        lengths = tuple(int(part) for part in numbers if SHORTEST <= int(part) <= LONGEST)
        if len(lengths) != len(parts) or len(lengths) > MOST_LENGTHS:
            raise forms.ValidationError(_("Enter numbers from 1 to 99, for example “9, 7”."))
        return lengths


class TournamentForm(FormatForm):
    """Lengths start with the final. A round with an empty field has the length of `others`.

    `is_drawn` disables rules and lengths, because a draw copies them.
    """

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        error_messages={"required": _("Name it, such as “Open” or “Beginners”.")},
    )
    others = length_field(label=_("All others"), required=False)
    sheet = forms.ChoiceField(
        label=_("Rules"), choices=sheets.sheet_choices, widget=forms.RadioSelect, initial=DEFAULT_PRESET
    )
    lengths_proposed_for = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)
    confirm_after = forms.IntegerField(
        label=_("Minutes until a reported result counts as confirmed"),
        required=False,
        min_value=1,
        max_value=LONGEST_WAIT,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("Empty: only the opponent or the desk confirms."),
    )
    final_score_allowed = forms.BooleanField(
        label=_("Players may enter only the final score"),
        required=False,
        help_text=_("Otherwise they enter every game."),
    )
    two_cards = forms.BooleanField(
        label=_("Each player keeps a card of their own"),
        required=False,
        help_text=_("Differences are shown at once. A result counts when both cards agree, or by the desk."),
    )
    doubles = forms.BooleanField(
        label=_("Doubles (pairs play)"),
        required=False,
        help_text=_("An entry is a pair: both names, with “and” between. Clocks are set as for pairs."),
    )
    uses_clocks = forms.BooleanField(
        label=_("Clocks in every match"),
        required=False,
        help_text=_(
            "Players see the setting on their phones. Otherwise clocks are used where players want them."
        ),
    )
    score_delay = DelayField(label=_("Spectators see a running score"), required=False)

    def __init__(
        self, *args: Any, current: Ruleset | None = None, is_drawn: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.round_fields = [f"length_{number}" for number in range(self._named_rounds())]
        for name, (_round, words) in zip(self.round_fields, ROUND_TITLES.items(), strict=False):
            self.fields[name] = length_field(label=words, required=False)
        for name, words, _kinds in SIDES.values():
            self.fields[name] = LengthsField(label=str(words), required=False, max_length=60)
        self.fields.update(played_fields())
        self.fields.update(sheets.form_fields(current))
        self.fields.update(prize_fields())
        if is_drawn:
            for name in self.fields.keys() - AFTER_THE_DRAW:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        """Proposes the usual lengths of a newly chosen ruleset if the lengths still have their initial values."""
        self._clean_played(self.cleaned_data)
        data = super().clean()
        sheet = data.get("sheet", "")
        suggested = PRESETS[sheet].suggested_lengths if sheet in PRESETS else ()
        is_new = sheet not in (self.initial.get("sheet"), data.get(PROPOSED_FOR))
        if not suggested or not is_new or self.errors or self.fields["others"].disabled:
            return data
        if data["played"] != LENGTH:
            return data
        if {"others", *self.round_fields}.isdisjoint(self.changed_data) and data["others"] not in suggested:
            self._propose(sheet, suggested)
        return data

    def _clean_played(self, data: dict[str, Any]) -> None:
        """Validates only the fields of the chosen kind of play, because the page hides the others."""
        data["played"] = played = data.get("played") or LENGTH
        of_lengths = ("others", *self.round_fields, *(name for name, *_more in SIDES.values()))
        fields = {LENGTH: of_lengths, GAMES: (GAMES,), MINUTES: (MINUTES,)}
        for name in (name for unit, names in fields.items() if unit != played for name in names):
            self.errors.pop(name, None)
        needed = "others" if played == LENGTH else played
        if data.get(needed) is None and needed not in self.errors:
            self.add_error(needed, WRONG[played])

    def _propose(self, sheet: str, suggested: Sequence[int]) -> None:
        posted = QueryDict(mutable=True)
        posted.update(self.data)
        posted[self.add_prefix("others")], posted[self.add_prefix(PROPOSED_FOR)] = str(suggested[0]), sheet
        self.data = posted
        sentence = _("These rules are usually played to {lengths} points. Check the length, then save again.")
        self.add_error("others", sentence.format(lengths=", ".join(map(str, suggested))))

    def typed_by_hand(self) -> dict[str, Any]:
        """Returns the posted values that differ from the initial ones, valid or not, without the kind of the preset.

        A field that converts its text, such as match lengths, counts as changed only if its text differs.
        """
        changed = [self[name] for name in self.changed_data if name != "kind"]
        return {field.name: field.data for field in changed if (field.data or "") != (field.initial or "")}

    def plan(self) -> TournamentPlan:
        data = self.cleaned_data
        chosen = self._with_standings()
        return TournamentPlan(
            name=data["name"],
            ruleset=sheets.chosen(data["sheet"], data),
            lengths=self._lengths(),
            confirm_after=data["confirm_after"],
            final_score_allowed=data["final_score_allowed"],
            two_cards=data["two_cards"],
            doubles=data["doubles"],
            uses_clocks=data["uses_clocks"],
            score_delay=data["score_delay"],
            format=chosen,
            side_lengths=self._side_lengths(),
            prizes=prizes_of(self, chosen),
            stake=stake_play_of(data),
        )

    @property
    def lengths(self) -> list[forms.BoundField]:
        return [self[name] for name in self.round_fields]

    @property
    def side_fields(self) -> list[tuple[str, forms.BoundField]]:
        """Returns the length fields of side brackets, each with the kinds of format that have it."""
        return [(" ".join(kinds), self[name]) for name, _words, kinds in SIDES.values()]

    @property
    def prize_tables(self) -> list[tuple[str, forms.BoundField]]:
        """Returns the prize fields of brackets, each with the kinds of format that have it."""
        return [(" ".join(kinds), self[name]) for name, _words, kinds in TABLES.values()]

    @property
    def prize_currency(self) -> forms.BoundField:
        return self[CURRENCY]

    @property
    def kinds_with_a_final(self) -> str:
        return " ".join(WITH_A_FINAL)

    @property
    def kinds_without_a_final(self) -> str:
        return " ".join(kind for kind in Kind if kind not in WITH_A_FINAL)

    @property
    def has_prizes(self) -> bool:
        return any(self[name].value() or self[name].errors for name in PRIZES)

    @property
    def sheet_title(self) -> Promise:
        return sheets.SHEETS.get(str(self["sheet"].value()), sheets.SHEETS[DEFAULT_PRESET])[0]

    @property
    def own_changes(self) -> list[forms.BoundField]:
        return [self[change.field] for change in sheets.OWN_CHANGES]

    @property
    def more_changes(self) -> list[forms.BoundField]:
        """Returns the ruleset fields that few directors change."""
        common = {change.field for change in sheets.OWN_CHANGES}
        return [self[name] for name in sheets.FIELDS if name not in common]

    @property
    def has_more_changes(self) -> bool:
        return any(field.value() or field.errors for field in self.more_changes)

    @property
    def has_own_changes(self) -> bool:
        return self.has_more_changes or any(field.value() or field.errors for field in self.own_changes)

    @property
    def sheet_radios(self) -> list[tuple[forms.boundfield.BoundWidget, Promise, str]]:
        """Returns each ruleset's radio button with its description and its usual match lengths."""
        return [
            (
                radio,
                sheets.SHEETS[str(radio.data["value"])][1],
                sheets.usual_lengths(str(radio.data["value"])),
            )
            for radio in self["sheet"]
        ]

    def _named_rounds(self) -> int:
        stored_count = sum(1 for name in self.initial if name.startswith("length_"))
        return min(max(NAMED_ROUNDS, stored_count), len(ROUND_TITLES))

    def _with_standings(self) -> Format:
        """Returns the format. A change of stake play without chosen tie-breaks sets the usual tie-breaks."""
        chosen, stake = format_of(self), stake_play_of(self.cleaned_data)
        is_other = (stake is None) != (self.initial.get("played", LENGTH) == LENGTH)
        is_ranked = ranking.FIELDS[0] in FIELDS_OF[chosen.kind]
        if not is_other or not is_ranked or not set(ranking.FIELDS).isdisjoint(self.changed_data):
            return chosen
        return replace(chosen, standings=usual_standings(chosen.kind, stake))

    def _lengths(self) -> tuple[int, ...]:
        """Returns lengths from the final backwards, without repeating the last length."""
        data = self.cleaned_data
        others = data.get("others") or self.initial.get("others") or USUAL_LENGTH
        named = self.round_fields if format_of(self).kind in WITH_A_FINAL else []
        lengths = [data.get(name) or others for name in named]
        while lengths and lengths[-1] == others:
            lengths.pop()
        return (*lengths, others)

    def _side_lengths(self) -> dict[str, tuple[int, ...]]:
        kind = format_of(self).kind
        stored_lengths: Mapping[str, Sequence[int]] = self.initial.get(STORED_LENGTHS, {})
        if self.cleaned_data["played"] != LENGTH:
            return {key: tuple(lengths) for key, lengths in stored_lengths.items()}
        posted_lengths = {
            key: self.cleaned_data[name] for key, (name, _words, kinds) in SIDES.items() if kind in kinds
        }
        other_lengths = {key: tuple(lengths) for key, lengths in stored_lengths.items() if key not in SIDES}
        return other_lengths | {key: lengths for key, lengths in posted_lengths.items() if lengths}


def initial_of(tournament: Tournament) -> dict[str, Any]:
    """Returns the form's values for a stored tournament."""
    return {
        "name": tournament.name,
        "confirm_after": tournament.confirm_after,
        "final_score_allowed": tournament.final_score_allowed,
        "two_cards": tournament.two_cards,
        "doubles": tournament.doubles,
        "uses_clocks": tournament.uses_clocks,
        "score_delay": delay_code(tournament.score_delay),
        **played_as_fields(tournament.games, tournament.minutes),
        **prizes_as_fields(tournament.prizes),
        **sheets.codes_of(Ruleset.from_json(tournament.ruleset)),
        **lengths_as_fields(tournament.lengths, tournament.side_lengths),
        **format_as_fields(Format.from_json(tournament.format)),
        STORED_LENGTHS: {
            key: lengths
            for key, lengths in tournament.side_lengths.items()
            if key not in SIDES or stake_play(tournament)
        },
    }


def first_initial(previous: Tournament | None) -> dict[str, Any]:
    """Returns the initial values of a new tournament: those of the previous tournament, or the defaults."""
    if previous is None:
        return {
            **USUAL,
            **played_as_fields(None, None),
            "others": PRESETS[DEFAULT_PRESET].suggested_lengths[0],
            **sheets.codes_of(PRESETS[DEFAULT_PRESET]),
            **format_as_fields(Format(standings=SWISS_ORDER)),
        }
    return {**initial_of(previous), "name": ""}


def preset_initial(preset: FormatPreset) -> dict[str, Any]:
    return {
        **USUAL,
        **sheets.codes_of(PRESETS[preset.ruleset]),
        **lengths_as_fields(preset.lengths, preset.side_lengths),
        **played_as_fields(preset.games, None),
        **format_as_fields(preset.format),
    }


def lengths_as_fields(lengths: Sequence[int], side: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    named = {f"length_{number}": length for number, length in enumerate(lengths[:-1])}
    side_fields = {
        SIDES[key][0]: ", ".join(map(str, side_lengths)) for key, side_lengths in side.items() if key in SIDES
    }
    return {**named, **side_fields, "others": lengths[-1]}
