"""Stored layouts, found by a long search, by number of entries: 5 to 64, of consolations 5 to 128.

A layout is its drop recipe, then the hexadecimal digits of the seat of each loser in the order of the recipe: two, or
three in a bracket of more than seven rounds. A loser can join one round later than its letter. Last chances and lower
brackets have the smallest measure found. Consolations were searched with heavier waits, so that nobody sits out two
rounds of play.
"""

from __future__ import annotations

from collections.abc import Mapping

from tournament.draw.recipes.drops.lower_bracket import Losers, SeatedLosers, seat_losers_as_stored
from tournament.draw.recipes.drops.notation import Fit, fit, parse
from tournament.draw.recipes.drops.stored_layouts.consolations import SMALL_CONSOLATIONS
from tournament.draw.recipes.drops.stored_layouts.large_consolations import LARGE_CONSOLATIONS
from tournament.draw.recipes.drops.stored_layouts.last_chances import LAST_CHANCES
from tournament.draw.recipes.drops.stored_layouts.lower_brackets import LOWER_BRACKETS

__all__ = ["CONSOLATIONS", "LAST_CHANCES", "LOWER_BRACKETS", "stored_seats"]


CONSOLATIONS: Mapping[int, str] = {**SMALL_CONSOLATIONS, **LARGE_CONSOLATIONS}
MOST_ROUNDS_OF_TWO_DIGITS = 7


def stored_seats(
    layouts: Mapping[int, str], entries: int, losers: Losers, *, spares_byes: bool
) -> SeatedLosers | None:
    """Returns the stored layout for this number of entries, or None.

    `losers` are those of a sheet without drawn byes. `spares_byes` as in `seat_losers_as_stored`.
    """
    if entries not in layouts:
        return None
    notation, seats = layouts[entries].split()
    fitting = fit(parse(notation), {letter: len(round_losers) for letter, round_losers in losers.items()})
    if not isinstance(fitting, Fit):
        raise AssertionError(f"{notation} does not suit {entries} entries.")
    digits = 2 if len(fitting.recipe.rounds) <= MOST_ROUNDS_OF_TWO_DIGITS else 3
    numbers = [int(seats[start : start + digits], base=16) for start in range(0, len(seats), digits)]
    return seat_losers_as_stored(fitting, losers, numbers, spares_byes=spares_byes)
