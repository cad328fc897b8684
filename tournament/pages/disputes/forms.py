"""Forms of disputes: a ruling of the desk, and notes and photos of players. Decides nothing."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.keepers import Keeper
from rules.ruleset import Ruleset
from tournament.pages.desk.forms import BOTH_POINTS, points_field
from tournament.pages.rules.lines import Line
from tournament.pages.rules.texts import cards_in_words, in_words
from tournament.queries.desk.match import DeskCard
from tournament.results.disputes import Decision, Ruling
from tournament.web.uploads import MAX_FILE_BYTES

FITTING = ("MATCH", "CARD", "CRAW", "CUBE", "SCORE", "PEN", "TIME", "TABLE")
"""Beginnings of the ids of rules that are offered for a ruling."""
LONGEST_RULE = 90
"""Characters of a rule in the list of choices."""


class RulingForm(forms.Form):
    """`cards` are the complete cards. The form contains the last row of each that the desk saw.

    `ruleset`: rules of the match, which a ruling can name.
    """

    decision = forms.ChoiceField(
        label=_("Decision"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is decided.")},
    )
    left = points_field(required=False)
    right = points_field(required=False)
    ruling = forms.CharField(
        label=_("Ruling, for the players to read (optional)"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"max_length": _("The ruling is too long. Say it in fewer words.")},
        help_text=_("If empty, the players read the decision."),
    )
    rule = forms.ChoiceField(label=_("Rule (optional)"), required=False)

    def __init__(
        self,
        *args: Any,
        players: tuple[str, str],
        cards: Sequence[DeskCard],
        ruleset: Ruleset | None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        rules = rule_choices(ruleset) if ruleset else []
        self.fields["rule"].choices = [("", gettext("No rule named")), *rules]  # type: ignore[attr-defined]
        self.fields["decision"].choices = list(_decisions(cards))  # type: ignore[attr-defined]
        for name, player in zip(("left", "right"), players, strict=True):
            self.fields[name].label = gettext("Points of {name}").format(name=player)
        for card in cards:
            field = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=card.tail)
            self.fields[f"tail_{card.keeper.value}"] = field

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("decision") == Decision.SCORE.value:
            for side in ("left", "right"):
                if data.get(side) is None and side not in self.errors:
                    self.add_error(side, BOTH_POINTS)
        return data

    @property
    def tails(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("tail_")]

    def to_ruling(self) -> Ruling:
        """Call after `is_valid`."""
        values = self.cleaned_data
        decision, _colon, keeper = str(values["decision"]).partition(":")
        both = (values["left"], values["right"])
        return Ruling(
            text=values["ruling"] or self._decision_in_words(),
            decision=Decision(decision),
            rule=values["rule"],
            keeper=Keeper(keeper) if keeper else None,
            tail=values.get(f"tail_{keeper}"),
            score=None if None in both else both,
        )

    def _decision_in_words(self) -> str:
        """Returns the chosen decision as a sentence, for a ruling without a text."""
        values = self.cleaned_data
        if values["decision"] == Decision.SCORE.value:
            score = f"{values['left']}–{values['right']}"
            return gettext("The desk decides that the score is {score}.").format(score=score)
        return dict(self.fields["decision"].choices)[values["decision"]]  # type: ignore[attr-defined,no-any-return]


def rule_choices(ruleset: Ruleset) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the rules that a ruling can name, by section."""
    groups = [
        (section.title, [_rule_choice(line) for line in section.lines if line.rules.split("-")[0] in FITTING])
        for section in (cards_in_words(), *in_words(ruleset))
    ]
    return [(title, choices) for title, choices in groups if choices]


def _rule_choice(line: Line) -> tuple[str, str]:
    return line.rules, Truncator(f"{line.rules}: {line.text}").chars(LONGEST_RULE)


def _decisions(cards: Sequence[DeskCard]) -> Iterable[tuple[str, str]]:
    for card in cards:
        named, own = gettext("The card of {name} counts: {score}"), gettext("The desk's card counts: {score}")
        words = (named if card.name else own).format(name=card.name, score=f"{card.left}–{card.right}")
        yield f"{Decision.CARD.value}:{card.keeper.value}", words
    yield Decision.SCORE.value, gettext("This score, entered here")
    yield Decision.PLAY_ON.value, gettext("Play continues: the match is open again")


NO_PHOTO = _("Take or choose a photo first.")


class PhotoForm(forms.Form):
    """Accepts any file. `photos` checks its size and content."""

    photo = forms.FileField(
        allow_empty_file=True,
        max_length=None,
        error_messages=dict.fromkeys(("required", "missing", "invalid"), NO_PHOTO),
    )

    def clean_photo(self) -> "UploadedFile[bytes] | None":
        """Rejects a file that was cut at the upload limit, without reading it."""
        file: UploadedFile[bytes] | None = self.cleaned_data["photo"]
        if file is not None and (file.size or 0) >= MAX_FILE_BYTES:
            raise forms.ValidationError(_("This photo is larger than 12 MB. Send a smaller one."))
        return file

    def read_photo(self) -> bytes:
        """Returns the bytes; empty without a photo. Call after `is_valid`."""
        file: UploadedFile[bytes] | None = self.cleaned_data["photo"]
        return file.read() if file else b""


class PictureForm(PhotoForm):
    """A picture that is shown to everybody, such as a logo."""

    photo = forms.FileField(
        label=_("Picture"),
        allow_empty_file=True,
        max_length=None,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=_("A JPEG, PNG or WebP file, at most 12 MB. Place and camera are not kept."),
        error_messages=dict.fromkeys(("required", "missing", "invalid"), _("Choose a picture first.")),
    )


class DisputeForm(PhotoForm):
    note = forms.CharField(
        max_length=500,
        required=False,
        error_messages={"max_length": _("The note is too long. Say it in fewer words.")},
    )
    photo = forms.FileField(required=False, allow_empty_file=True, max_length=None)
