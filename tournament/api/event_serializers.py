"""Bodies and answers of the API about events and their journal."""

from typing import Any
from zoneinfo import available_timezones

from django.core.validators import URLValidator
from django.utils.translation import gettext
from rest_framework import serializers

from tournament.events.setup import EventPlan
from tournament.models import Event, Visibility

KEPT_FIELDS = ("is_indexed", "shows_initials", "ends_on", "description", "contact", "website")
"""A change that leaves them out keeps them."""


class EventBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    starts_on = serializers.DateField()
    venue = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    time_zone = serializers.CharField(max_length=60, required=False, default="UTC")
    is_indexed = serializers.BooleanField(
        required=False,
        help_text="Search engines may list the event. Left out: unchanged, or not for a new event.",
    )
    shows_initials = serializers.BooleanField(
        required=False,
        help_text="Surnames are shortened to initials. Left out: unchanged, or not for a new event.",
    )
    ends_on = serializers.DateField(
        required=False,
        allow_null=True,
        help_text="The last day, null for an event of one day. Left out: unchanged, or null for a new event.",
    )
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    contact = serializers.CharField(max_length=200, required=False, allow_blank=True)
    website = serializers.URLField(
        max_length=200,
        required=False,
        allow_blank=True,
        validators=[URLValidator(schemes=["http", "https"])],
        help_text="An http or https address. Left out, like description and contact: unchanged.",
    )
    visibility = serializers.ChoiceField(
        choices=Visibility.choices,
        required=False,
        help_text="Who may see the event. Left out: unchanged, or everybody for a new event.",
    )

    def validate_time_zone(self, name: str) -> str:
        if name not in available_timezones():
            raise serializers.ValidationError(gettext("No such time zone. An example: Europe/Athens."))
        return name


class EventDocument(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    venue = serializers.CharField()
    starts_on = serializers.DateField()
    time_zone = serializers.CharField()
    is_indexed = serializers.BooleanField()
    shows_initials = serializers.BooleanField()
    ends_on = serializers.DateField(allow_null=True)
    description = serializers.CharField()
    contact = serializers.CharField()
    website = serializers.CharField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)


class JournalDocument(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    user = serializers.CharField(allow_null=True)
    entry = serializers.UUIDField(allow_null=True)
    verb = serializers.CharField()
    subject = serializers.CharField()
    subject_id = serializers.CharField()
    before = serializers.DictField()
    after = serializers.DictField()
    reason = serializers.CharField()


def event_of(body: dict[str, Any], before: Event | None = None) -> EventPlan:
    """Returns the plan of an event, without its visibility. Settings missing from the body stay unchanged."""
    body = {name: value for name, value in body.items() if name != "visibility"}
    stored = {name: getattr(before, name) for name in KEPT_FIELDS} if before else {}
    return EventPlan(**{**stored, **body})
