"""Seeds by rating: the best rated entries are protected."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.recipes.order_rules import DrawError


def seeds_by_rating(
    ratings: Sequence[tuple[EntryId, Decimal | float | None]], how_many: int
) -> dict[EntryId, int]:
    """Returns seed numbers for the `how_many` best rated, 1 the best. Of equal ratings the first registered is first.

    `ratings` are in the order of registration, None for unrated. Raises DrawError if fewer are rated.
    """
    rated = [(entry, rating) for entry, rating in ratings if rating is not None]
    if not 0 <= how_many <= len(rated):
        raise DrawError(
            gettext_noop("Only {rated:,} entries have a rating. Seed no more than that."), rated=len(rated)
        )
    best = sorted(rated, key=lambda rated: -rated[1])[:how_many]
    return {entry: number for number, (entry, _) in enumerate(best, start=1)}
