"""Pairing by records: Swiss, Monrad and events with lives.

`pair_round` pairs all contenders, `pair_free` those who are free while others play, and `explain` gives the reasons
from the stored cost. The order of the aims is fixed and published: that of the fields of `Tiers`.
"""

from tournament.draw.pairing.contenders import MONRAD, Aims, Alike, Contender, PairingError, Seeding
from tournament.draw.pairing.continuous import (
    FreePairing,
    LivesMoment,
    Proof,
    aims_for_free_players,
    may_pair_now,
    pair_free,
    prove_completable,
)
from tournament.draw.pairing.costs import Cost, Tiers
from tournament.draw.pairing.lives import LivesRules, Stop, is_over, still_in
from tournament.draw.pairing.reasons import Explanation, Ground, Reason, explain
from tournament.draw.pairing.rounds import (
    ByeGiven,
    PairedRound,
    PairMade,
    costs_of,
    pair_round,
    pair_round_with,
)

__all__ = [
    "MONRAD",
    "Aims",
    "Alike",
    "ByeGiven",
    "Contender",
    "Cost",
    "Explanation",
    "FreePairing",
    "Ground",
    "LivesMoment",
    "LivesRules",
    "PairMade",
    "PairedRound",
    "PairingError",
    "Proof",
    "Reason",
    "Seeding",
    "Stop",
    "Tiers",
    "aims_for_free_players",
    "costs_of",
    "explain",
    "is_over",
    "may_pair_now",
    "pair_free",
    "pair_round",
    "pair_round_with",
    "prove_completable",
    "still_in",
]
