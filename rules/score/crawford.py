"""The Crawford rule: which game is the Crawford game, and how games and penalties move it (CRAW-1 to CRAW-4).

`Score.is_crawford` tests length, points and stage; this module adds the ruleset and the changes of stage.
"""

from rules.ruleset import CrawfordForm, Ruleset
from rules.score.entry import Penalty
from rules.score.match_score import CrawfordStage, Score


def is_crawford_game(score: Score, ruleset: Ruleset) -> bool:
    """True if the next game is played as a Crawford game under this ruleset."""
    return score.is_crawford and ruleset.crawford is not CrawfordForm.OFF


def stage_after_game(score: Score) -> CrawfordStage:
    if score.crawford is CrawfordStage.AFTER_THIS:
        return CrawfordStage.TO_COME
    return CrawfordStage.PAST if score.is_crawford else score.crawford


def stage_after_penalty(score: Score, after: Score, penalty: Penalty, ruleset: Ruleset) -> CrawfordStage:
    """CRAW-4: a penalty that leads to match point brings the Crawford game now or a game later, or cancels it."""
    if score.is_match_point or not after.is_crawford:
        return score.crawford
    if not ruleset.crawford_after_penalty:
        return CrawfordStage.PAST
    return CrawfordStage.AFTER_THIS if penalty.mid_game else CrawfordStage.TO_COME
