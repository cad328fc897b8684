"""The usual order of tie-breaks for each format. A director can choose any other order."""

from tournament.draw.standings.counting import SITTING_OUT_IS_NOTHING
from tournament.draw.standings.tie_breaks import StandingRules, TieBreak

# The margin of a match does not count (CARD-2), so no order for matches has a difference of points.
ROUND_ROBIN_ORDER = StandingRules(
    (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.LOT), SITTING_OUT_IS_NOTHING
)
SWISS_ORDER = StandingRules(
    (TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.CUMULATIVE)
)
"""Swiss and Monrad."""
LIVES_ORDER = StandingRules((TieBreak.LIVES_LEFT, TieBreak.LASTED, TieBreak.SCORE, TieBreak.BUCHHOLZ))

# In stake play points count: before wins in a round robin, directly after wins or losses in the other formats.
STAKE_ROUND_ROBIN_ORDER = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.SCORE, TieBreak.HEAD_TO_HEAD, TieBreak.LOT), SITTING_OUT_IS_NOTHING
)
STAKE_SWISS_ORDER = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER)
)
STAKE_LIVES_ORDER = StandingRules(
    (TieBreak.LIVES_LEFT, TieBreak.LASTED, TieBreak.SCORE, TieBreak.POINTS_DIFFERENCE, TieBreak.BUCHHOLZ)
)
