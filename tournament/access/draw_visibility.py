"""Visibility of draws: everybody may see the released draw of a tournament. Reads only."""

from tournament.models import Draw, Tournament

released_draws = Draw.objects.filter(replaced_at__isnull=True, released_at__isnull=False)


def is_released(tournament: Tournament) -> bool:
    """Does not load the draw, which is large."""
    return released_draws.filter(tournament=tournament).exists()
