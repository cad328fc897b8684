"""Points of a win before they are capped at the match length."""

from rules.ruleset import Ruleset, UncubedSingle
from rules.score.entry import Game, Win


def points(game: Game, ruleset: Ruleset) -> int:
    """SCORE-1 to SCORE-6 for a game that can have happened."""
    if ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT and game.is_uncubed_single:
        return game.checkers_left or 1
    return game.cube * (1 if is_cut_by_jacoby(game, ruleset) else game.win)


def is_cut_by_jacoby(game: Game, ruleset: Ruleset) -> bool:
    """SCORE-6: without a double, a gammon or backgammon counts as a single."""
    return ruleset.jacoby and game.win > Win.SINGLE and not game.was_doubled


def kind_of_win(*, borne_off: int, on_bar: int, in_winners_home: int, ruleset: Ruleset) -> Win:
    """SCORE-1, SCORE-3 to SCORE-5: the kind of a win that was played out, from the loser's checkers."""
    if borne_off > 0:
        return Win.SINGLE
    far_back = in_winners_home + (on_bar if ruleset.backgammon_counts_bar else 0)
    return Win.BACKGAMMON if far_back > 0 else Win.GAMMON
