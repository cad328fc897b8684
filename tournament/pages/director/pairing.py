"""Finds the pairing of a desk page, with its match, players and tournament. Reads only."""

from tournament.models import Pairing
from tournament.pages.director.context import TournamentContext
from tournament.runtime.errors import NotFound


def pairing_in(context: TournamentContext, pk: int) -> Pairing:
    """The pairing of this tournament; raises NotFound."""
    pairings = Pairing.objects.select_related(
        "match", "round__bracket__tournament__event", "left__player", "right__player"
    )
    found = pairings.filter(pk=pk, round__bracket__tournament=context.tournament).first()
    if found is None:
        raise NotFound
    return found


def names_in(pairing: Pairing) -> tuple[str, str]:
    """The names of both players; empty for one who is not known yet."""
    left, right = pairing.left, pairing.right
    return (left.name if left else "", right.name if right else "")
