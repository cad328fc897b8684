"""Describes API responses for the OpenAPI document. Views return plain dicts."""

from typing import Any

from rest_framework import serializers

from matches.keepers import Keeper
from matches.models import MatchState, RowKind
from rules.ruleset import PRESETS
from rules.score import Ending, Side
from tournament.api.correction_serializers import CorrectionPreviewDocument
from tournament.models import Scope

SIDES = [side.value for side in Side]


class RowDocument(serializers.Serializer[Any]):
    key = serializers.UUIDField()
    number = serializers.IntegerField()
    predecessor = serializers.UUIDField()
    supersedes = serializers.UUIDField(allow_null=True)
    kind = serializers.ChoiceField(choices=RowKind.values)
    winner = serializers.ChoiceField(choices=SIDES, allow_null=True)
    win = serializers.ChoiceField(choices=["single", "gammon", "backgammon"], allow_null=True)
    ending = serializers.ChoiceField(choices=[ending.value for ending in Ending], allow_null=True)
    cube = serializers.IntegerField()
    points = serializers.IntegerField(
        help_text="Raw points; what counts towards the match is in the card's score."
    )
    left = serializers.IntegerField(allow_null=True)
    right = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True, help_text="Of a stop: to how many the session goes.")


class CardAfterDocument(serializers.Serializer[Any]):
    """The card as it stood right after the row."""

    keeper = serializers.ChoiceField(choices=[keeper.value for keeper in Keeper])
    left = serializers.IntegerField()
    right = serializers.IntegerField()
    is_crawford = serializers.BooleanField(help_text="The next game is the Crawford game.")
    winner = serializers.ChoiceField(choices=SIDES, allow_null=True)


class CardStateDocument(CardAfterDocument):
    """A card without its rows."""

    tail = serializers.UUIDField(help_text="Key of the last row: the predecessor of the next.")


class CardDocument(CardStateDocument):
    rows = RowDocument(
        many=True, help_text="As written; a struck or corrected row is superseded by a later one."
    )


class LineDocument(serializers.Serializer[Any]):
    """A line of a card that counts: a game, penalty points, a final score, or the end of a session by time."""

    key = serializers.UUIDField()
    what = serializers.ChoiceField(choices=["game", "penalty", "final", "stop"])
    winner = serializers.ChoiceField(choices=SIDES, required=False)
    win = serializers.IntegerField(required=False, help_text="1 single, 2 gammon, 3 backgammon.")
    ending = serializers.ChoiceField(choices=[ending.value for ending in Ending], required=False)
    cube = serializers.IntegerField(required=False)
    checkers_left = serializers.IntegerField(required=False, allow_null=True)
    automatic_doubles = serializers.IntegerField(required=False)
    against = serializers.ChoiceField(choices=SIDES, required=False)
    points = serializers.IntegerField(required=False)
    mid_game = serializers.BooleanField(required=False)
    left = serializers.IntegerField(required=False)
    right = serializers.IntegerField(required=False)
    games = serializers.IntegerField(required=False, allow_null=True)


class NamesDocument(serializers.Serializer[Any]):
    left = serializers.CharField()
    right = serializers.CharField()


class OfflineCardDocument(serializers.Serializer[Any]):
    """A player's card with all that a phone needs to write on it without a network."""

    match = serializers.UUIDField()
    entry = serializers.UUIDField()
    side = serializers.ChoiceField(choices=SIDES)
    names = NamesDocument()
    length = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    is_open = serializers.BooleanField(help_text="The player can still write.")
    version = serializers.IntegerField(help_text="Version of the match.")
    rules = serializers.DictField(help_text="The part of the ruleset that decides the points of a game.")
    tail = serializers.UUIDField(help_text="Key of the last row: the predecessor of the next.")
    keys = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Keys for the next rows in their order. Phones of one player that use them write each row once.",
    )
    written = serializers.ListField(
        child=serializers.UUIDField(), help_text="Keys of all rows, oldest first."
    )
    rows = LineDocument(many=True, help_text="The rows that count.")


class OwnCardDocument(serializers.Serializer[Any]):
    own_card = OfflineCardDocument()
    at = serializers.CharField(help_text="Local time of the event, such as 14:05.")
    token = serializers.CharField(help_text="CSRF token for changes with cookies.")


class WrittenDocument(serializers.Serializer[Any]):
    """A repeated row gets the same `row` and `card` again."""

    row = RowDocument()
    card = CardAfterDocument()
    own_card = OfflineCardDocument(required=False, help_text="The card as it is now, if `entry` was given.")
    at = serializers.CharField(required=False, help_text="Local time of the event, with `own_card`.")


class AskedQuestionDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    match = serializers.UUIDField()
    kind = serializers.CharField()
    asked_by = serializers.CharField()
    detail = serializers.DictField()
    opened_at = serializers.DateTimeField()


class QuestionDocument(AskedQuestionDocument):
    note = serializers.CharField()
    closed_at = serializers.DateTimeField(allow_null=True)
    ruling = serializers.CharField()


class AskedDocument(serializers.Serializer[Any]):
    question = AskedQuestionDocument()
    detail = serializers.CharField()
    own_card = OfflineCardDocument(required=False, help_text="The card as it is now, if `entry` was given.")
    at = serializers.CharField(required=False, help_text="Local time of the event, with `own_card`.")


class MatchStateDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=MatchState.values)
    version = serializers.IntegerField()
    length = serializers.IntegerField(allow_null=True, help_text="Null: stake play.")
    games = serializers.IntegerField(
        allow_null=True, help_text="Of a session of stake play; null there: until time is over."
    )
    left = serializers.IntegerField()
    right = serializers.IntegerField()
    is_crawford = serializers.BooleanField()
    winner = serializers.ChoiceField(choices=SIDES, allow_null=True)
    reported_by = serializers.ChoiceField(choices=[keeper.value for keeper in Keeper], allow_null=True)


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


class MatchDocument(MatchStateDocument):
    left = serializers.IntegerField(allow_null=True, help_text="Null where onlookers are not told it yet.")
    right = serializers.IntegerField(allow_null=True)
    left_entry = serializers.UUIDField()
    right_entry = serializers.UUIDField()
    is_called = serializers.BooleanField()
    table = serializers.CharField(help_text="Where the match is called to; empty where that is to none.")
    cards = CardDocument(many=True, help_text="For the two players and the desk; empty for others.")


class EventDocument(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    venue = serializers.CharField()
    starts_on = serializers.DateField()
    time_zone = serializers.CharField()
    is_indexed = serializers.BooleanField()
    shows_initials = serializers.BooleanField()


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
