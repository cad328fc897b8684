"""Serializes score cards and their rows for the API."""

from typing import Any

from matches.models import Card, CardRow, Match
from matches.scorecard import WriteResult
from rules.score import Win
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.offline_card import offline_card_json, time_at_event


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
