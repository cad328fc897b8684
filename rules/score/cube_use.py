"""The sides that may use the cube in the next game (CUBE-8, CRAW-1 to CRAW-3). Its owner is not known here."""

from rules.ruleset import CrawfordForm, Ruleset
from rules.score.crawford import is_crawford_game
from rules.score.entry import Side
from rules.score.match_score import Score

BOTH = (Side.LEFT, Side.RIGHT)


def may_double(score: Score, ruleset: Ruleset) -> tuple[Side, ...]:
    """The sides that may double in the next game if they have access to the cube."""
    if score.is_over or not ruleset.cube or score.length == 1:
        return ()
    if not is_crawford_game(score, ruleset):
        return BOTH
    if ruleset.crawford is CrawfordForm.ON:
        return ()
    return BOTH if score.leader is None else (score.leader,)


def no_cube_reason(score: Score, ruleset: Ruleset) -> str:
    """The reason why the cube is not in use, as in the codes of the problems; empty if it is."""
    if score.is_over:
        return "over"
    if not ruleset.cube:
        return "match"
    if score.length == 1:
        return "one_point_match"
    if is_crawford_game(score, ruleset):
        return "crawford" if ruleset.crawford is CrawfordForm.ON else "crawford_trailer"
    return ""
