"""Describes and serializes score cards and their rows."""

from typing import Any

from rest_framework import serializers

from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, RowKind
from matches.scorecard import WriteResult
from rules.score import Ending, Side, Win
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.offline_card import offline_card_json, time_at_event

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


class WrittenRowDocument(serializers.Serializer[Any]):
    """A repeated row gets the same `row` and `card` again."""

    row = RowDocument()
    card = CardAfterDocument()
    own_card = OfflineCardDocument(required=False, help_text="The card as it is now, if `entry` was given.")
    at = serializers.CharField(required=False, help_text="Local time of the event, with `own_card`.")


def cards_json(match: Match) -> list[dict[str, Any]]:
    """All cards of a match with their rows."""
    cards = match.cards.order_by("keeper").prefetch_related("rows")
    return [{**card_json(card), "rows": [row_json(row) for row in card.rows.all()]} for card in cards]


def card_json(card: Card) -> dict[str, Any]:
    """A card without its rows."""
    return {
        "keeper": card.keeper,
        "left": card.left_points,
        "right": card.right_points,
        "is_crawford": card.is_crawford,
        "winner": card.winner or None,
        "tail": card.tail,
    }


def written_json(written: WriteResult) -> dict[str, Any]:
    """A written row, and the card right after it. A repeated row gets the same answer."""
    totals = written.totals
    card = {
        "keeper": written.card.keeper,
        "left": totals.left,
        "right": totals.right,
        "is_crawford": totals.is_crawford,
        "winner": totals.winner or None,
    }
    return {"row": row_json(written.row), "card": card}


def own_card_json(phone: PhoneMatch) -> dict[str, Any]:
    """The card as a phone stores it, to write on it without a network."""
    return {"own_card": offline_card_json(phone), "at": time_at_event(phone)}


def row_json(row: CardRow) -> dict[str, Any]:
    return {
        "key": row.key,
        "number": row.number,
        "predecessor": row.predecessor,
        "supersedes": row.supersedes_id,
        "kind": str(row.kind),
        "winner": row.winner or None,
        "win": Win(row.win).name.lower() if row.win else None,
        "ending": row.ending or None,
        "cube": row.cube,
        "points": row.points,
        "left": row.left_points,
        "right": row.right_points,
        "games": row.games,
    }
