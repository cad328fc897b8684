"""Public draws that are being made, with the hashes that the hall should keep before dice are thrown. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from tournament.draw.public_draw.public_chance import PublicChance
from tournament.drawing import commitments
from tournament.models import Commitment, Tournament


@dataclass(frozen=True, slots=True)
class DrawInMaking:
    """A secret whose draw is not released yet; without `entries_hash` entries are still open."""

    tournament: Tournament
    secret_hash: str
    entries_hash: str
    expected: PublicChance | None


def draws_in_making(tournaments: Iterable[Tournament]) -> list[DrawInMaking]:
    """One for each tournament with a secret that waits for its draw, or with a draw from it that is hidden."""
    known = {one.pk: one for one in tournaments}
    hidden = Q(draw__isnull=False, draw__released_at__isnull=True, draw__replaced_at__isnull=True)
    waiting = Q(draw__isnull=True, given_up_at__isnull=True)
    rows = Commitment.objects.filter(waiting | hidden, tournament__in=known).order_by("made_at")
    return [
        DrawInMaking(
            known[row.tournament_id], row.secret_hash, row.entries_hash, commitments.public_chance(row.rules)
        )
        for row in rows
    ]
