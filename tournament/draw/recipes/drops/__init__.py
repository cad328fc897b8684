"""Second chances: who drops from one bracket into another, written in the drop notation, built and judged.

A format is chosen in `formats` and written as a graph by `building`; `linting` says before the draw what it is like.
"""

from tournament.draw.recipes.drops.building import knockout, knockout_with_byes, second_bracket_fit
from tournament.draw.recipes.drops.knockout_format import (
    CONSOLATION_AND_LAST_CHANCE,
    DOUBLE_ELIMINATION,
    DOUBLE_ELIMINATION_WITH_RESET,
    FEED_IN,
    KNOCK_OUT,
    PROGRESSIVE,
    PROGRESSIVE_CONSOLATION,
    SIMPLE,
    SIMPLE_CONSOLATION,
    WITH_THIRD_PLACE,
    KnockoutFormat,
    Ranking,
)
from tournament.draw.recipes.drops.notation import Fit, Misfit, NotationError, Obstacle, Recipe, fit, parse

__all__ = [
    "CONSOLATION_AND_LAST_CHANCE",
    "DOUBLE_ELIMINATION",
    "DOUBLE_ELIMINATION_WITH_RESET",
    "FEED_IN",
    "KNOCK_OUT",
    "PROGRESSIVE",
    "PROGRESSIVE_CONSOLATION",
    "SIMPLE",
    "SIMPLE_CONSOLATION",
    "WITH_THIRD_PLACE",
    "Fit",
    "KnockoutFormat",
    "Misfit",
    "NotationError",
    "Obstacle",
    "Ranking",
    "Recipe",
    "fit",
    "knockout",
    "knockout_with_byes",
    "parse",
    "second_bracket_fit",
]
