"""The reads of every game, as SQL: to compile them as query sets takes longer than to run them (decision 14).

A test compares each statement with its query set.
"""

import uuid
from collections.abc import Collection, Iterable

from django.db import connection

from matches.models import Card, CardRow, Match

LOCKED_MATCHES = "SELECT * FROM matches_match WHERE id IN ({ids}) ORDER BY id"
CARDS = "SELECT * FROM matches_card WHERE match_id IN ({ids})"
CARD_ROWS = "SELECT * FROM matches_cardrow WHERE card_id = %s OR key = %s ORDER BY number"


def locked_matches(match_ids: Collection[uuid.UUID]) -> Iterable[Match]:
    """Locks these matches in the order of their ids. On SQLite the transaction holds the lock on everything."""
    for_update = " FOR UPDATE" if connection.vendor == "postgresql" else ""
    return Match.objects.raw(_with_ids(LOCKED_MATCHES, match_ids) + for_update, _parameters(match_ids))


def cards_of_matches(match_ids: Collection[uuid.UUID]) -> Iterable[Card]:
    return Card.objects.raw(_with_ids(CARDS, match_ids), _parameters(match_ids))


def rows_of_card_or_key(card_id: uuid.UUID, key: uuid.UUID) -> list[CardRow]:
    """The rows of a card in order, with the row of any card that has this key."""
    return list(CardRow.objects.raw(CARD_ROWS, _parameters([card_id, key])))


def _with_ids(sql: str, ids: Collection[uuid.UUID]) -> str:
    return sql.format(ids=", ".join(["%s"] * len(ids)))


def _parameters(ids: Iterable[uuid.UUID]) -> list[object]:
    """SQLite stores ids as text."""
    return [pk.hex if connection.vendor == "sqlite" else pk for pk in ids]
