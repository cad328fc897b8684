"""Forms of a correction: the correct result, the matches to keep as played, and the reason."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.score import Side
from tournament.corrections import Change
from tournament.models import Pairing, Result, ResultKind
from tournament.pages.desk.forms import award_choices, points_field
from tournament.refusals.corrections import CORRECTION_REASON_NEEDED
from tournament.results.awards import WITH_SCORE, may_be_lost_on_time

PLAYED = ResultKind.PLAYED.value
TAKEN_BACK = ResultKind.RETRACTED.value


class ChangeForm(forms.Form):
    """The correct result: a played score, an outcome that the desk can award, or no result.

    The points are read only for an outcome that has a score. `initial` is the posted result.
    """

    outcome = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect)
    left = points_field()
    right = points_field()

    def __init__(self, *args: Any, pairing: Pairing, names: tuple[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.pairing = pairing
        self.fields["outcome"].choices = [  # type: ignore[attr-defined]
            (PLAYED, _("It was played")),
            *award_choices(names, on_time=may_be_lost_on_time(pairing)),
            (TAKEN_BACK, _("Not decided: take the result back")),
        ]
        for side, name in zip(("left", "right"), names, strict=True):
            self.fields[side].label = name
            self.fields[side].required = False
        self.fields["left"].widget.attrs |= {"data-select": True}

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("outcome") == PLAYED and None in (values.get("left"), values.get("right")):
            raise forms.ValidationError(_("Enter the points of both players."))
        if values.get("outcome") == PLAYED and values["left"] == values["right"]:
            raise forms.ValidationError(_("One of the two has won. Check the score."))
        if self._has_unused_score(values):
            raise forms.ValidationError(
                _("A score and a result without a score: choose “It was played”, or clear the score.")
            )
        return values

    def _has_unused_score(self, values: Mapping[str, Any]) -> bool:
        """True for points that differ from the posted ones, with an outcome that has no score."""
        if "outcome" not in values or self._takes_score(str(values["outcome"])):
            return False
        return any(values.get(name) is not None and name in self.changed_data for name in ("left", "right"))

    def change(self) -> Change:
        """Returns the requested change. Call after `is_valid`."""
        values = self.cleaned_data
        kind, _colon, side = str(values["outcome"]).partition(":")
        if kind == PLAYED:
            side = Side.LEFT.value if values["left"] > values["right"] else Side.RIGHT.value
            return Change(ResultKind(kind), self._entry(side), values["left"], values["right"])
        if kind in WITH_SCORE:
            return Change(ResultKind(kind), self._entry(side), values.get("left"), values.get("right"))
        return Change(ResultKind(kind), self._entry(side))

    @property
    def is_played(self) -> bool:
        """True if the chosen outcome, or the one shown at first, is a played score."""
        return str(self["outcome"].value()) == PLAYED

    @property
    def outcome_text(self) -> str:
        """The chosen outcome in words; empty for a played match."""
        outcome = str(self.data.get("outcome", ""))
        words = dict(self.fields["outcome"].choices)  # type: ignore[attr-defined]
        return "" if outcome == PLAYED else str(words.get(outcome, ""))

    @property
    def has_score(self) -> bool:
        return self._takes_score(str(self.data.get("outcome", "")))

    @staticmethod
    def _takes_score(outcome: str) -> bool:
        kind = outcome.partition(":")[0]
        return kind == PLAYED or kind in WITH_SCORE

    def _entry(self, side: str) -> uuid.UUID | None:
        entries = {Side.LEFT.value: self.pairing.left_id, Side.RIGHT.value: self.pairing.right_id}
        return entries.get(side)


class CorrectForm(forms.Form):
    """Confirms the previewed correction with this digest."""

    digest = forms.CharField(widget=forms.HiddenInput, max_length=64)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        error_messages={"required": _(CORRECTION_REASON_NEEDED.template)},
    )


def kept_pairings(values: Iterable[str]) -> frozenset[int]:
    """Returns the ids of the pairings to keep as played. Ignores texts that are not numbers."""
    return frozenset(int(value) for value in values if value.isdecimal() and len(value) < 12)


def initial_values(result: Result) -> dict[str, Any]:
    points = {"left": result.left_points, "right": result.right_points}
    if result.kind == ResultKind.PLAYED:
        return {"outcome": PLAYED, **points}
    if result.winner_id is None:
        return {"outcome": str(result.kind)}
    side = Side.LEFT if result.winner_id == result.left_id else Side.RIGHT
    return {"outcome": f"{result.kind}:{side.value}", **points}


def with_played_score(sent: QueryDict, initial: Mapping[str, Any]) -> QueryDict:
    """Returns the sent values with a played result if only a score was added to a posted settlement."""
    posted = str(initial.get("outcome", ""))
    has_score = all(sent.get(name, "").strip() for name in ("left", "right"))
    if not (
        posted.startswith(f"{ResultKind.SETTLED.value}:") and sent.get("outcome") == posted and has_score
    ):
        return sent
    values = sent.copy()
    values["outcome"] = PLAYED
    return values


def swapped_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of the same outcome with winner and loser exchanged; empty if there is no winner."""
    kind, _colon, side = str(values["outcome"]).partition(":")
    if kind != PLAYED and not side:
        return {}
    outcome = kind if kind == PLAYED else f"{kind}:{Side(side).other.value}"
    points = {"left": values.get("right"), "right": values.get("left")}
    return {"outcome": outcome} | {name: value for name, value in points.items() if value is not None}


def shows_values(form: ChangeForm, values: Mapping[str, Any]) -> bool:
    return all(str(form[name].value()) == str(value) for name, value in values.items())


def proposed_reason(result: Result, change: Change) -> str:
    """Returns a reason for the two usual mistakes; empty for any other change."""
    if change.kind != ResultKind.PLAYED or result.kind != ResultKind.PLAYED:
        return ""
    is_swapped = (change.left_points, change.right_points) == (result.right_points, result.left_points)
    return gettext("Winner and loser were swapped") if is_swapped else gettext("The score was wrong")
