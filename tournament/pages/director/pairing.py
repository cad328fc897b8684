"""Finds the pairing of a desk page, with its match, players and tournament. Reads only."""

from tournament.access import permissions
from tournament.models import Pairing
from tournament.pages.director.context import TournamentContext


def pairing_in(context: TournamentContext, pk: int) -> Pairing:
    """Returns the pairing of this tournament. Raises NotFound."""
    return permissions.pairing_of_tournament(context.tournament, pk)


def names_in(pairing: Pairing) -> tuple[str, str]:
    """Returns the names of both players; empty for a player who is not known yet."""
    left, right = pairing.left, pairing.right
    return (left.name if left else "", right.name if right else "")
