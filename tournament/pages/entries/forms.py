"""Forms of the entry list: adding or changing one entry, and a list as pasted text or a file."""

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.entries import registration
from tournament.entries.lists.countries import country_code
from tournament.entries.lists.limits import (
    HIGHEST_RATING,
    HIGHEST_SEED,
    LONGEST_CLUB,
    LONGEST_FEDERATION_ID,
    LONGEST_NAME,
    LONGEST_TEAM,
)
from tournament.entries.lists.matching import ExistingPlayer
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, Tournament
from tournament.pages.money.choice_fields import ChoicesMixin
from tournament.runtime.text import clean, plain_number

MOST_READ = 20_000_000
NEW_PERSON = "new"
"""Chosen for a person who is none of the players with this name."""


class CleanText(forms.CharField):
    """Normalizes text like an imported list: one Unicode form, no invisible characters."""

    def to_python(self, value: Any) -> str:
        return clean(super().to_python(value) or "")


class EntryForm(ChoicesMixin):
    """A player of this tournament. It asks for side pools and prices where the tournament has some."""

    name = CleanText(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Write the name of the player.")},
    )
    country = CleanText(
        label=_("Country"),
        max_length=60,
        required=False,
        help_text=_("Name or code, such as Denmark or DNK."),
    )
    club = CleanText(label=_("Club"), max_length=LONGEST_CLUB, required=False)
    team = CleanText(label=_("Team"), max_length=LONGEST_TEAM, required=False)
    federation_id = CleanText(label=_("Federation number"), max_length=LONGEST_FEDERATION_ID, required=False)
    rating = forms.DecimalField(
        label=_("Rating"),
        required=False,
        max_digits=7,
        decimal_places=2,
        min_value=0,
        max_value=HIGHEST_RATING,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=1,
        max_value=HIGHEST_SEED,
        help_text=_("1 is the strongest."),
    )
    is_paid = forms.BooleanField(label=_("Has paid"), required=False)
    person = forms.CharField(required=False, max_length=36)

    def __init__(self, *args: Any, tournament: Tournament, **more: Any) -> None:
        super().__init__(*args, **more)
        self.tournament = tournament
        self.add_choices(tournament)

    def clean_country(self) -> str:
        """Returns the stored code. A text that is stored already may stay."""
        text = str(self.cleaned_data["country"])
        code = country_code(text)
        if text and code is None and text != self.initial.get("country"):
            raise forms.ValidationError(
                _("This country is not known. Check the spelling, or leave the field empty.")
            )
        return code or text

    def clean_person(self) -> UUID | None:
        """The player of the event who was chosen among people of the same name."""
        text = self.cleaned_data["person"]
        if text in ("", NEW_PERSON):
            return None
        try:
            return UUID(text)
        except ValueError as error:
            raise forms.ValidationError(_("Choose the person again.")) from error

    def details(self) -> EntryDetails:
        data = self.cleaned_data
        player = PlayerDetails(
            data["name"], data["country"], data["club"], data["federation_id"], data["rating"], data["team"]
        )
        return EntryDetails(
            player,
            data["seed"],
            data["is_paid"],
            self.choices(),
            player_id=data.get("person"),
            is_new_person=self.data.get("person") == NEW_PERSON,
        )

    def people(self) -> tuple[ExistingPlayer, ...]:
        """The players of the event among whom the director chooses, if the name does not decide."""
        if not self.is_bound or set(self.errors) - {NON_FIELD_ERRORS}:
            return ()
        return registration.candidates(self.tournament, self.details())


def initial_of(entry: Entry) -> dict[str, Any]:
    player = entry.player
    return {
        "name": player.registered_name,
        "country": player.country,
        "club": player.club,
        "team": player.team,
        "federation_id": player.federation_id,
        "rating": None if player.rating is None else plain_number(player.rating),
        "seed": entry.seed,
        "is_paid": entry.is_paid,
        "conditions": entry.player.conditions,
        "pools": entry.pools,
    }


class ListForm(forms.Form):
    """A list of players: pasted text or a file. A file takes precedence."""

    text = forms.CharField(
        label=_("Paste the list"),
        required=False,
        strip=False,
        max_length=MOST_READ,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
    )
    file = forms.FileField(label=_("Or choose a file"), required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not (data.get("text") or "").strip():
            self.add_error("text", _("Paste the names of the players here, one on a line, or choose a file."))
        return data

    def show_text(self, text: str) -> None:
        """Shows this text in the answer, because browsers empty the field of a file."""
        self.data = {"text": text}

    def list_content(self) -> tuple[bytes, str]:
        """Returns the bytes of the list and the name of its file."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is not None:
            return file.read(MOST_READ), file.name or ""
        return str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass"), ""
