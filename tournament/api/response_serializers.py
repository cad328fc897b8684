"""Describes API responses for the OpenAPI document. Views return plain dicts."""

from typing import Any

from rest_framework import serializers

from matches.models import MatchState
from rules.ruleset import PRESETS
from rules.score import Side
from tournament.api.card_serializers import CardStateDocument
from tournament.api.correction_serializers import CorrectionPreviewDocument
from tournament.api.match_serializers import MatchStateDocument
from tournament.models import Scope, Visibility

SIDES = [side.value for side in Side]


class ProblemDocument(serializers.Serializer[Any]):
    """application/problem+json."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people: what is wrong and what to do.")
    rule = serializers.CharField(required=False, help_text="Id of the rule that is broken.")
    params = serializers.DictField(required=False)
    offer = serializers.CharField(required=False, allow_null=True)
    card = CardStateDocument(required=False)
    match = MatchStateDocument(required=False)
    invalid = serializers.JSONField(required=False, help_text="What is wrong with which field.")
    preview = CorrectionPreviewDocument(
        required=False, help_text="The new one, of a correction shown too long ago."
    )


class EventDocument(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    venue = serializers.CharField()
    starts_on = serializers.DateField()
    time_zone = serializers.CharField()
    is_indexed = serializers.BooleanField()
    shows_initials = serializers.BooleanField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)


class TournamentDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    event = serializers.CharField()
    slug = serializers.CharField()
    name = serializers.CharField()
    ruleset = serializers.DictField()
    lengths = serializers.ListField(
        child=serializers.IntegerField(), help_text="They say nothing in stake play."
    )
    side_lengths = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    games = serializers.IntegerField(allow_null=True, help_text="Stake play: games of each session.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Stake play: minutes of each session.")
    format = serializers.DictField(help_text="As in the body of create_tournament, every field told.")
    confirm_after = serializers.IntegerField(allow_null=True)
    final_score_allowed = serializers.BooleanField()
    two_cards = serializers.BooleanField(help_text="Each side keeps a card; a result counts when both agree.")
    doubles = serializers.BooleanField(help_text="Pairs play: an entry is a pair.")
    score_delay = serializers.IntegerField(
        allow_null=True, help_text="Minutes; null: only the result is seen."
    )
    prizes = serializers.DictField(help_text="As in the body of create_tournament; empty: none.")
    is_drawn = serializers.BooleanField()
    is_released = serializers.BooleanField()


class PresetsDocument(serializers.Serializer[Any]):
    """Rulesets by name."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.DictField() for name in sorted(PRESETS)}


class EntryDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
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


class PersonalLinkDocument(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    entry = serializers.UUIDField()
    name = serializers.CharField()
    made_at = serializers.DateTimeField()
    approved_at = serializers.DateTimeField(allow_null=True, help_text="Null while it waits for the desk.")
    revoked_at = serializers.DateTimeField(allow_null=True)


class DrawDocument(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    method = serializers.CharField()
    seed_text = serializers.CharField()
    entries = serializers.ListField(child=serializers.UUIDField())
    order = serializers.ListField(
        child=serializers.UUIDField(allow_null=True), help_text="By position; null for a bye."
    )
    rules = serializers.DictField(help_text="Byes, lines of the seeds, who is kept apart.")
    public = serializers.CharField(help_text="Dice thrown in the hall, where a secret was made.")
    secret_hash = serializers.CharField()
    entries_hash = serializers.CharField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    released_at = serializers.DateTimeField(allow_null=True)
    replaced_at = serializers.DateTimeField(allow_null=True)


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


class TroubleDocument(serializers.Serializer[Any]):
    line = serializers.IntegerField(allow_null=True)
    severity = serializers.CharField()
    code = serializers.CharField()
    sentence = serializers.CharField()


class PlannedDocument(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    name = serializers.CharField()
    changes = serializers.ListField(child=serializers.DictField())
    also_entered_in = serializers.ListField(
        child=serializers.CharField(), help_text="Other tournaments in which the changes show too."
    )


class PreviewDocument(serializers.Serializer[Any]):
    digest = serializers.CharField()
    added = PlannedDocument(many=True)
    changed = PlannedDocument(many=True)
    unchanged = serializers.IntegerField()
    troubles = TroubleDocument(many=True)


class ImportedDocument(serializers.Serializer[Any]):
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class PhoneDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    tournament = serializers.UUIDField()
    match = serializers.UUIDField(allow_null=True)
    side = serializers.ChoiceField(choices=SIDES, allow_null=True)
    length = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=MatchState.values, allow_null=True)
    round = serializers.IntegerField(allow_null=True)


class ResultDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    pairing = serializers.IntegerField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    kind = serializers.CharField()
    left = serializers.UUIDField()
    right = serializers.UUIDField()
    winner = serializers.UUIDField(allow_null=True)
    left_points = serializers.IntegerField(allow_null=True)
    right_points = serializers.IntegerField(allow_null=True)
    confirmed_by = serializers.CharField()
    posted_at = serializers.DateTimeField()
