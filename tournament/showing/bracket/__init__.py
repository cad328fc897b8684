"""Brackets as people see them: rounds, pairings, who sits there and with what score. Reads only.

A constant number of statements at any size, for one bracket or all of a tournament. Who may see them before the draw
is released is the front door's question; `is_released` is the answer's material.
"""

from tournament.showing.bracket.making import bracket_shown, brackets_shown, stamp_of
from tournament.showing.bracket.shown import BracketShown, Coming, PairingShown, RoundShown, SeatShown

__all__ = [
    "BracketShown",
    "Coming",
    "PairingShown",
    "RoundShown",
    "SeatShown",
    "bracket_shown",
    "brackets_shown",
    "stamp_of",
]
