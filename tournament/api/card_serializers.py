"""Describes and serializes score cards, and the bodies that add rows. `rules` decides if a row is possible."""

from typing import Any

from rest_framework import serializers

from matches.keepers import Keeper
from matches.models import LARGEST_POINTS, Card, CardRow, Match, PenaltyKind, RowKind
from matches.rows import FinalScore, NewRow, Stop, Strike
from matches.scorecard import WriteResult
from rules.score import Ending, Game, Penalty, Side, Win
from tournament.api.shared_serializers import LARGEST, SIDES
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.offline_card import offline_card_json, time_at_event


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


WINS = {win.name.lower(): win for win in Win}


class RowBody(serializers.Serializer[Any]):
    """The fields of every row: its key (made by the client) and the key of the row before it on the card."""

    key = serializers.UUIDField(help_text="Made by the client; the same key and body get the same answer.")
    predecessor = serializers.UUIDField(help_text="Key of the row before; the match's id for the first.")


class GameBody(RowBody):
    winner = serializers.ChoiceField(choices=SIDES)
    win = serializers.ChoiceField(choices=list(WINS), default="single")
    ending = serializers.ChoiceField(choices=[ending.value for ending in Ending], default=Ending.PLAYED.value)
    cube = serializers.IntegerField(default=1, min_value=0, max_value=LARGEST)
    checkers_left = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=30000)
    automatic_doubles = serializers.IntegerField(default=0, min_value=0, max_value=30000)
    supersedes = serializers.UUIDField(required=False, allow_null=True)


class PenaltyBody(RowBody):
    against = serializers.ChoiceField(choices=SIDES)
    points = serializers.IntegerField(min_value=0, max_value=LARGEST_POINTS)
    penalty_kind = serializers.ChoiceField(choices=PenaltyKind.values, default=PenaltyKind.OTHER.value)
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    mid_game = serializers.BooleanField(default=False, help_text="Given while a game was under way.")


class FinalBody(RowBody):
    left = serializers.IntegerField(min_value=0, max_value=LARGEST)
    right = serializers.IntegerField(min_value=0, max_value=LARGEST)


class StrikeBody(RowBody):
    supersedes = serializers.UUIDField(help_text="Key of the row to take back.")


class StopBody(RowBody):
    """Time is over: the session ends with the games that count on the card, at least one."""


class ConfirmBody(serializers.Serializer[Any]):
    tail = serializers.UUIDField(required=False, allow_null=True, help_text="Key of the last row you saw.")


def game_of(body: dict[str, Any]) -> NewRow:
    game = Game(
        winner=Side(body["winner"]),
        win=WINS[body["win"]],
        ending=Ending(body["ending"]),
        cube=body["cube"],
        checkers_left=body.get("checkers_left"),
        automatic_doubles=body["automatic_doubles"],
    )
    return NewRow(body["key"], body["predecessor"], game, body.get("supersedes"))


def penalty_of(body: dict[str, Any]) -> NewRow:
    penalty = Penalty(
        Side(body["against"]),
        body["points"],
        body["reason"],
        mid_game=body["mid_game"],
        given_for=body["penalty_kind"],
    )
    return NewRow(body["key"], body["predecessor"], penalty)


def final_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], FinalScore(body["left"], body["right"]))


def stop_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], Stop())


def strike_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], Strike(), supersedes=body["supersedes"])
