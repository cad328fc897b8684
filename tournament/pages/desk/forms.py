"""Forms of the desk: rows on any card, rulings, and results that were not played. Rows share the forms of phones."""

import uuid
from contextlib import suppress
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.card_totals import as_entry
from matches.keepers import Keeper
from matches.models import CardRow, PenaltyKind, RowKind
from matches.rows import FinalScore
from rules.score import Penalty, Side
from tournament.models import ResultKind
from tournament.pages.cards import forms as card_forms
from tournament.pages.draws.forms import ReasonForm
from tournament.results.awards import ExpectedResult

KINDS = [
    ("single", _("Single")),
    ("gammon", _("Gammon")),
    ("backgammon", _("Backgammon")),
    ("drop", _("Drop")),
    ("resigned-single", _("Resigned a single")),
    ("resigned-gammon", _("Resigned a gammon")),
    ("resigned-backgammon", _("Resigned a backgammon")),
]
PENALTY_KINDS = [
    (PenaltyKind.OTHER.value, _("Something else")),
    (PenaltyKind.LATE.value, _("Late")),
    (PenaltyKind.CLOCK.value, _("Clock")),
    (PenaltyKind.CONDUCT.value, _("Conduct")),
]
CUBES = [(2**turns, str(2**turns)) for turns in range(11)]
MOST_POINTS = 9_999
MOST_DIGITS = 17
"""Of the id of a pairing."""
MOST_AUTOMATIC = 6
KEEPERS = [(keeper.value, keeper.value) for keeper in Keeper]


BOTH_POINTS = _("Enter the points of both players as whole numbers.")
PENALTY_POINTS = _("Enter the penalty points as a whole number.")


def points_field(label: Any = "", error_message: Any = BOTH_POINTS, **more: Any) -> forms.IntegerField:
    attributes = {"inputmode": "numeric", "min": 0, "autocomplete": "off"}
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=MOST_POINTS,
        widget=forms.NumberInput(attrs=attributes),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), error_message),
        **more,
    )


class DeskRow(card_forms.RowForm):
    """Fields of every row that the desk writes: the card, and the row that it corrects."""

    card = forms.ChoiceField(choices=KEEPERS, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
    predecessor = forms.UUIDField(widget=forms.HiddenInput)
    supersedes = forms.UUIDField(required=False, widget=forms.HiddenInput)

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.cleaned_data["card"])


class StrikeForm(DeskRow, card_forms.UndoForm):
    supersedes = forms.UUIDField(widget=forms.HiddenInput)


class StopForm(DeskRow, card_forms.StopForm):
    pass


class FinalForm(DeskRow, card_forms.FinalForm):
    left = points_field()
    right = points_field()

    def __init__(self, *args: Any, players: tuple[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["left"].label, self.fields["right"].label = players


class PenaltyForm(DeskRow):
    against = forms.ChoiceField(label=_("Against"), widget=forms.RadioSelect)
    points = points_field(_("Points"), PENALTY_POINTS)
    penalty_kind = forms.ChoiceField(label=_("What for"), choices=PENALTY_KINDS, required=False)
    mid_game = forms.BooleanField(label=_("Given in the middle of a game"), required=False)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def __init__(self, *args: Any, players: tuple[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["against"].choices = _sides(players)  # type: ignore[attr-defined]

    def what(self) -> Penalty:
        values = self.cleaned_data
        kind = values["penalty_kind"] or PenaltyKind.OTHER.value
        return Penalty(Side(values["against"]), values["points"], values["reason"], values["mid_game"], kind)


class GameForm(DeskRow, card_forms.GameForm):
    winner = forms.ChoiceField(
        label=_("Winner"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose who won the game.")},
    )
    kind = forms.ChoiceField(label=_("How"), choices=KINDS)
    cube = forms.IntegerField(
        label=_("Cube"),
        widget=forms.Select(choices=CUBES),
        help_text=_("After a drop: where it stood before the double."),
    )
    checkers_left = forms.IntegerField(
        label=_("Loser's checkers left"), required=False, min_value=1, max_value=15
    )
    automatic_doubles = forms.IntegerField(
        label=_("Automatic doubles"), required=False, min_value=0, max_value=MOST_AUTOMATIC
    )

    def __init__(self, *args: Any, players: tuple[str, str], ruleset: dict[str, Any], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["winner"].choices = _sides(players)  # type: ignore[attr-defined]
        if ruleset.get("uncubed_single") != "checkers_left":
            self.fields["checkers_left"].widget = forms.HiddenInput()
        if ruleset.get("automatic_doubles") == 0:
            self.fields["automatic_doubles"].widget = forms.HiddenInput()


def row_values(row: CardRow) -> dict[str, Any]:
    """Returns the initial values of the form that corrects this row."""
    if row.kind == RowKind.FINAL:
        return {"left": row.left_points, "right": row.right_points}
    entry = as_entry(row)
    if isinstance(entry, Penalty):
        return {
            "against": entry.against.value,
            "points": entry.points,
            "mid_game": entry.mid_game,
            "penalty_kind": entry.given_for or PenaltyKind.OTHER.value,
            "reason": entry.reason,
        }
    return {
        "winner": entry.winner.value,
        "kind": next(
            kind for kind, ending in card_forms.KINDS.items() if ending == (entry.win, entry.ending)
        ),
        "cube": entry.cube,
        "checkers_left": entry.checkers_left,
        "automatic_doubles": entry.automatic_doubles or None,
    }


class QuickForm(forms.Form):
    """A final score from the keyboard: a few letters of a name, two figures, Enter.

    `which` is the key of the candidate that was chosen among several, or that a script found.
    """

    key = forms.UUIDField(widget=forms.HiddenInput)
    who = forms.CharField(
        label=_("Player or match number"),
        max_length=200,
        widget=forms.TextInput(attrs={"list": "open-players", "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Type some letters of a player's name, or the number of the match.")},
    )
    own = points_field(_("Points"))
    other = points_field(_("Opponent's points"))
    which = forms.CharField(required=False, max_length=120)

    def focus(self) -> None:
        """Puts the focus in the field of points that is wrong, else in the field of the match."""
        name = next((name for name in ("own", "other") if self.has_error(name)), "who")
        self.fields[name].widget.attrs["autofocus"] = True

    def score(self, side: Side) -> FinalScore:
        """`side` is the side of the named player."""
        own, other = self.cleaned_data["own"], self.cleaned_data["other"]
        left, right = (own, other) if side is Side.LEFT else (other, own)
        return FinalScore(left, right)


class AwardForm(forms.Form):
    """A result that was not played to the end. `outcome` is its kind and the side of the winner, if any.

    The points are read only for a kind that has a score. `on_time`: an expired clock loses the match.
    """

    outcome = forms.ChoiceField(
        label=_("What happened"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what happened.")},
    )
    left_points = points_field(required=False)
    right_points = points_field(required=False)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)
    seen = forms.UUIDField(required=False)

    def __init__(self, *args: Any, players: tuple[str, str], on_time: bool = True, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["outcome"].choices = award_choices(players, on_time=on_time)  # type: ignore[attr-defined]
        for name, player in zip(("left_points", "right_points"), players, strict=True):
            self.fields[name].label = _about(gettext("Points of {name}"), player)

    @property
    def points(self) -> tuple[int, int] | None:
        """The points of left and right; None unless both are filled in."""
        left, right = self.cleaned_data["left_points"], self.cleaned_data["right_points"]
        return None if left is None or right is None else (left, right)

    @property
    def kind(self) -> str:
        return str(self.cleaned_data["outcome"]).partition(":")[0]

    @property
    def winner(self) -> Side | None:
        side = str(self.cleaned_data["outcome"]).partition(":")[2]
        return Side(side) if side else None


class RetractForm(ReasonForm):
    """`seen` is the result that the desk saw."""

    seen = forms.UUIDField(required=False)

    def expected_result(self) -> ExpectedResult | None:
        seen = self.cleaned_data["seen"]
        return ExpectedResult(seen) if seen else None


class ConfirmForm(forms.Form):
    """`tail` is the last row of the reported card that the desk saw."""

    tail = forms.UUIDField(required=False)


def selected_matches(data: QueryDict) -> dict[int, uuid.UUID | None]:
    """Returns the pairings selected on the desk with the last row of their reported card, if it has one.

    A value is the pairing, or the pairing, a colon and the row. Ignores invalid values.
    """
    selected: dict[int, uuid.UUID | None] = {}
    for value in data.getlist("match"):
        pairing, _colon, tail = value.partition(":")
        if pairing.isascii() and pairing.isdecimal() and len(pairing) <= MOST_DIGITS:
            with suppress(ValueError):
                selected[int(pairing)] = uuid.UUID(tail) if tail else None
    return selected


class RulingForm(forms.Form):
    ruling = forms.CharField(label=_("What was decided"), required=False, max_length=500)


def _sides(players: tuple[str, str]) -> list[tuple[str, str]]:
    return list(zip((Side.LEFT.value, Side.RIGHT.value), players, strict=True))


def award_choices(players: tuple[str, str], *, on_time: bool) -> list[tuple[str, str]]:
    """Returns the outcomes of a match that was not played to the end. `on_time`: an expired clock loses the match."""
    return [
        *_unplayed_choices(*players),
        *_scored_choices(*players),
        *(_clock_choices(*players) if on_time else []),
    ]


def _about(words: str, name: str) -> SafeString:
    """Isolates the name, so that right-to-left letters do not reorder the sentence."""
    return format_html(words, name=format_html("<bdi>{}</bdi>", name))


def _scored_choices(left: str, right: str) -> list[tuple[str, str]]:
    lost, broken = gettext("{name} lost by penalty points"), gettext("Abandoned, {name} advances")
    return [
        (f"{ResultKind.PENALTY.value}:right", _about(lost, left)),
        (f"{ResultKind.PENALTY.value}:left", _about(lost, right)),
        (f"{ResultKind.UNFINISHED.value}:left", _about(broken, left)),
        (f"{ResultKind.UNFINISHED.value}:right", _about(broken, right)),
    ]


def _clock_choices(left: str, right: str) -> list[tuple[str, str]]:
    """Kinds where an expired clock loses the match; they have a score."""
    lost = gettext("{name} lost on time")
    return [
        (f"{ResultKind.CLOCK.value}:right", _about(lost, left)),
        (f"{ResultKind.CLOCK.value}:left", _about(lost, right)),
    ]


def _unplayed_choices(left: str, right: str) -> list[tuple[str, str]]:
    absent, walkover = gettext("{name} did not show up"), gettext("Walkover for {name}")
    settled = gettext("Settled by agreement, {name} advances")
    return [
        (f"{ResultKind.NO_SHOW.value}:right", _about(absent, left)),
        (f"{ResultKind.NO_SHOW.value}:left", _about(absent, right)),
        (ResultKind.DOUBLE_NO_SHOW.value, gettext("Neither showed up")),
        (f"{ResultKind.WALKOVER.value}:left", _about(walkover, left)),
        (f"{ResultKind.WALKOVER.value}:right", _about(walkover, right)),
        (f"{ResultKind.SETTLED.value}:left", _about(settled, left)),
        (f"{ResultKind.SETTLED.value}:right", _about(settled, right)),
    ]
