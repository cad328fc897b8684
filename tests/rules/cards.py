"""Short names for the tests of scoring: entries, rulesets, scores."""

from dataclasses import replace
from typing import Any

from rules.card import Inspection
from rules.judge import Verdict
from rules.problem import Problem
from rules.ruleset import PRESETS, CrawfordForm, Ruleset, UncubedSingle
from rules.score import Ending, Entry, Game, Penalty, RuleBroken, Score, Side, Win, play

LEFT, RIGHT = Side.LEFT, Side.RIGHT
SINGLE, GAMMON, BACKGAMMON = Win

TOURNAMENT = PRESETS["tournament"]
BOXED = PRESETS["boxed-set"]
PARKER = PRESETS["parker-1994"]
FUNDEX = PRESETS["fundex-5730"]
STANDARD = PRESETS["standard"]
TRAILER_ONLY = replace(TOURNAMENT, crawford=CrawfordForm.TRAILER_ONLY)
NO_CRAWFORD = replace(TOURNAMENT, crawford=CrawfordForm.OFF)
NO_CUBE = replace(TOURNAMENT, cube=False)
JACOBY = replace(TOURNAMENT, jacoby=True)
CHECKERS = replace(TOURNAMENT, uncubed_single=UncubedSingle.CHECKERS_LEFT)


def won(winner: Side, win: Win = SINGLE, cube: int = 1, **more: Any) -> Game:
    return Game(winner, win, Ending.PLAYED, cube, **more)


def dropped(winner: Side, cube: int = 1, **more: Any) -> Game:
    return Game(winner, ending=Ending.DROPPED, cube=cube, **more)


def resigned(winner: Side, win: Win = SINGLE, cube: int = 1, **more: Any) -> Game:
    return Game(winner, win, Ending.RESIGNED, cube, **more)


def fined(against: Side, points: int, **more: Any) -> Penalty:
    return Penalty(against, points, "late", **more)


def at(left: int, right: int, length: int | None = 7, ruleset: Ruleset = TOURNAMENT) -> Score:
    """The score, its Crawford game still to come."""
    return Score.at(left, right, length, ruleset)


def post_crawford(left: int, right: int, length: int = 7, ruleset: Ruleset = TOURNAMENT) -> Score:
    return Score.at(left, right, length, ruleset, crawford_played=True)


def points_of(score: Score) -> tuple[int, int]:
    return score.left, score.right


def refused(score: Score, entry: Entry, ruleset: Ruleset = TOURNAMENT) -> Problem:
    """The problem that playing this entry raises."""
    try:
        line = play(score, entry, ruleset)
    except RuleBroken as broken:
        return broken.problem
    raise AssertionError(f"accepted: {line}")


def after(score: Score, *entries: Entry, ruleset: Ruleset = TOURNAMENT) -> Score:
    for entry in entries:
        score = play(score, entry, ruleset).after
    return score


def remarked(score: Score, entry: Entry, ruleset: Ruleset = TOURNAMENT) -> list[str]:
    return [problem.code for problem in play(score, entry, ruleset).remarks]


def has_errors(judged: Inspection | Verdict) -> bool:
    return any(problem.is_error for problem in judged.problems)
