"""Standings: what everybody did, what it counts, who comes before whom, and why.

`records_of` reads the facts, `rank` puts them in order by the rules of the event. Every formula is exact and every
order explains itself; no player's name is known, and no chance but the lot handed in.
"""

from tournament.draw.standings.counting import (
    SITTING_OUT_IS_NOTHING,
    CountingRules,
    StandIn,
    StandingsError,
    Unplayed,
)
from tournament.draw.standings.formulas import Given, Value, lot_numbers
from tournament.draw.standings.groups import GroupRank, Ranked, group_ranking
from tournament.draw.standings.lives import lives_places, went_out
from tournament.draw.standings.ranking import Standing, Step, parted_by, rank
from tournament.draw.standings.records import Meeting, Notes, Record, records_of, with_given_losses
from tournament.draw.standings.tie_breaks import DEFAULT_TIE_BREAKS, OFFERED, StandingRules, TieBreak

__all__ = [
    "DEFAULT_TIE_BREAKS",
    "OFFERED",
    "SITTING_OUT_IS_NOTHING",
    "CountingRules",
    "Given",
    "GroupRank",
    "Meeting",
    "Notes",
    "Ranked",
    "Record",
    "StandIn",
    "Standing",
    "StandingRules",
    "StandingsError",
    "Step",
    "TieBreak",
    "Unplayed",
    "Value",
    "group_ranking",
    "lives_places",
    "lot_numbers",
    "parted_by",
    "rank",
    "records_of",
    "went_out",
    "with_given_losses",
]
