"""The statements of every game, as SQL: to compile them as query sets takes longer than to run them (decision 14).

A test compares each statement with its query set or with `save`.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from django.db import DatabaseError, connection

from matches.models import Card, CardRow, Match

LOCKED_MATCHES = "SELECT * FROM matches_match WHERE id IN ({ids}) ORDER BY id"
CARDS = "SELECT * FROM matches_card WHERE match_id IN ({ids})"
CARD_TOTALS = ("tail", "rows_written", "left_points", "right_points", "is_crawford", "winner")
MATCH_TOTALS = (
    "left_points", "right_points", "is_crawford", "winner", "state", "reported_by", "reported_at", "began_at",
    "version",
)  # fmt: skip
ROW_COLUMNS = (
    "key", "card_id", "number", "predecessor", "supersedes_id", "kind", "winner", "win", "ending", "cube",
    "checkers_left", "automatic_doubles", "points", "left_points", "right_points", "reason", "mid_game",
    "penalty_kind", "games", "written_by", "written_at",
)  # fmt: skip
CARD_UPDATE = f"UPDATE matches_card SET {' = %s, '.join(CARD_TOTALS)} = %s WHERE id = %s"  # noqa: S608 (constants)
MATCH_UPDATE = f"UPDATE matches_match SET {' = %s, '.join(MATCH_TOTALS)} = %s WHERE id = %s"  # noqa: S608 (constants)
ROW_INSERT = (
    f"INSERT INTO matches_cardrow ({', '.join(ROW_COLUMNS)}) VALUES ({', '.join(['%s'] * len(ROW_COLUMNS))})"  # noqa: S608 (constants)
)
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


def insert_row(row: CardRow) -> None:
    _write_one(ROW_INSERT, [getattr(row, name) for name in ROW_COLUMNS])


def update_card_totals(card: Card) -> None:
    """Raises DatabaseError if the card is gone."""
    _write_one(CARD_UPDATE, [*(getattr(card, name) for name in CARD_TOTALS), card.pk])


def update_match_totals(match: Match) -> None:
    """Raises DatabaseError if the match is gone."""
    _write_one(MATCH_UPDATE, [*(getattr(match, name) for name in MATCH_TOTALS), match.pk])


def _write_one(sql: str, values: Sequence[object]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, _parameters(values))
        if cursor.rowcount != 1:
            raise DatabaseError("The row to write is gone.")


def _with_ids(sql: str, ids: Collection[uuid.UUID]) -> str:
    return sql.format(ids=", ".join(["%s"] * len(ids)))


def _parameters(values: Iterable[Any]) -> list[Any]:
    plain = [value.value if isinstance(value, Enum) else value for value in values]
    return [_as_text(value) for value in plain] if connection.vendor == "sqlite" else plain


def _as_text(value: object) -> object:
    """SQLite stores ids and times as text, and times in UTC."""
    if isinstance(value, uuid.UUID):
        return value.hex
    return str(value.astimezone(UTC).replace(tzinfo=None)) if isinstance(value, datetime) else value
