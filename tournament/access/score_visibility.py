"""Visibility of running scores, which a director can delay for spectators. Reads only."""

from collections.abc import Sequence

from tournament.access.actors import Actor
from tournament.access.permissions import Capability, may
from tournament.models import Pairing, Tournament


def sees_live_scores(actor: Actor, tournament: Tournament) -> bool:
    """True if the actor sees running scores without delay: there is none, or the actor is at the desk."""
    return tournament.score_delay == 0 or may(actor, tournament.event, Capability.DESK)


def sees_live_match(actors: Sequence[Actor], tournament: Tournament, pairing: Pairing) -> bool:
    """Like `sees_live_scores`, for one match: its two players see it without delay too."""
    players = {pairing.left_id, pairing.right_id}
    if tournament.score_delay == 0 or any(actor.entry and actor.entry.pk in players for actor in actors):
        return True
    return any(may(actor, tournament.event, Capability.DESK) for actor in actors)
