"""A score, and the effect of a game or a penalty on it. Import from here."""

from rules.problem import Offer, Problem, RuleBroken
from rules.score.cube_use import may_double
from rules.score.entry import Ending, Entry, Game, Penalty, Side, Win
from rules.score.legality import errors, nearest_legal
from rules.score.match_score import CrawfordStage, Score
from rules.score.playing import ScoredEntry, credit, play
from rules.score.remarks import largest_useful_cube
from rules.score.worth import kind_of_win, points
from rules.sentences import Severity

__all__ = [
    "CrawfordStage",
    "Ending",
    "Entry",
    "Game",
    "Offer",
    "Penalty",
    "Problem",
    "RuleBroken",
    "Score",
    "ScoredEntry",
    "Severity",
    "Side",
    "Win",
    "credit",
    "errors",
    "kind_of_win",
    "largest_useful_cube",
    "may_double",
    "nearest_legal",
    "play",
    "points",
]
