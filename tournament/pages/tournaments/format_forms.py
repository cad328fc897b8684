"""The fields of a tournament's format.

`FIELDS_OF` lists the fields of each kind of format, and the page shows and hides fields by the same list. `draw`
validates the format; the form adds its error to the field in question.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.formats import LIMITS, LONGEST_NOTATION, Format, FormatError, Kind
from tournament.draw.formats.layouts import knockout_format
from tournament.draw.pairing import Seeding, Stop
from tournament.draw.recipes import Separate
from tournament.draw.recipes.drops import FEED_IN, PROGRESSIVE, SIMPLE, NotationError, parse
from tournament.draw.standings import StandingRules
from tournament.pages.tournaments import standings_forms as ranking
from tournament.web.sentences import refusal_sentence

KINDS: Mapping[Kind, tuple[Promise, Promise]] = {
    Kind.KNOCKOUT: (_("Knock-out"), _("Lose and you are out, or drop into a consolation.")),
    Kind.DOUBLE: (_("Double elimination"), _("Out after the second loss.")),
    Kind.SWISS: (_("Swiss"), _("A fixed number of rounds. Players with the same score meet.")),
    Kind.MONRAD: (_("Monrad"), _("A fixed number of rounds. Neighbours in the standings meet.")),
    Kind.LIVES: (_("Lives"), _("Out after a number of losses. Players with equally many losses meet.")),
    Kind.GROUPS: (
        _("Groups and play-off"),
        _("Everybody plays everybody in the group. The best go on to a knock-out."),
    ),
    Kind.ROUND_ROBIN: (_("Round robin"), _("Everybody plays everybody.")),
}
NOTATION = "notation"
CONSOLATIONS = [
    ("", _("None")),
    (SIMPLE, _("Simple: only losers of the first match they play")),
    (PROGRESSIVE, _("Progressive: later losers join too, with few rematches and no long waits")),
    (FEED_IN, _("Feed-in: later losers join round by round and meet the winners from below")),
    (NOTATION, _("Your own layout, in drop notation")),
]
LAST_CHANCES = [
    ("", _("None")),
    (SIMPLE, _("Simple: only losers of the first round of the bracket above")),
    (PROGRESSIVE, _("Progressive: losers of its first three rounds")),
    (NOTATION, _("Your own layout, in drop notation")),
]
STOPS = [
    (Stop.ONE_LEFT.value, _("When one player is left")),
    (Stop.BELOW.value, _("When only one player has two lives or more")),
    (Stop.ROUNDS.value, _("After a number of rounds")),
]
SEEDINGS = [
    (Seeding.FOLD.value, _("First against last")),
    (Seeding.SLIDE.value, _("First against the middle")),
    (Seeding.CHANCE.value, _("By lot")),
]
APART = [
    (Separate.NONE.value, _("Nobody")),
    (Separate.CLUB.value, _("Players of one club")),
    (Separate.COUNTRY.value, _("Players of one country")),
    (Separate.TEAM.value, _("Players of one team")),
]
_CHANCES = ("last_chance", "last_chance_notation", "last_chance_rounds")
_BY_RECORDS = ("seeding", "separate")
FIELDS_OF: Mapping[Kind, Sequence[str]] = {
    Kind.KNOCKOUT: ("third_place", "consolation", "dropping", "consolation_notation", *_CHANCES),
    Kind.DOUBLE: ("reset", "lower_notation", *_CHANCES),
    Kind.ROUND_ROBIN: ("meetings", "rounds", *ranking.FIELDS),
    Kind.GROUPS: ("groups", "qualifiers", "meetings", "rounds", *ranking.FIELDS),
    Kind.SWISS: ("rounds", *_BY_RECORDS, *ranking.FIELDS),
    Kind.MONRAD: ("rounds", "separate", *ranking.FIELDS),
    Kind.LIVES: ("lives", "stop", "rounds", *_BY_RECORDS, *ranking.FIELDS),
}


def number_field(name: str, **kwargs: Any) -> forms.IntegerField:
    minimum, maximum = LIMITS[name]
    attributes = {"inputmode": "numeric", "min": minimum, "max": maximum}
    return forms.IntegerField(
        required=False,
        min_value=minimum,
        max_value=maximum,
        widget=forms.NumberInput(attrs=attributes),
        **kwargs,
    )


def notation_field(**kwargs: Any) -> forms.CharField:
    attributes = {"autocomplete": "off", "spellcheck": "false", "placeholder": "A.B.C.D.|.|"}
    return forms.CharField(
        required=False, max_length=LONGEST_NOTATION, widget=forms.TextInput(attrs=attributes), **kwargs
    )


class FormatForm(ranking.StandingsForm):
    """A missing or empty field has the default of the format's kind."""

    kind = forms.ChoiceField(
        label=_("Format"),
        choices=[(kind.value, words[0]) for kind, words in KINDS.items()],
        widget=forms.RadioSelect,
        required=False,
        initial=Kind.KNOCKOUT.value,
    )
    third_place = forms.BooleanField(label=_("A match for third place"), required=False)
    consolation = forms.ChoiceField(label=_("Consolation"), choices=CONSOLATIONS, required=False)
    dropping = number_field(
        "dropping", label=_("Rounds whose losers join"), help_text=_("Empty: all but the final.")
    )
    consolation_notation = notation_field(
        label=_("Drop notation of the consolation"),
        help_text=_(
            "A dot separates two rounds. A letter is the main round whose losers join. | is a round "
            "that nobody joins."
        ),
    )
    reset = forms.BooleanField(
        label=_("Second final"),
        required=False,
        help_text=_("Played when the unbeaten player loses the first."),
    )
    lower_notation = notation_field(
        label=_("Drop notation of the lower bracket"),
        help_text=_("Empty: the usual layout, with late rematches."),
    )
    last_chance = forms.ChoiceField(label=_("Last chance"), choices=LAST_CHANCES, required=False)
    last_chance_notation = notation_field(
        label=_("Drop notation of the last chance"),
        help_text=_("Capitals are rounds of the second bracket, small letters of the main one."),
    )
    last_chance_rounds = number_field(
        "last_chance_rounds", label=_("Stop the last chance after round"), help_text=_("Empty: play it out.")
    )
    groups = number_field("groups", label=_("Groups"), help_text=_("Empty: 4."))
    qualifiers = number_field("qualifiers", label=_("Qualify from each group"), help_text=_("Empty: 2."))
    meetings = number_field("meetings", label=_("Matches between two players"), help_text=_("Empty: 1."))
    lives = number_field("lives", label=_("Losses until a player is out"), help_text=_("Empty: 3."))
    stop = forms.ChoiceField(label=_("It ends"), choices=STOPS, required=False)
    rounds = number_field("rounds", label=_("Rounds"))
    seeding = forms.ChoiceField(label=_("Pairing among equal scores"), choices=SEEDINGS, required=False)
    separate = forms.ChoiceField(
        label=_("Keep apart where possible"), choices=APART, required=False, initial=Separate.NONE.value
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            data["format"] = self._format(data)
        return data

    @property
    def kind_radios(self) -> list[tuple[forms.boundfield.BoundWidget, Promise]]:
        return [(radio, KINDS[Kind(str(radio.data["value"]))][1]) for radio in self["kind"]]

    @property
    def format_fields(self) -> list[tuple[str, forms.BoundField]]:
        """Returns all fields except kind and ranking, each with the kinds of format that have it."""
        names = dict.fromkeys(name for of_kind in FIELDS_OF.values() for name in of_kind)
        return [(kinds_with(name), self[name]) for name in names if name not in ranking.FIELDS]

    @property
    def kinds_ranked(self) -> str:
        return kinds_with(ranking.FIELDS[0])

    def _format(self, data: Mapping[str, Any]) -> Format | None:
        """Returns the format, or None after adding an error to the invalid field."""
        kind = Kind(data["kind"] or Kind.KNOCKOUT)
        posted = {name: data[name] for name in FIELDS_OF[kind] if data[name] not in ("", None)}
        values = {name: posted[name] for name in DIRECT if name in posted}
        values |= {name: as_code(posted[name]) for name, as_code in CODES.items() if name in posted}
        try:
            values |= self._chances(kind, posted)
            if self.errors:
                return None
            standings = self.standings(data) if ranking.FIELDS[0] in FIELDS_OF[kind] else StandingRules()
            chosen = Format(kind=kind, standings=standings, **values)
            if kind in (Kind.KNOCKOUT, Kind.DOUBLE):
                knockout_format(chosen)
        except FormatError as error:
            self.add_error(self._field_of(kind, str(error)), refusal_sentence(error))
            return None
        return None if self.errors else chosen

    def _chances(self, kind: Kind, posted: Mapping[str, Any]) -> dict[str, str]:
        """Returns consolation and last chance as a format stores them: a name or a notation."""
        is_double = kind == Kind.DOUBLE
        second = (
            self._notation("lower_notation", posted) if is_double else self._chance("consolation", posted)
        )
        return {"consolation": second, "last_chance": self._chance("last_chance", posted)}

    def _chance(self, name: str, posted: Mapping[str, Any]) -> str:
        if posted.get(name) != NOTATION:
            return str(posted.get(name, ""))
        if not posted.get(f"{name}_notation"):
            self.add_error(f"{name}_notation", _("Enter the drop notation, for example A.B.C.D.|.|"))
        return self._notation(f"{name}_notation", posted)

    def _notation(self, field: str, posted: Mapping[str, Any]) -> str:
        text = str(posted.get(field, ""))
        try:
            return str(parse(text)) if text else ""
        except NotationError as error:
            self.add_error(field, refusal_sentence(error))
            return ""

    def _field_of(self, kind: Kind, sentence: str) -> str:
        """Returns the field that shows an error about a whole format."""
        if "last chance" in sentence.lower():
            return "last_chance"
        return "rounds" if "rounds" in FIELDS_OF[kind] else "kind"


DIRECT = (
    "third_place", "reset", "dropping", "last_chance_rounds", "groups", "qualifiers", "meetings", "lives", "rounds",
)  # fmt: skip
CODES: Mapping[str, Any] = {"stop": Stop, "seeding": Seeding, "separate": Separate}


def kinds_with(name: str) -> str:
    return " ".join(kind.value for kind, names in FIELDS_OF.items() if name in names)


def format_as_fields(chosen: Format) -> dict[str, Any]:
    values = {name: getattr(chosen, name) or None for name in DIRECT}
    values |= {name: str(getattr(chosen, name)) for name in CODES}
    values["kind"] = str(chosen.kind)
    if chosen.kind == Kind.DOUBLE:
        values["lower_notation"] = chosen.consolation
    else:
        values |= _chance_as_fields("consolation", chosen.consolation)
    values |= _chance_as_fields("last_chance", chosen.last_chance)
    return values | ranking.standings_as_fields(chosen.standings)


def _chance_as_fields(name: str, chosen: str) -> dict[str, str]:
    if chosen in ("", SIMPLE, PROGRESSIVE, FEED_IN):
        return {name: chosen}
    return {name: NOTATION, f"{name}_notation": chosen}


def format_of(form: FormatForm) -> Format:
    return cast(Format, form.cleaned_data["format"])
