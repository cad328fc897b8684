"""Whose sight of running scores is held back, where the director wants that. A part of `access`; reads only."""

from collections.abc import Sequence

from tournament.access.actors import Actor
from tournament.access.permissions import Capability, may
from tournament.models import Pairing, Tournament


def sees_live_scores(actor: Actor, tournament: Tournament) -> bool:
    """Whether running scores are not held back from this actor: whoever runs the event sees them as they are."""
    return tournament.score_delay == 0 or may(actor, tournament.event, Capability.DESK)


def sees_live_match(actors: Sequence[Actor], tournament: Tournament, pairing: Pairing) -> bool:
    """The same for one match, whose two players see it as it is too."""
    seated = {pairing.left_id, pairing.right_id}
    if tournament.score_delay == 0 or any(actor.entry and actor.entry.pk in seated for actor in actors):
        return True
    return any(may(actor, tournament.event, Capability.DESK) for actor in actors)
