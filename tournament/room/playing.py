"""Marks all called matches of an event as playing at once, with one undo. Locks the matches, then the room."""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches import scorecard
from matches.locking import lock_matches
from tournament.access.actors import Actor
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Call, JournalLine, Tournament
from tournament.occupancy import locking
from tournament.runtime import publish
from tournament.runtime.errors import NotFound

BATCH = "batch"
"""Key of a journal line's values: the id that undoes one change of many calls."""


def mark_all_playing(event_id: uuid.UUID, actor: Actor, batch: uuid.UUID) -> int:
    """Returns the number of marked matches. `batch` is the id for `undo_all_playing`."""
    return _set_playing(event_id, Q(playing_at__isnull=True), timezone.now(), actor, batch)


def undo_all_playing(event_id: uuid.UUID, batch: uuid.UUID, actor: Actor) -> int:
    """Undoes `mark_all_playing` for the matches without a written game. Returns their number.

    Matches that were marked again since then keep their mark. Raises NotFound if no line of the journal has this id.
    """
    lines = JournalLine.objects.filter(event=event_id, verb="see playing", **{f"after__{BATCH}": str(batch)})
    times = dict(lines.values_list("subject_id", "at"))
    if not times:
        raise NotFound
    marked = Q(match__in=list(times), match__began_at__isnull=True, playing_at__lte=max(times.values()))
    return _set_playing(event_id, marked, None, actor)


def _set_playing(
    event_id: uuid.UUID,
    condition: Q,
    playing_at: datetime | None,
    actor: Actor,
    batch: uuid.UUID | None = None,
) -> int:
    """Changes the current calls that meet the condition under the locks. Returns their number."""
    current = Call.objects.filter(condition, room__event=event_id, ended_at__isnull=True)
    with transaction.atomic():
        locked_matches = lock_matches(current.values_list("match_id", flat=True))
        with locking.lock_room(event_id):
            rows = current.filter(match__in=locked_matches).select_related(
                "pairing__round__bracket__tournament"
            )
            calls = list(rows)
            Call.objects.filter(pk__in=[call.pk for call in calls]).update(playing_at=playing_at)
            for call in calls:
                scorecard.note_call(locked_matches[call.match_id].match)
            _write_journal(calls, actor, batch)
        brackets = {call.pairing.round.bracket_id: 0 for call in calls}
        transaction.on_commit(lambda: publish.publish_changes(brackets), robust=True)
    return len(calls)


def _write_journal(calls: list[Call], actor: Actor, batch: uuid.UUID | None) -> None:
    """Without `batch`, the lines are those of the undo."""
    lines: dict[Tournament, list[JournalEntry]] = {}
    for call in calls:
        verb, after = ("undo see playing", {}) if batch is None else ("see playing", {BATCH: str(batch)})
        entry = JournalEntry(verb, "match", call.match_id, after=after)
        lines.setdefault(call.pairing.round.bracket.tournament, []).append(entry)
    for tournament, entries in lines.items():
        journal.write_many(tournament, actor, entries)
