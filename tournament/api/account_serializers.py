"""Bodies and answers of the API about accounts: roles, invitations, API tokens."""

from typing import Any

from rest_framework import serializers

from tournament.accounts.links import DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS
from tournament.models import Role, Scope


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


class RoleBody(serializers.Serializer[Any]):
    user_name = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.values)


class MemberDocument(serializers.Serializer[Any]):
    user_name = serializers.CharField()
    role = serializers.CharField()


class TokenDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(choices=Scope.values)
    event = serializers.SlugField(allow_null=True)
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To within ten minutes.")
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewTokenDocument(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Told once.")


class InvitationDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    event = serializers.CharField()
    event_name = serializers.CharField()
    role = serializers.CharField()
    invited_by = serializers.CharField(allow_null=True)
    made_at = serializers.DateTimeField()
