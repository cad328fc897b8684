"""The fields of a ranking by records: tie-breaks in order, and the values of byes and walkovers."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.standings import (
    OFFERED,
    CountingRules,
    StandIn,
    StandingRules,
    StandingsError,
    TieBreak,
    Unplayed,
)
from tournament.web.sentences import refusal_sentence

TIE_BREAKS: Mapping[TieBreak, Promise] = {
    TieBreak.HEAD_TO_HEAD: _("Head-to-head among those tied"),
    TieBreak.BUCHHOLZ: _("Buchholz: opponents' scores"),
    TieBreak.MEDIAN_BUCHHOLZ: _("Median Buchholz: without best and worst"),
    TieBreak.BUCHHOLZ_WITHOUT_WORST: _("Buchholz without the worst"),
    TieBreak.SONNEBORN_BERGER: _("Sonneborn-Berger: scores of those beaten"),
    TieBreak.DEFEATED_SCORES: _("Wins at the board of those beaten"),
    TieBreak.POINTS_DIFFERENCE: _("Points difference, as played"),
    TieBreak.CREDITED_DIFFERENCE: _("Points difference, no more than the length"),
    TieBreak.CUMULATIVE: _("Cumulative: early wins count more"),
    TieBreak.PERFORMANCE_RATING: _("Performance rating"),
    TieBreak.PLAY_OFF: _("Play-off matches"),
    TieBreak.LIVES_LEFT: _("Lives left (only with lives)"),
    TieBreak.LASTED: _("Lasted longer (only with lives)"),
    TieBreak.SCORE: _("Score, at this place instead of first"),
    TieBreak.LOT: _("Lot"),
    TieBreak.LOSSES: _("Fewer losses"),
}
NONE = ("", _("–"))
POSITIONS, MOST = 6, 20
UNPLAYED = {"bye": _("A bye"), "walkover": _("A walkover")}
STAND_INS: Mapping[str, list[tuple[str, Promise]]] = {
    "bye": [
        (StandIn.OWN_SCORE.value, _("An opponent with the player's own score")),
        (StandIn.NOTHING.value, _("An opponent with nothing")),
    ],
    "walkover": [
        (StandIn.OPPONENT.value, _("The opponent, as if played")),
        (StandIn.OWN_SCORE.value, _("An opponent with the player's own score")),
        (StandIn.NOTHING.value, _("An opponent with nothing")),
    ],
}
WINS = [("win", _("a win")), ("nothing", _("nothing"))]
TIE_BREAK_FIELDS = [f"tie_break_{number}" for number in range(1, MOST + 1)]
FIELDS = (
    *TIE_BREAK_FIELDS,
    *(f"{kind}_{part}" for kind in UNPLAYED for part in ("counts", "stand_in", "credited")),
)


class StandingsForm(forms.Form):
    """The tie-breaks are in order. Empty fields are skipped."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored_codes = {str(self.initial.get(name)) for name in TIE_BREAK_FIELDS}
        choices = [
            NONE,
            *(
                (kind.value, words)
                for kind, words in TIE_BREAKS.items()
                if kind in OFFERED or kind in stored_codes
            ),
        ]
        for number, name in enumerate(TIE_BREAK_FIELDS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=_("Tie-break {number}").format(number=number), choices=choices, required=False
            )
        for kind, words in UNPLAYED.items():
            self.fields[f"{kind}_counts"] = forms.ChoiceField(
                label=_("{what} counts as").format(what=words), choices=WINS, required=False
            )
            self.fields[f"{kind}_stand_in"] = forms.ChoiceField(
                label=_("In tie-breaks it stands for"), choices=STAND_INS[kind], required=False
            )
            self.fields[f"{kind}_credited"] = forms.BooleanField(
                label=_("The match length to nil is credited"), required=False
            )

    @property
    def tie_break_fields(self) -> list[forms.BoundField]:
        """Returns the usual number of fields, and further fields with a value."""
        fields = [self[name] for name in TIE_BREAK_FIELDS]
        return [field for place, field in enumerate(fields) if place < POSITIONS or field.value()]

    @property
    def counting_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FIELDS if name not in TIE_BREAK_FIELDS]

    def standings(self, data: Mapping[str, Any]) -> StandingRules:
        """Returns the rules of the form. Adds an error to the first tie-break if the rules are invalid."""
        tie_breaks = tuple(TieBreak(data[name]) for name in TIE_BREAK_FIELDS if data[name])
        usual = CountingRules()
        try:
            counting = CountingRules(
                _unplayed("bye", data, usual.bye), _unplayed("walkover", data, usual.walkover)
            )
            return StandingRules(tie_breaks, counting)
        except StandingsError as error:
            self.add_error(TIE_BREAK_FIELDS[0], refusal_sentence(error))
            return StandingRules()


def _unplayed(kind: str, data: Mapping[str, Any], usual: Unplayed) -> Unplayed:
    counts, stand_in = data[f"{kind}_counts"], data[f"{kind}_stand_in"]
    return Unplayed(
        wins=counts != "nothing",
        credited=data[f"{kind}_credited"],
        stand_in=StandIn(stand_in) if stand_in else usual.stand_in,
    )


def standings_as_fields(rules: StandingRules) -> dict[str, Any]:
    """Returns the form's values for these rules."""
    values: dict[str, Any] = {
        name: str(kind) for name, kind in zip(TIE_BREAK_FIELDS, rules.tie_breaks, strict=False)
    }
    for kind, unplayed in (("bye", rules.counting.bye), ("walkover", rules.counting.walkover)):
        values[f"{kind}_counts"] = "win" if unplayed.wins else "nothing"
        values[f"{kind}_stand_in"] = str(unplayed.stand_in)
        values[f"{kind}_credited"] = unplayed.credited
    return values
