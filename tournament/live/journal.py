"""The journal: who did what and when, before and after, written in the transaction of the deed itself.

Whatever is done in an event is written here, so it is also here that its pages are told of it after the commit.
"""

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.statements import RowInsert
from tournament.access.actors import Actor
from tournament.live import channels
from tournament.models import Event, JournalLine, Tournament
from tournament.runtime import publish

_written = RowInsert(JournalLine)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """What was done to what. `before` and `after` hold ids, numbers and codes, never names of people."""

    verb: str
    subject: str = ""
    subject_id: object = ""
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


def write(place: Event | Tournament, actor: Actor, deed: JournalEntry) -> None:
    """Adds one line for an event or one of its tournaments; call it inside the transaction that does the deed."""
    event_id = place.event_id if isinstance(place, Tournament) else place.pk
    line = JournalLine(
        event_id=event_id,
        tournament_id=place.pk if isinstance(place, Tournament) else None,
        at=timezone.now(),
        actor=actor.kind,
        user=actor.user,
        entry=actor.entry,
        verb=deed.verb,
        subject=deed.subject,
        subject_id=str(deed.subject_id),
        before=_json_values(deed.before),
        after=_json_values(deed.after),
        reason=deed.reason,
    )
    _written.write(line)
    told = dict.fromkeys(map(channels.event_channel, (event_id, channels.ANY_EVENT)), 0)
    transaction.on_commit(lambda: publish.publish_changes(told), robust=True)


def _json_values(values: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in values.items()}
