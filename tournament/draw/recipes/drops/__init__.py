"""Second chances: losers drop from one bracket into another, as written in the drop notation.

`knockout_format` holds the choices, `building` writes the graph, and `report` rates it before the draw.
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
