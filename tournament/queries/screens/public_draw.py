"""Pending public draws with the hashes that the audience should note before the dice are rolled. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import draw_secret
from tournament.models import Commitment, Tournament


@dataclass(frozen=True, slots=True)
class PendingPublicDraw:
    """A committed secret whose draw is not released yet. Without `entries_hash` the entries are still open."""

    tournament: Tournament
    secret_hash: str
    entries_hash: str
    expected: PublicChance | None


def pending_public_draws(tournaments: Iterable[Tournament]) -> list[PendingPublicDraw]:
    """Returns secrets that wait for their draw, and secrets of draws that are not released."""
    tournament_by_id = {tournament.pk: tournament for tournament in tournaments}
    hidden = Q(draw__isnull=False, draw__released_at__isnull=True, draw__replaced_at__isnull=True)
    waiting = Q(draw__isnull=True, given_up_at__isnull=True)
    rows = Commitment.objects.filter(waiting | hidden, tournament__in=tournament_by_id).order_by("made_at")
    return [
        PendingPublicDraw(
            tournament_by_id[row.tournament_id],
            row.secret_hash,
            row.entries_hash,
            draw_secret.public_chance(row.rules),
        )
        for row in rows
    ]
