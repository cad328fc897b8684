"""Marks entries as arrived or paid, and changes many entries at a time with one undo for all of them."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Q
from django.utils import timezone

from tournament.access.actors import STRANGER, Actor
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, JournalLine, Tournament
from tournament.runtime.errors import NotFound

BATCH = "batch"
"""Key of a journal line's values: all lines of one change of many entries have the same id here."""


class Mark(StrEnum):
    """A change of an entry. The value is its verb in the journal."""

    ARRIVED = "check in"
    NOT_ARRIVED = "undo check in"
    ARRIVED_AT_KIOSK = "check in at kiosk"
    NOT_ARRIVED_AT_KIOSK = "undo check in at kiosk"
    PAID = "mark paid"
    UNPAID = "mark unpaid"
    WITHDRAWN = "withdraw"
    BACK_IN = "undo withdrawal"


OPPOSITES: Mapping[Mark, Mark] = {
    Mark.ARRIVED: Mark.NOT_ARRIVED,
    Mark.NOT_ARRIVED: Mark.ARRIVED,
    Mark.ARRIVED_AT_KIOSK: Mark.NOT_ARRIVED,
    Mark.NOT_ARRIVED_AT_KIOSK: Mark.ARRIVED,
    Mark.PAID: Mark.UNPAID,
    Mark.UNPAID: Mark.PAID,
    Mark.WITHDRAWN: Mark.BACK_IN,
    Mark.BACK_IN: Mark.WITHDRAWN,
}
UNMARKED: Mapping[Mark, Q] = {
    Mark.ARRIVED: Q(checked_in_at__isnull=True),
    Mark.NOT_ARRIVED: Q(checked_in_at__isnull=False),
    Mark.ARRIVED_AT_KIOSK: Q(checked_in_at__isnull=True),
    Mark.NOT_ARRIVED_AT_KIOSK: Q(checked_in_at__isnull=False),
    Mark.PAID: Q(is_paid=False),
    Mark.UNPAID: Q(is_paid=True),
}
"""The entries that the mark changes."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A change of many entries: its id in the journal, and the number of entries that it changed."""

    id: uuid.UUID
    count: int


def check_in(entry: Entry, actor: Actor, *, present: bool) -> None:
    """Marks an entry as arrived or not arrived. Idempotent."""
    _mark(entry.tournament_id, [entry.pk], actor, Mark.ARRIVED if present else Mark.NOT_ARRIVED, {})


def check_in_at_kiosk(entry: Entry, *, present: bool) -> None:
    """Like `check_in`, by a visitor at the kiosk."""
    mark = Mark.ARRIVED_AT_KIOSK if present else Mark.NOT_ARRIVED_AT_KIOSK
    _mark(entry.tournament_id, [entry.pk], STRANGER, mark, {})


def mark_paid(entry: Entry, actor: Actor, *, paid: bool) -> None:
    """Idempotent."""
    _mark(entry.tournament_id, [entry.pk], actor, Mark.PAID if paid else Mark.UNPAID, {})


def mark_entries(
    tournament: Tournament, entry_ids: Collection[uuid.UUID], actor: Actor, mark: Mark, reason: str = ""
) -> Batch:
    """Changes these entries of the tournament in one transaction. Entries that have the mark already do not count.

    Raises Refused like `registration.withdraw` if one of them cannot be changed; then none is.
    """
    batch = uuid.uuid4()
    values = {BATCH: str(batch)}
    if mark in UNMARKED:
        count = _mark(tournament.pk, entry_ids, actor, mark, values)
    else:
        is_withdrawal = mark is Mark.WITHDRAWN
        count = registration.set_withdrawn(
            tournament.pk, entry_ids, actor, reason, withdrawn=is_withdrawal, journal_values=values
        )
    return Batch(batch, count)


def undo_batch(tournament: Tournament, batch: uuid.UUID, actor: Actor) -> Batch:
    """Undoes a change of many entries where it still holds. Raises NotFound if no line of the journal has this id."""
    lines = JournalLine.objects.filter(tournament=tournament, **{f"after__{BATCH}": str(batch)})
    verbs_by_entry = dict(lines.values_list("subject_id", "verb"))
    if not verbs_by_entry:
        raise NotFound
    mark = Mark(next(iter(verbs_by_entry.values())))
    return mark_entries(tournament, [uuid.UUID(pk) for pk in verbs_by_entry], actor, OPPOSITES[mark])


def _mark(
    tournament_id: uuid.UUID,
    entry_ids: Collection[uuid.UUID],
    actor: Actor,
    mark: Mark,
    journal_values: dict[str, Any],
) -> int:
    """Returns the number of changed entries."""
    values: Mapping[Mark, dict[str, Any]] = {
        Mark.ARRIVED: {"checked_in_at": timezone.now()},
        Mark.NOT_ARRIVED: {"checked_in_at": None},
        Mark.ARRIVED_AT_KIOSK: {"checked_in_at": timezone.now()},
        Mark.NOT_ARRIVED_AT_KIOSK: {"checked_in_at": None},
        Mark.PAID: {"is_paid": True},
        Mark.UNPAID: {"is_paid": False},
    }
    with advancing.lock_tournament(tournament_id) as locked:
        entries = Entry.objects.filter(UNMARKED[mark], tournament_id=tournament_id, pk__in=entry_ids)
        changed = list(entries.values_list("pk", flat=True))
        Entry.objects.filter(pk__in=changed).update(**values[mark])
        lines = [JournalEntry(mark.value, "entry", pk, after=journal_values) for pk in changed]
        journal.write_many(locked.tournament, actor, lines)
    return len(changed)
