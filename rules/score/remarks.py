"""Remarks on legal but unusual entries.

A card gives the cube and the winner, not who doubled. Without beavers the doubles of a game alternate, so two
orders are possible; a remark is made only if it holds in both.
"""

from collections.abc import Iterator

from rules.problem import Problem, problem
from rules.ruleset import Ruleset
from rules.score.cube_use import may_double
from rules.score.entry import Entry, Game, Penalty, Side
from rules.score.match_score import Score
from rules.score.worth import is_cut_by_jacoby


def remarks(score: Score, entry: Entry, ruleset: Ruleset) -> Iterator[Problem]:
    """Remarks on an entry that breaks no rule."""
    if isinstance(entry, Penalty):
        return
    number = score.games + 1
    useful = largest_useful_cube(score)
    if useful is not None and entry.turns > 0 and entry.cube > useful:
        yield problem("cube_larger_than_useful", game=number, cube=entry.cube, useful=useful)
    elif _had_dead_double(score, entry, ruleset):
        yield problem("dead_cube", game=number, cube=entry.cube)
    if is_cut_by_jacoby(entry, ruleset):
        yield problem("jacoby_counts_single", game=number)


def largest_useful_cube(score: Score) -> int | None:
    """The lowest cube at which a single wins the match for either side; None in stake play."""
    if score.length is None:
        return None
    most = score.length - min(score.left, score.right)
    return 1 << (max(1, most) - 1).bit_length()


def _had_dead_double(score: Score, game: Game, ruleset: Ruleset) -> bool:
    """True if a player doubled although the stake already won the match."""
    if score.length is None:
        return False
    if game.is_drop:
        return _is_dead(score, game.winner, game.cube)
    if game.turns < 1 or ruleset.beavers != 0:
        return False
    return all(_had_dead_turn(score, last, game) for last in may_double(score, ruleset))


def _had_dead_turn(score: Score, last: Side, game: Game) -> bool:
    """True if one of the last two doubles was dead, assuming that `last` made the last one."""
    if _is_dead(score, last, game.cube // 2):
        return True
    return game.turns > 1 and _is_dead(score, last.other, game.cube // 4)


def _is_dead(score: Score, side: Side, stake: int) -> bool:
    return (score.away(side) or 0) <= stake
