"""Who may see the photos of a dispute: whoever runs the event, and the match's two players. A part of `access`."""

import uuid
from collections.abc import Sequence

from tournament.access.actors import Actor
from tournament.access.permissions import Capability, may
from tournament.models import Evidence
from tournament.runtime.errors import Denied, NotFound


def evidence_for(actors: Sequence[Actor], evidence_id: uuid.UUID) -> Evidence:
    """A photo, for these actors of one asker.

    Raises NotFound for players of another match, Denied for strangers and for users who do not run the event.
    """
    if all(actor.kind == "stranger" for actor in actors):
        raise Denied(is_known=False)
    found = (
        Evidence.objects.select_related("question__match", "question__tournament__event")
        .filter(pk=evidence_id)
        .first()
    )
    if found is None:
        raise NotFound
    match, event = found.question.match, found.question.tournament.event
    if any(actor.entry and match.side_of(actor.entry.pk) for actor in actors):
        return found
    if any(may(actor, event, Capability.DESK) for actor in actors):
        return found
    if any(actor.user is not None for actor in actors):
        raise Denied(is_known=True)
    raise NotFound
