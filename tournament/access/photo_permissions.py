"""Permissions for photos of disputes: the desk and the two players of the match may see them. Reads only."""

import uuid
from collections.abc import Sequence

from tournament.access.actors import Actor
from tournament.access.permissions import Capability, may
from tournament.models import Evidence
from tournament.runtime.errors import Denied, NotFound


def evidence_for(actors: Sequence[Actor], evidence_id: uuid.UUID) -> Evidence:
    """Returns the photo. Raises NotFound for players of another match, Denied for strangers and for other users."""
    if all(actor.kind == "stranger" for actor in actors):
        raise Denied(is_known=False)
    evidence = (
        Evidence.objects.select_related("question__match", "question__tournament__event")
        .filter(pk=evidence_id)
        .first()
    )
    if evidence is None or evidence.question.tournament.deleted_at is not None:
        raise NotFound
    match, event = evidence.question.match, evidence.question.tournament.event
    if any(actor.entry and match.side_of(actor.entry.pk) for actor in actors):
        return evidence
    if any(may(actor, event, Capability.DESK) for actor in actors):
        return evidence
    if any(actor.user is not None for actor in actors):
        raise Denied(is_known=True)
    raise NotFound
