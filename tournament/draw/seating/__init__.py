"""The seating of a draw: one rule moves winners, losers and byes.

`resolve` computes the whole seating from the facts. `advance` computes only what lies downstream of a change.
"""

from tournament.draw.seating.advancing import DrawSheet, MemorySheet, advance
from tournament.draw.seating.resolving import (
    Facts,
    KeptSeats,
    Rank,
    Seating,
    occupant_of_place,
    ranking,
    resolve,
)
from tournament.draw.seating.settling import UNDECIDED, Decision, How, Settled, State, settle

__all__ = [
    "UNDECIDED",
    "Decision",
    "DrawSheet",
    "Facts",
    "How",
    "KeptSeats",
    "MemorySheet",
    "Rank",
    "Seating",
    "Settled",
    "State",
    "advance",
    "occupant_of_place",
    "ranking",
    "resolve",
    "settle",
]
