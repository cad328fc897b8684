"""Who sits where: the one rule that moves winners, losers and byes through a draw.

`resolve` computes the whole seating from the facts, `advance` only what lies downstream of a change. No format is
named in this room.
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
