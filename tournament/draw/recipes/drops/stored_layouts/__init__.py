"""Stored layouts for 5 to 64 entries, found by a long search; by number of entries.

A layout is its drop recipe, then two hexadecimal digits for the seat of each loser in the order of the recipe. A loser
can join one round later than its letter. Last chances and lower brackets have the smallest measure found. Consolations
were searched with heavier waits, so that nobody sits out two rounds of play.
"""

from __future__ import annotations

from collections.abc import Mapping

from tournament.draw.recipes.drops.lower_bracket import Losers, SeatedLosers, seat_losers_as_stored
from tournament.draw.recipes.drops.notation import Fit, fit, parse
from tournament.draw.recipes.drops.stored_layouts.consolations import CONSOLATIONS
from tournament.draw.recipes.drops.stored_layouts.last_chances import LAST_CHANCES
from tournament.draw.recipes.drops.stored_layouts.lower_brackets import LOWER_BRACKETS

__all__ = ["CONSOLATIONS", "LAST_CHANCES", "LOWER_BRACKETS", "stored_seats"]


def stored_seats(layouts: Mapping[int, str], entries: int, losers: Losers) -> SeatedLosers | None:
    """Returns the stored layout for this number of entries, or None.

    `losers` are those of a sheet without drawn byes.
    """
    if entries not in layouts:
        return None
    notation, seats = layouts[entries].split()
    fitting = fit(parse(notation), {letter: len(round_losers) for letter, round_losers in losers.items()})
    if not isinstance(fitting, Fit):
        raise AssertionError(f"{notation} does not suit {entries} entries.")
    return seat_losers_as_stored(fitting, losers, bytes.fromhex(seats))
