"""Standings: records of entries, their values, their order and the explanation of it.

`records_of` reads the facts, `rank` orders the records by the rules of the event. Every formula is exact. No player's
name is known, and the only chance is the lot that is passed in.
"""

from tournament.draw.standings.counting import (
    SITTING_OUT_IS_NOTHING,
    CountingRules,
    StandIn,
    StandingsError,
    Unplayed,
)
from tournament.draw.standings.formulas import ExternalValues, Value, lot_numbers
from tournament.draw.standings.groups import GroupRank, RankingBasis, group_ranking
from tournament.draw.standings.lives import rank_lives, round_of_elimination
from tournament.draw.standings.ranking import RankingStep, Standing, rank
from tournament.draw.standings.records import Meeting, Notes, Record, records_of, with_starting_losses
from tournament.draw.standings.tie_breaks import DEFAULT_TIE_BREAKS, OFFERED, StandingRules, TieBreak

__all__ = [
    "DEFAULT_TIE_BREAKS",
    "OFFERED",
    "SITTING_OUT_IS_NOTHING",
    "CountingRules",
    "ExternalValues",
    "GroupRank",
    "Meeting",
    "Notes",
    "RankingBasis",
    "RankingStep",
    "Record",
    "StandIn",
    "Standing",
    "StandingRules",
    "StandingsError",
    "TieBreak",
    "Unplayed",
    "Value",
    "group_ranking",
    "lot_numbers",
    "rank",
    "rank_lives",
    "records_of",
    "round_of_elimination",
    "with_starting_losses",
]
