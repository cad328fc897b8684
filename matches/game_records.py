"""Stores the uploaded records of matches. The only module that writes them.

The bytes are written once and deleted only with a player's personal data. The judge's verdict is stored too and
can be computed again at any time. `verdicts` reads the records, outside of any lock.
"""

import hashlib
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import GameRecord, Match, RecordState
from rules.score import Side

RULES_VERSION = 1
"""Increases with every release that may judge a record differently; the sweep then judges again."""

MOST_RECORDS = 30
MOST_WAITING = 2
MOST_ATTEMPTS = 3
CLAIM_LIFETIME = timedelta(seconds=settings.RECORD_SECONDS + 25)
RETRY_AFTER = timedelta(seconds=20)
BATCH_SIZE = 100


@dataclass(frozen=True, slots=True)
class RecordFile:
    """An uploaded file; the name is already cleaned."""

    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a check; `verdict` is plain JSON, None if there is none."""

    state: RecordState
    verdict: dict[str, Any] | None


class TooManyRecords(Exception):
    """The match has the maximum number of records."""


class TooManyWaiting(Exception):
    """The maximum number of records of the match is waiting for a check."""


def add_record(match: Match, file: RecordFile, keeper: Keeper) -> tuple[GameRecord, bool]:
    """Stores a file with a match under its lock; False if the same bytes are stored already.

    Raises TooManyRecords and TooManyWaiting.
    """
    digest = hashlib.sha256(file.data).hexdigest()
    existing = match.records.filter(sha256=digest).first()
    if existing is not None:
        return existing, False
    if match.records.count() >= MOST_RECORDS:
        raise TooManyRecords
    if match.records.filter(state=RecordState.WAITING).count() >= MOST_WAITING:
        raise TooManyWaiting
    now = timezone.now()
    record = GameRecord.objects.create(
        match=match,
        data=file.data,
        sha256=digest,
        size=len(file.data),
        name=file.name,
        uploaded_by=keeper.value,
        uploaded_at=now,
        requested_at=now,
    )
    return record, True


def claim_for_check(record_id: uuid.UUID) -> GameRecord | None:
    """Claims the record for one worker and returns it with its match; None if there is nothing to do."""
    now = timezone.now()
    free = GameRecord.objects.filter(_is_free(), pk=record_id, attempts__lt=MOST_ATTEMPTS)
    if not free.update(busy_until=now + CLAIM_LIFETIME, attempts=F("attempts") + 1):
        return None
    return GameRecord.objects.select_related("match").get(pk=record_id)


def store_judgement(record_id: uuid.UUID, judgement: Judgement) -> bool:
    """Stores the result of a check; False if another worker stored one before."""
    waiting = GameRecord.objects.filter(pk=record_id, state=RecordState.WAITING)
    return bool(
        waiting.update(
            state=judgement.state,
            verdict=judgement.verdict,
            rules_version=RULES_VERSION,
            checked_at=timezone.now(),
            busy_until=None,
            compared_at=None,
        )
    )


def claim_overdue_messages() -> list[uuid.UUID]:
    """Waiting records whose task was lost or whose worker was killed. Marks them as queued now."""
    overdue = GameRecord.objects.filter(_is_free(), requested_at__lt=timezone.now() - RETRY_AFTER)
    overdue_ids = list(
        overdue.filter(attempts__lt=MOST_ATTEMPTS)
        .order_by("requested_at")
        .values_list("pk", flat=True)[:BATCH_SIZE]
    )
    GameRecord.objects.filter(pk__in=overdue_ids).update(requested_at=timezone.now())
    return overdue_ids


def failed_records() -> list[uuid.UUID]:
    """Waiting records whose every attempt lost its worker."""
    return list(
        GameRecord.objects.filter(_is_free(), attempts__gte=MOST_ATTEMPTS).values_list("pk", flat=True)
    )


def recheck_outdated() -> None:
    """Marks records that older rules judged as waiting."""
    outdated = GameRecord.objects.filter(rules_version__lt=RULES_VERSION).exclude(state=RecordState.WAITING)
    outdated.update(state=RecordState.WAITING, attempts=0, requested_at=timezone.now() - 2 * RETRY_AFTER)


def set_left_player(record: GameRecord, side: Side) -> None:
    """Stores the side of the file's left player, as the desk states it, and requests a new comparison."""
    record.left_player, record.compared_at = side.value, None
    record.save(update_fields=["left_player", "compared_at"])


def remove_records(matches: Collection[uuid.UUID]) -> None:
    """Deletes the records of these matches, with the names in them, to remove a person's data."""
    GameRecord.objects.filter(match__in=matches).delete()


def mark_compared(record: GameRecord, version: int) -> None:
    record.compared_at = version
    record.save(update_fields=["compared_at"])


def _is_free() -> Q:
    unclaimed = Q(busy_until__isnull=True) | Q(busy_until__lt=timezone.now())
    return unclaimed & Q(state=RecordState.WAITING)
