"""The journal of an event: actor, action, time, values before and after, written in the transaction of the action.

Every action in an event is journaled, so the journal also publishes the change to the event's pages after the commit.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.live import channels
from tournament.models import Event, JournalLine, Tournament
from tournament.runtime import publish

PUBLIC_VERBS = frozenset(
    {
        "add logo", "add winner picture", "archive tournament", "change entry", "change event", "change tournament",
        "change visibility", "create tournament", "delete tournament", "enter", "enter late", "import entries",
        "pair round", "plan times", "re-enter", "release draw", "release round", "remove entry", "remove logo",
        "remove winner picture", "restore logo", "restore tournament", "restore winner picture", "set prizes",
        "take out of archive", "undo withdrawal", "withdraw",
    }
)  # fmt: skip
"""Actions with effects that visitors see on the page of the event, beside those that change a released bracket."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An action and its subject. `before` and `after` hold ids, numbers and codes, never names of people."""

    verb: str
    subject: str = ""
    subject_id: object = ""
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


def write(scope: Event | Tournament, actor: Actor, action: JournalEntry) -> None:
    """Adds a line for an event or one of its tournaments. Call it inside the transaction of the action."""
    write_many(scope, actor, [action])


def write_many(scope: Event | Tournament, actor: Actor, actions: Sequence[JournalEntry]) -> list[JournalLine]:
    """Adds a line for each action of one transaction, publishes the change once, and returns the lines."""
    if not actions:
        return []
    event_id = scope.event_id if isinstance(scope, Tournament) else scope.pk
    now = timezone.now()
    lines = JournalLine.objects.bulk_create(
        JournalLine(
            event_id=event_id,
            tournament_id=scope.pk if isinstance(scope, Tournament) else None,
            at=now,
            actor=actor.kind,
            user=actor.user,
            entry=actor.entry,
            verb=action.verb,
            subject=action.subject,
            subject_id=str(action.subject_id),
            before=_json_values(action.before),
            after=_json_values(action.after),
            reason=action.reason,
        )
        for action in actions
    )
    events = (event_id, channels.ANY_EVENT)
    channel_ids = dict.fromkeys(map(channels.event_channel, events), 0)
    if any(action.verb in PUBLIC_VERBS for action in actions):
        channel_ids |= dict.fromkeys(events, 0)
    transaction.on_commit(lambda: publish.publish_changes(channel_ids), robust=True)
    return lines


def last_lines(
    tournament: Tournament, subject: str, ids: Iterable[object], verbs: Iterable[str]
) -> dict[str, JournalLine]:
    """Returns the last line with one of these verbs about each subject, by the subject's id."""
    lines = JournalLine.objects.filter(
        tournament=tournament, subject=subject, subject_id__in=[str(pk) for pk in ids], verb__in=list(verbs)
    )
    return {line.subject_id: line for line in lines.order_by("at", "pk")}


def _json_values(values: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, uuid.UUID) else value for name, value in values.items()}
