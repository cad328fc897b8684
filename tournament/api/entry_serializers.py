"""Bodies and answers of the API about entries."""

from typing import Any

from rest_framework import serializers

from tournament.entries.lists.countries import country_code
from tournament.entries.lists.limits import (
    HIGHEST_RATING,
    HIGHEST_SEED,
    LONGEST_CLUB,
    LONGEST_FEDERATION_ID,
    LONGEST_NAME,
    LONGEST_TEAM,
)
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.runtime.text import clean


class CleanText(serializers.CharField):
    """Normalizes text like an imported list: one Unicode form, no invisible characters."""

    def to_internal_value(self, data: Any) -> str:
        text = clean(super().to_internal_value(data))
        if not text and not self.allow_blank:
            self.fail("blank")
        return text


class EntryBody(serializers.Serializer[Any]):
    name = CleanText(max_length=LONGEST_NAME)
    country = CleanText(max_length=3, required=False, allow_blank=True, default="")
    club = CleanText(max_length=LONGEST_CLUB, required=False, allow_blank=True, default="")
    team = CleanText(max_length=LONGEST_TEAM, required=False, allow_blank=True, default="")
    federation_id = CleanText(max_length=LONGEST_FEDERATION_ID, required=False, allow_blank=True, default="")
    rating = serializers.DecimalField(
        7, 2, required=False, allow_null=True, min_value=0, max_value=HIGHEST_RATING, default=None
    )
    seed = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=HIGHEST_SEED, default=None
    )
    is_paid = serializers.BooleanField(default=False)

    def validate_country(self, country: str) -> str:
        """Returns the stored code of a known country, such as DNK for DEN."""
        return country_code(country) or country.upper()


class NewEntryBody(EntryBody):
    player = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="The player of the event who is entered."
    )
    is_new_person = serializers.BooleanField(
        default=False, help_text="True: none of the event's players, even with the same name."
    )


class EntryDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    player = serializers.UUIDField(
        allow_null=True,
        help_text="The person, the same in all tournaments of the event. Null for spectators.",
    )
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()
    team = serializers.CharField()
    federation_id = serializers.CharField()
    rating = serializers.DecimalField(7, 2, allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    is_withdrawn = serializers.BooleanField()
    is_checked_in = serializers.BooleanField()
    is_paid = serializers.BooleanField(allow_null=True, help_text="Null for whoever does not run the event.")
    given_losses = serializers.IntegerField(
        help_text="Losses that a late entrant of an event with lives started with."
    )


class LinkDocument(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Told once.")
    path = serializers.CharField()


def entry_of(body: dict[str, Any]) -> EntryDetails:
    fields = {name: body[name] for name in ("name", "country", "club", "team", "federation_id", "rating")}
    return EntryDetails(
        PlayerDetails(**fields),
        seed=body["seed"],
        is_paid=body["is_paid"],
        player_id=body.get("player"),
        is_new_person=body.get("is_new_person", False),
    )
