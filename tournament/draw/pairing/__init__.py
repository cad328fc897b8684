"""Rounds paired one after the other: Swiss, Monrad, and events with lives.

`pair_round` pairs everybody, `pair_free` those who are free while others play; `why` explains what came of it from
the stored cost. The order of the aims is fixed and published: that of the fields of `Tiers`.
"""

from tournament.draw.pairing.contenders import MONRAD, Aims, Alike, Contender, PairingError, Seeding
from tournament.draw.pairing.continuous import (
    Hall,
    PairedNow,
    Proof,
    aims_of_free,
    completable,
    may_pair_now,
    pair_free,
)
from tournament.draw.pairing.costs import Cost, Tiers
from tournament.draw.pairing.lives import LivesRules, Stop, is_over, still_in
from tournament.draw.pairing.reasons import Ground, Reason, Why, why
from tournament.draw.pairing.rounds import ByeGiven, PairedRound, PairMade, costs_of, pair_round

__all__ = [
    "MONRAD",
    "Aims",
    "Alike",
    "ByeGiven",
    "Contender",
    "Cost",
    "Ground",
    "Hall",
    "LivesRules",
    "PairMade",
    "PairedNow",
    "PairedRound",
    "PairingError",
    "Proof",
    "Reason",
    "Seeding",
    "Stop",
    "Tiers",
    "Why",
    "aims_of_free",
    "completable",
    "costs_of",
    "is_over",
    "may_pair_now",
    "pair_free",
    "pair_round",
    "still_in",
    "why",
]
