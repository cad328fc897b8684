"""Forms of the desk: a final score, a game on a card, a ruling, a result that was not played."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.keepers import Keeper
from matches.models import CardRow, RowKind
from matches.writing import FinalScore, Strike, What, Writing
from rules.score import Ending, Game, Side, Win
from tournament.models import ResultKind

DROP = "drop"
KINDS = [
    (Win.SINGLE.name.lower(), _("Single")),
    (Win.GAMMON.name.lower(), _("Gammon")),
    (Win.BACKGAMMON.name.lower(), _("Backgammon")),
    (DROP, _("Drop")),
]
CUBES = [2**turns for turns in range(11)]
MOST_POINTS = 99_999
MOST_AUTOMATIC = 6


def points_field(label: Any = "") -> forms.IntegerField:
    attributes = {"inputmode": "numeric", "min": 0, "autocomplete": "off"}
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST_POINTS, widget=forms.NumberInput(attrs=attributes)
    )


class WritingForm(forms.Form):
    """What every row on a card names: whose card, its own key, the row before it, and the row it corrects."""

    card = forms.ChoiceField(
        choices=[(keeper.value, keeper.value) for keeper in Keeper], widget=forms.HiddenInput
    )
    key = forms.UUIDField(widget=forms.HiddenInput)
    predecessor = forms.UUIDField(widget=forms.HiddenInput)
    supersedes = forms.UUIDField(required=False, widget=forms.HiddenInput)

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.cleaned_data["card"])

    def what(self) -> What:
        """What the row says: a strike, unless a form says more."""
        return Strike()

    def writing(self) -> Writing:
        said = self.cleaned_data
        return Writing(said["key"], said["predecessor"], self.what(), said["supersedes"])


class StrikeForm(WritingForm):
    supersedes = forms.UUIDField(widget=forms.HiddenInput)


class FinalForm(WritingForm):
    left = points_field()
    right = points_field()

    def __init__(self, *args: Any, players: tuple[str, str] = ("", ""), **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["left"].label, self.fields["right"].label = players

    def what(self) -> What:
        return FinalScore(self.cleaned_data["left"], self.cleaned_data["right"])


class GameForm(WritingForm):
    winner = forms.ChoiceField(label=_("Winner"), widget=forms.RadioSelect)
    kind = forms.ChoiceField(label=_("How"), choices=KINDS, widget=forms.RadioSelect, initial=KINDS[0][0])
    cube = forms.TypedChoiceField(
        label=_("Cube"),
        choices=[(cube, str(cube)) for cube in CUBES],
        coerce=int,
        initial=1,
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
        sides = [side.value for side in Side]
        self.fields["winner"].choices = list(zip(sides, players, strict=True))  # type: ignore[attr-defined]
        if ruleset.get("uncubed_single") != "checkers_left":
            del self.fields["checkers_left"]
        if ruleset.get("automatic_doubles") == 0:
            del self.fields["automatic_doubles"]

    def what(self) -> What:
        said = self.cleaned_data
        is_drop = said["kind"] == DROP
        return Game(
            winner=Side(said["winner"]),
            win=Win.SINGLE if is_drop else Win[said["kind"].upper()],
            ending=Ending.DROPPED if is_drop else Ending.PLAYED,
            cube=said["cube"],
            checkers_left=said.get("checkers_left"),
            automatic_doubles=said.get("automatic_doubles") or 0,
        )


def game_of(row: CardRow) -> dict[str, Any]:
    """What stands in a game's form when this row is to be corrected; nothing for a row of another kind."""
    if row.kind != RowKind.GAME:
        return {}
    is_drop = row.ending == Ending.DROPPED
    return {
        "winner": row.winner,
        "kind": DROP if is_drop else Win(row.win or 1).name.lower(),
        "cube": row.cube,
        "checkers_left": row.checkers_left,
        "automatic_doubles": row.automatic_doubles,
    }


class QuickForm(forms.Form):
    """A final score from the keyboard: some letters of a name, two figures, Enter.

    It writes the first row of the desk's own card, so the match's id is the row before it.
    """

    key = forms.UUIDField(widget=forms.HiddenInput)
    match = forms.CharField(
        label=_("Match"),
        max_length=300,
        widget=forms.TextInput(attrs={"list": "open-matches", "autocomplete": "off", "spellcheck": "false"}),
    )
    left = points_field(_("Left"))
    right = points_field(_("Right"))

    def writing(self, match_id: uuid.UUID) -> Writing:
        said = self.cleaned_data
        return Writing(said["key"], match_id, FinalScore(said["left"], said["right"]))


class RuleForm(forms.Form):
    """The desk decides for one card."""

    card = forms.ChoiceField(
        choices=[(keeper.value, keeper.value) for keeper in Keeper], widget=forms.HiddenInput
    )
    ruling = forms.CharField(label=_("Ruling"), required=False, max_length=500)


class AwardForm(forms.Form):
    """A result without play: `outcome` is a kind and, where somebody goes on, the side that does."""

    outcome = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=200)

    def __init__(self, *args: Any, players: tuple[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["outcome"].choices = _outcomes(*players)  # type: ignore[attr-defined]

    @property
    def kind(self) -> str:
        return str(self.cleaned_data["outcome"]).partition(":")[0]

    @property
    def winner(self) -> Side | None:
        side = str(self.cleaned_data["outcome"]).partition(":")[2]
        return Side(side) if side else None


def _outcomes(left: str, right: str) -> list[tuple[str, str]]:
    walkover, no_show = ResultKind.WALKOVER.value, ResultKind.NO_SHOW.value
    return [
        (f"{no_show}:right", _("{name} did not show up").format(name=left)),
        (f"{no_show}:left", _("{name} did not show up").format(name=right)),
        (ResultKind.DOUBLE_NO_SHOW.value, str(_("Neither showed up"))),
        (f"{walkover}:left", _("Walkover for {name}").format(name=left)),
        (f"{walkover}:right", _("Walkover for {name}").format(name=right)),
    ]


class ConfirmForm(forms.Form):
    """`tail` is the last row of the reported card that the desk saw."""

    tail = forms.UUIDField(required=False, widget=forms.HiddenInput)


class RulingForm(forms.Form):
    ruling = forms.CharField(label=_("What was decided"), required=False, max_length=500)
