"""Recipes: each writes a format as pairings and feeds over positions 1, 2, 3 … of a draw.

A recipe knows no players and no results. `order` assigns entries to positions.
"""

from tournament.draw.recipes.knockout import Spot, seed_lines, single_elimination
from tournament.draw.recipes.order import apply_order, draw_order, draw_positions
from tournament.draw.recipes.order_rules import Byes, DrawError, Entrant, OrderRules, SeededLines, Separate
from tournament.draw.recipes.round_names import RoundName, round_name
from tournament.draw.recipes.seeding import seeds_by_rating

__all__ = [
    "Byes",
    "DrawError",
    "Entrant",
    "OrderRules",
    "RoundName",
    "SeededLines",
    "Separate",
    "Spot",
    "apply_order",
    "draw_order",
    "draw_positions",
    "round_name",
    "seed_lines",
    "seeds_by_rating",
    "single_elimination",
]
