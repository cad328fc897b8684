"""The draw of a tournament that everybody may see, which is the one it is played by. A part of `access`; reads only."""

from tournament.models import Draw, Tournament

released_draws = Draw.objects.filter(replaced_at__isnull=True, released_at__isnull=False)


def is_released(tournament: Tournament) -> bool:
    """The draw itself, which grows with its entries, is not loaded."""
    return released_draws.filter(tournament=tournament).exists()
