"""Marks entries as arrived or paid, and changes many entries at a time with one undo for all of them."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Q
from django.utils import timezone

from tournament.access.actors import STRANGER, Actor
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.ledger import charging
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, JournalLine, Tournament
from tournament.refusals.money import PAID_AT_CASH_DESK
from tournament.runtime.errors import NotFound, Refused

BATCH = "batch"
"""Key of a journal line's values: all lines of one change of many entries have the same id here."""
ARRIVED_AT = "checked_in_at"
"""Key of a journal line's values before: the time of the arrival that the line takes back."""


class Mark(StrEnum):
    """A change of an entry. The value is its verb in the journal."""

    ARRIVED = "check in"
    NOT_ARRIVED = "undo check in"
    ARRIVED_AT_KIOSK = "check in at kiosk"
    NOT_ARRIVED_AT_KIOSK = "undo check in at kiosk"
    PAID = "mark paid"
    UNPAID = "mark unpaid"
    WITHDRAWN = registration.WITHDRAW
    BACK_IN = registration.UNDO_WITHDRAWAL


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
ARRIVALS = (Mark.ARRIVED, Mark.ARRIVED_AT_KIOSK)
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


def mark_absent(
    tournament: Tournament, entry_ids: Collection[uuid.UUID], actor: Actor, mark: Mark, reason: str = ""
) -> Batch:
    """Like `mark_entries`, for those of these entries that have not arrived. Nobody arrives in between."""
    with advancing.lock_tournament(tournament.pk):
        absent = Entry.objects.filter(tournament=tournament, pk__in=entry_ids, checked_in_at__isnull=True)
        return mark_entries(tournament, list(absent.values_list("pk", flat=True)), actor, mark, reason)


def undo_batch(tournament: Tournament, batch: uuid.UUID, actor: Actor) -> Batch:
    """Undoes a change of many entries. Entries that were changed again since then keep their last change.

    Arrivals return with their times. Raises NotFound if no line of the journal has this id.
    """
    with advancing.lock_tournament(tournament.pk):
        lines = list(JournalLine.objects.filter(tournament=tournament, **{f"after__{BATCH}": str(batch)}))
        if not lines:
            raise NotFound
        mark = Mark(lines[0].verb)
        verbs = [other for other, opposite in OPPOSITES.items() if opposite in (mark, OPPOSITES[mark])]
        last = journal.last_lines(tournament, "entry", [line.subject_id for line in lines], verbs)
        in_force = {uuid.UUID(line.subject_id): line for line in lines if last[line.subject_id] == line}
        if mark is not Mark.NOT_ARRIVED:
            return mark_entries(tournament, in_force.keys(), actor, OPPOSITES[mark])
        times = {
            pk: datetime.fromisoformat(line.before[ARRIVED_AT])
            for pk, line in in_force.items()
            if ARRIVED_AT in line.before
        }
        return Batch(batch, _mark(tournament.pk, in_force.keys(), actor, Mark.ARRIVED, {}, times))


def _mark(
    tournament_id: uuid.UUID,
    entry_ids: Collection[uuid.UUID],
    actor: Actor,
    mark: Mark,
    journal_values: dict[str, Any],
    arrival_times: Mapping[uuid.UUID, datetime] | None = None,
) -> int:
    """Returns the number of changed entries. Entries without a time in `arrival_times` arrive now.

    Raises Refused for payments in a tournament with fees.
    """
    times, now = arrival_times or {}, timezone.now()
    is_payment = mark in (Mark.PAID, Mark.UNPAID)
    with advancing.lock_tournament(tournament_id) as locked:
        charging.lock_fees(locked.tournament)
        if is_payment and locked.tournament.charges_fees:
            raise Refused(PAID_AT_CASH_DESK)
        rows = Entry.objects.filter(UNMARKED[mark], tournament_id=tournament_id, pk__in=entry_ids)
        entries = list(rows.order_by("pk"))
        lines = [
            JournalEntry(mark.value, "entry", entry.pk, _values_before(entry, mark), journal_values)
            for entry in entries
        ]
        for entry in entries:
            if is_payment:
                entry.is_paid = mark is Mark.PAID
            else:
                entry.checked_in_at = times.get(entry.pk, now) if mark in ARRIVALS else None
        Entry.objects.bulk_update(entries, ["is_paid" if is_payment else "checked_in_at"])
        journal.write_many(locked.tournament, actor, lines)
    return len(entries)


def _values_before(entry: Entry, mark: Mark) -> dict[str, Any]:
    if OPPOSITES[mark] is not Mark.ARRIVED or entry.checked_in_at is None:
        return {}
    return {ARRIVED_AT: entry.checked_in_at.isoformat()}
