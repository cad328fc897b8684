"""The body of a request for a new API token."""

from typing import Any

from rest_framework import serializers

from tournament.accounts.links import DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS
from tournament.models import Scope


class TokenBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    scope = serializers.ChoiceField(
        choices=Scope.values,
        default=Scope.FULL.value,
        help_text="`read`: GET only. `full`: all your permissions.",
    )
    days = serializers.IntegerField(
        min_value=1, max_value=MAX_TOKEN_DAYS, default=DEFAULT_TOKEN_DAYS, help_text="Until it expires."
    )
    event = serializers.SlugField(
        required=False, allow_null=True, default=None, help_text="Only in this event; null: in all of yours."
    )
