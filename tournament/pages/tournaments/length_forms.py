"""Fields for the kind of play: matches to a number of points, or sessions of stake play."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import MOST_GAMES
from tournament.brackets.lengths import LONGEST, SHORTEST, PlannedRound, PlayedTo, StakePlay
from tournament.draw.formats import Kind
from tournament.draw.formats.presets import stake_standings
from tournament.draw.standings import StandingRules
from tournament.draw.standings.default_tie_breaks import LIVES_ORDER, ROUND_ROBIN_ORDER, SWISS_ORDER
from tournament.models.events import MOST_MINUTES

LENGTH, GAMES, MINUTES = "length", "games", "minutes"
PLAYED: Mapping[str, Promise] = {
    LENGTH: _("Matches to a number of points"),
    GAMES: _("Stake play: a number of games"),
    MINUTES: _("Stake play: by time"),
}
UNITS = [(LENGTH, _("points")), (GAMES, _("games")), (MINUTES, _("minutes"))]
LIMITS = {LENGTH: (SHORTEST, LONGEST), GAMES: (1, MOST_GAMES), MINUTES: (1, MOST_MINUTES)}
WRONG = {
    LENGTH: _("Enter a number from 1 to 99."),
    GAMES: _("Enter a number of games from 1 to 99."),
    MINUTES: _("Enter a number of minutes from 1 to 1440."),
}
USUAL_GAMES, USUAL_MINUTES = 5, 60


def amount_field(unit: str, **kwargs: Any) -> forms.IntegerField:
    """A field for points, games or minutes, within their limits."""
    minimum, maximum = LIMITS[unit]
    return forms.IntegerField(
        min_value=minimum,
        max_value=maximum,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": minimum, "max": maximum}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), WRONG[unit]),
        **kwargs,
    )


def length_field(**kwargs: Any) -> forms.IntegerField:
    return amount_field(LENGTH, **kwargs)


def played_fields() -> dict[str, forms.Field]:
    """Returns the fields for the kind of play, without the match lengths."""
    return {
        "played": forms.ChoiceField(
            label=_("What is played"),
            choices=list(PLAYED.items()),
            widget=forms.RadioSelect,
            required=False,
        ),
        GAMES: amount_field(GAMES, label=_("Games a session"), required=False),
        MINUTES: amount_field(MINUTES, label=_("Minutes a session"), required=False),
    }


def played_as_fields(games: int | None, minutes: int | None) -> dict[str, Any]:
    """Returns the values of these fields. Unused amounts have proposals."""
    played = GAMES if games else MINUTES if minutes else LENGTH
    return {"played": played, GAMES: games or USUAL_GAMES, MINUTES: minutes or USUAL_MINUTES}


def stake_play_of(data: Mapping[str, Any]) -> StakePlay | None:
    """Returns the chosen sessions, or None for matches to a length."""
    if data["played"] == GAMES:
        return StakePlay(games=data[GAMES])
    return StakePlay(minutes=data[MINUTES]) if data["played"] == MINUTES else None


def usual_standings(kind: Kind, stake: StakePlay | None) -> StandingRules:
    if stake is not None:
        return stake_standings(kind)
    if kind is Kind.LIVES:
        return LIVES_ORDER
    return SWISS_ORDER if kind in (Kind.SWISS, Kind.MONRAD) else ROUND_ROBIN_ORDER


class RoundForm(forms.Form):
    """A form of one round on a page that saves all rounds at once."""

    round = forms.IntegerField(widget=forms.HiddenInput)

    @property
    def is_changed(self) -> bool:
        """True if the page had this form and the director changed it."""
        return self.is_bound and self.add_prefix("round") in self.data and self.has_changed()


class LengthForm(RoundForm):
    """The length of one round: a number and its unit. The default unit is points."""

    length = forms.IntegerField(
        label=_("Number"),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1, "max": MOST_MINUTES}),
        error_messages=dict.fromkeys(("required", "invalid"), WRONG[LENGTH]),
    )
    unit = forms.ChoiceField(label=_("Points, games or minutes"), choices=UNITS, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        unit, amount = data.get("unit") or LENGTH, data.get("length")
        minimum, maximum = LIMITS[unit]
        if amount is not None and not minimum <= amount <= maximum:
            self.add_error("length", WRONG[unit])
        return data

    def to(self) -> PlayedTo:
        """Requires `is_valid`."""
        unit, amount = self.cleaned_data["unit"], self.cleaned_data["length"]
        if unit == GAMES:
            return StakePlay(games=amount)
        return StakePlay(minutes=amount) if unit == MINUTES else amount


class StopForm(forms.Form):
    """Stops one round because its time is over."""

    round = forms.IntegerField(widget=forms.HiddenInput)


def length_initial(planned_round: PlannedRound) -> dict[str, Any]:
    if planned_round.games is not None:
        return {"length": planned_round.games, "unit": GAMES}
    if planned_round.minutes is not None:
        return {"length": planned_round.minutes, "unit": MINUTES}
    return {"length": planned_round.length, "unit": LENGTH}
