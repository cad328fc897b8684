"""Compares what a record claims with its games: scores, points, winners, Crawford marks, rules."""

from collections.abc import Iterator
from dataclasses import asdict, replace

from rules.judge.ending import RESIGNED_MARK, claim_fits
from rules.problem import Problem, problem
from rules.record.model import Claim, RecordedGame, StatedRules
from rules.ruleset import CrawfordForm, Ruleset
from rules.score import Ending, Game, Score, ScoredEntry, Win
from rules.score.crawford import is_crawford_game
from rules.score.worth import is_cut_by_jacoby


def score_line_problem(game: RecordedGame, score: Score, stated: tuple[int, int] | None) -> Problem | None:
    """CARD-1: a wrong score line above a game. A line that only repeats an earlier error is not reported again."""
    if game.score in (None, (score.left, score.right), stated):
        return None
    left, right = game.score or (0, 0)
    return problem(
        "wrong_score_line", written_left=left, written_right=right, left=score.left, right=score.right
    )


def mark_problems(game: RecordedGame, score: Score, ruleset: Ruleset) -> Iterator[Problem]:
    """CRAW-1: a game is marked as the Crawford game and is not, or the reverse."""
    is_crawford = is_crawford_game(score, ruleset)
    if game.is_crawford and not is_crawford:
        yield problem("not_the_crawford_game", left=score.left, right=score.right)
    elif is_crawford and not game.is_crawford:
        yield problem("crawford_game_not_marked", left=score.left, right=score.right)


def claim_problems(claim: Claim | None, scored: ScoredEntry, ruleset: Ruleset) -> Iterator[Problem]:
    """Differences between the claim at a game's end and the game."""
    game = scored.entry
    if claim is None or not isinstance(game, Game):
        return
    if claim.winner is not game.winner:
        yield problem("wrong_winner")
    elif claim.points is not None and scored.before.winner is None:
        yield from _points_problems(claim.points, game, scored, ruleset)
    if claim.is_last and scored.after.length and not scored.after.is_over:
        yield problem("match_not_won_yet", length=scored.after.length)


def _points_problems(points: int, game: Game, scored: ScoredEntry, ruleset: Ruleset) -> Iterator[Problem]:
    if points == scored.raw or points == RESIGNED_MARK * game.cube:
        return
    is_multiple = points % game.cube == 0 and points // game.cube in set(Win)
    if is_cut_by_jacoby(game, ruleset) and points in (
        game.cube * game.win,
        (game.cube >> game.automatic_doubles) * game.win,
    ):
        yield problem("points_without_jacoby", points=points, raw=scored.raw)
    elif points << game.automatic_doubles == scored.raw:
        yield problem("points_without_automatic_double", points=points, raw=scored.raw)
    elif claim_fits(points, scored.before, game, ruleset):
        yield problem("points_capped", points=points, raw=scored.raw)
    elif game.ending is Ending.RESIGNED and not is_multiple:
        yield problem("resigned_for_odd_points", points=points, cube=game.cube)
    else:
        yield problem("wrong_points", points=points, raw=scored.raw)


def with_stated_rules(ruleset: Ruleset, stated: StatedRules) -> Ruleset:
    """The ruleset changed by the rules that the record states; for callers without a ruleset of their own."""
    stated_values = {name: value for name, value in asdict(stated).items() if value is not None}
    if "crawford" in stated_values:
        stated_values["crawford"] = CrawfordForm.ON if stated_values["crawford"] else CrawfordForm.OFF
    return replace(ruleset, **stated_values)


def stated_problems(stated: StatedRules, ruleset: Ruleset) -> Iterator[Problem]:
    """Rules that the record states and this match does not have."""
    if stated.jacoby is not None and stated.jacoby != ruleset.jacoby:
        yield problem("jacoby_differs" if ruleset.jacoby else "jacoby_recorded")
    if stated.crawford is not None and stated.crawford != (ruleset.crawford is not CrawfordForm.OFF):
        yield problem("crawford_recorded" if stated.crawford else "crawford_not_recorded")
    if stated.beavers and ruleset.beavers == 0:
        yield problem("beavers_recorded")
    if stated.automatic_doubles and ruleset.automatic_doubles == 0:
        yield problem("automatic_doubles_recorded")
