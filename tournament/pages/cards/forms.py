"""Forms of a player's phone: rows of a score card. `rules` decides whether a row is valid."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.rows import FinalScore, NewRow, RowContent, Stop, Strike
from rules.score import Ending, Game, Side, Win
from tournament.results.two_cards import CardTails

KINDS: dict[str, tuple[Win, Ending]] = {
    "single": (Win.SINGLE, Ending.PLAYED),
    "gammon": (Win.GAMMON, Ending.PLAYED),
    "backgammon": (Win.BACKGAMMON, Ending.PLAYED),
    "drop": (Win.SINGLE, Ending.DROPPED),
    "resigned-single": (Win.SINGLE, Ending.RESIGNED),
    "resigned-gammon": (Win.GAMMON, Ending.RESIGNED),
    "resigned-backgammon": (Win.BACKGAMMON, Ending.RESIGNED),
}


class KeyField(forms.UUIDField):
    """A key that the page generates. A wrong key is an error of the page, not of the player."""

    default_error_messages = dict.fromkeys(
        ("required", "invalid"), _("That could not be read. Load the page again and try once more.")
    )


class RowForm(forms.Form):
    """Fields of every row: its key, which makes repeated requests idempotent, and the key of the row before it."""

    key: forms.UUIDField = KeyField()
    predecessor: forms.UUIDField = KeyField()

    def what(self) -> RowContent:
        raise NotImplementedError

    def writing(self) -> NewRow:
        """Returns the row to write. Call after `is_valid`."""
        values = self.cleaned_data
        return NewRow(values["key"], values["predecessor"], self.what(), values.get("supersedes"))


class GameForm(RowForm):
    winner = forms.ChoiceField(
        choices=[(side.value, side.value) for side in Side],
        error_messages={"required": _("Tap who won the game.")},
    )
    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in KINDS],
        error_messages={"required": _("Tap how the game ended.")},
    )
    cube = forms.IntegerField(error_messages={"required": _("Tap what the cube showed.")})
    checkers_left = forms.IntegerField(required=False)
    automatic_doubles = forms.IntegerField(required=False)

    def what(self) -> Game:
        values = self.cleaned_data
        win, ending = KINDS[values["kind"]]
        return Game(
            winner=Side(values["winner"]),
            win=win,
            ending=ending,
            cube=values["cube"],
            checkers_left=values["checkers_left"],
            automatic_doubles=values["automatic_doubles"] or 0,
        )


class FinalForm(RowForm):
    left = forms.IntegerField(error_messages={"required": _("Enter the points of both players.")})
    right = forms.IntegerField(error_messages={"required": _("Enter the points of both players.")})

    def what(self) -> FinalScore:
        return FinalScore(left=self.cleaned_data["left"], right=self.cleaned_data["right"])


class StopForm(RowForm):
    def what(self) -> Stop:
        return Stop()


class UndoForm(RowForm):
    supersedes: forms.UUIDField = KeyField()

    def what(self) -> Strike:
        return Strike()


class ConfirmForm(forms.Form):
    """`tail` is the last row of the reported card that the player saw. `from_list`: on the page of all matches."""

    tail = KeyField()
    from_list = forms.BooleanField(required=False)


class AdoptCardForm(forms.Form):
    """The last row of each card that the player saw."""

    mine = KeyField()
    theirs = KeyField()

    def tails(self) -> CardTails:
        return CardTails(self.cleaned_data["mine"], self.cleaned_data["theirs"])


class AdoptLineForm(AdoptCardForm):
    """`line` is a row of the opponent's card, or a row of the player's card that is missing on the opponent's."""

    line = KeyField()


def first_error(form: forms.Form) -> str:
    """Returns the first error in the order of the fields; empty without errors."""
    errors: dict[str, Any] = form.errors
    return next((str(errors[name][0]) for name in form.fields if name in errors), "")
