"""Rounds paired from the records so far: Swiss, Monrad, lives. Writes a round and what it was paired from.

What a round was paired from is kept with it, so that anybody can pair it again.
"""

from tournament.rounds.basis import Basis, kept_basis, last_round
from tournament.rounds.making import (
    free_basis,
    next_basis,
    pair_next,
    pair_whoever_is_free,
    take_back_round,
    write_first,
)

__all__ = [
    "Basis",
    "free_basis",
    "kept_basis",
    "last_round",
    "next_basis",
    "pair_next",
    "pair_whoever_is_free",
    "take_back_round",
    "write_first",
]
