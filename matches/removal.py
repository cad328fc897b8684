"""Removes matches with their score cards and game records."""

import uuid
from collections.abc import Collection

from matches.models import CardRow, GameRecord, Match


def remove_matches(matches: Collection[uuid.UUID]) -> None:
    """Call it inside a transaction, after the rows that refer to these matches are removed. Idempotent."""
    GameRecord.objects.filter(match__in=matches).delete()
    rows = CardRow.objects.filter(card__match__in=matches)
    while rows.exists():
        rows.filter(superseded_by__isnull=True).delete()
    Match.objects.filter(pk__in=matches).delete()
