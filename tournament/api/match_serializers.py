"""Describes and serializes matches."""

from typing import Any

from rest_framework import serializers

from matches.keepers import Keeper
from matches.models import Match, MatchState
from tournament.access.score_visibility import UNDECIDED, score_visibility, visible_match
from tournament.api.card_serializers import CardDocument
from tournament.api.shared_serializers import SIDES


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


class MatchDocument(MatchStateDocument):
    left = serializers.IntegerField(allow_null=True, help_text="Null where onlookers are not told it yet.")
    right = serializers.IntegerField(allow_null=True)
    left_entry = serializers.UUIDField()
    right_entry = serializers.UUIDField()
    is_called = serializers.BooleanField()
    table = serializers.CharField(help_text="Where the match is called to; empty where that is to none.")
    cards = CardDocument(many=True, help_text="For the two players and the desk; empty for others.")


def match_json(match: Match) -> dict[str, Any]:
    return {
        "id": match.pk,
        "state": match.state,
        "version": match.version,
        "length": match.length,
        "games": match.games,
        "left": match.left_points,
        "right": match.right_points,
        "is_crawford": match.is_crawford,
        "winner": match.winner or None,
        "reported_by": match.reported_by or None,
    }


def delayed_score_json(match: Match) -> dict[str, Any]:
    """Returns the values that replace a delayed or hidden score. `version` is 0 because versions count games."""
    visibility = score_visibility(match.pairing.round.bracket.tournament)
    if visibility.is_live or match.state not in UNDECIDED:
        return {}
    visible = visible_match(match, visibility)
    return {
        "state": visible.state,
        "version": 0,
        "left": visible.left,
        "right": visible.right,
        "is_crawford": visible.is_crawford,
        "winner": None,
        "reported_by": None,
    }
