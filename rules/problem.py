"""What is wrong, said so that a player understands it: every sentence of the rules, in one table.

A problem carries its English template and the values apart, so that a front door can translate the
one and fill in the other. Nothing is decided here, and nothing here knows what language is spoken.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class Severity(StrEnum):
    """An error cannot have happened; a warning hardly; a remark is worth a second look."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Offer(StrEnum):
    """A way out that the field's rules know for an error."""

    ANNUL = "annul"
    RESUME_OR_DIRECTOR = "resume_or_director"


OFFERS: Mapping[str, str] = MappingProxyType(
    {
        Offer.ANNUL: "Annul the double: score the game with the cube at {legal_cube}.",
        Offer.RESUME_OR_DIRECTOR: "Resume the game, or let the director decide.",
    }
)


class Sentence(NamedTuple):
    severity: Severity
    rule: str
    template: str


def _error(rule: str, template: str) -> Sentence:
    return Sentence(Severity.ERROR, rule, template)


def _remark(rule: str, template: str) -> Sentence:
    return Sentence(Severity.REMARK, rule, template)


SENTENCES: Mapping[str, Sentence] = MappingProxyType(
    {
        "match_is_over": _error(
            "MATCH-1", "The match was already over at {left}-{right}. Leave this entry out."
        ),
        "cube_not_a_power_of_two": _error(
            "CUBE-6", "A cube shows 1, 2, 4, 8, 16 and so on, never {cube}. Enter the value it showed."
        ),
        "cube_beyond_counting": _error(
            "CUBE-6", "A cube of {cube} cannot be right. Enter the value it showed."
        ),
        "cube_above_limit": _error(
            "CUBE-6", "The cube goes no higher than {limit} in this match. Check the cube."
        ),
        "double_above_limit": _error(
            "CUBE-6", "The cube goes no higher than {limit} in this match. Nobody can double from {cube}."
        ),
        "no_cube_in_match": _error(
            "CUBE-8", "This match is played without a cube. Enter the game with the cube at 1."
        ),
        "no_drop_in_match": _error(
            "CUBE-8", "This match is played without a cube, so a double cannot be dropped. Play the game on."
        ),
        "no_cube_in_one_point_match": _error(
            "CRAW-1", "A 1-point match has no cube. Enter the game with the cube at 1."
        ),
        "no_drop_in_one_point_match": _error(
            "CRAW-1", "A 1-point match has no cube, so a double cannot be dropped. Play the game on."
        ),
        "crawford_cube": _error(
            "CRAW-1", "This is the Crawford game, played without the cube. Enter it with the cube at 1."
        ),
        "crawford_drop": _error(
            "CRAW-1", "This is the Crawford game: nobody may double. Resume the game, or ask the director."
        ),
        "crawford_trailer_cube": _error(
            "CRAW-2",
            "In the Crawford game the trailing player may not double. Enter a cube of {legal_cube} at most.",
        ),
        "crawford_trailer_drop": _error(
            "CRAW-2",
            "In the Crawford game the trailing player may not double. Resume the game, or ask the director.",
        ),
        "automatic_doubles_negative": _error(
            "OPEN-4", "There cannot be {given} automatic doubles. Enter 0 or more."
        ),
        "automatic_doubles_not_played": _error(
            "OPEN-4", "Automatic doubles are not played in this match. Enter the game without them."
        ),
        "automatic_doubles_without_cube": _error(
            "OPEN-4", "This game is played without a cube, so without automatic doubles. Leave them out."
        ),
        "automatic_doubles_too_many": _error(
            "OPEN-4", "A game has {most} automatic doubles at most, not {given}. Check the opening rolls."
        ),
        "cube_below_automatic": _error(
            "OPEN-4",
            "After an automatic double the cube is at {least} or higher, not {cube}. Check the cube.",
        ),
        "gammon_on_a_drop": _error(
            "CUBE-5",
            "A dropped double ends the game as a single. Enter it as a drop or as a gammon, not both.",
        ),
        "checkers_left_missing": _error(
            "SCORE-2", "Enter how many checkers the loser had left: they are the points of this game."
        ),
        "checkers_left_out_of_range": _error(
            "SCORE-2", "The loser had between 1 and {most} checkers left, not {given}. Count them again."
        ),
        "checkers_left_not_asked": _error(
            "SCORE-2",
            "The loser's checkers count only in a single game whose cube was never turned. Leave them out.",
        ),
        "checkers_left_not_counted": _error(
            "SCORE-1", "The loser's checkers bring no points in this match. Leave them out."
        ),
        "penalty_below_one": _error("PEN-2", "A penalty is 1 point or more, not {points}. Enter its points."),
        "cube_larger_than_useful": _remark(
            "MATCH-1", "A cube of {useful} would win the match for either player. Check the cube of {cube}."
        ),
        "dead_cube": _remark(
            "MATCH-1", "A player doubled who would have won the match without it. Check the cube of {cube}."
        ),
        "jacoby_counts_single": _remark(
            "SCORE-6", "Nobody offered a double, so by the Jacoby rule this game counts as a single."
        ),
        "final_score_negative": _error("CARD-1", "Points cannot be below 0. Check the score."),
        "final_score_unfinished": _error(
            "MATCH-1", "Nobody has {length} points yet. Check the score, or play on."
        ),
        "final_score_two_winners": _error(
            "MATCH-1", "Only one player can reach {length} points. Check the score."
        ),
        "final_score_beyond_length": _error(
            "MATCH-1", "Points beyond {length} bring nothing. Enter {left}-{right}."
        ),
        "final_score_in_stake_play": _error("MATCH-3", "Stake play has no final score. Enter each game."),
        "length_below_one": _error("MATCH-1", "A match goes to 1 point or more, not {length}."),
        "no_double_in_over": _error("MATCH-1", "The match is over. There is nothing left to double."),
        "no_double_in_match": _error("CUBE-8", "This match is played without a cube. Roll."),
        "no_double_in_one_point_match": _error("CRAW-1", "A 1-point match has no cube. Roll."),
        "no_double_in_crawford": _error("CRAW-1", "This is the Crawford game: nobody may double. Roll."),
        "no_double_in_crawford_trailer": _error(
            "CRAW-2", "In the Crawford game the trailing player may not double. Roll."
        ),
        "cube_already_offered": _error(
            "CUBE-4", "A double is waiting for its answer. Take or drop it first."
        ),
        "no_double_to_answer": _error("CUBE-4", "Nobody has doubled. Play on."),
        "not_yours_to_answer": _error("CUBE-4", "Only the player who was doubled answers."),
        "cube_not_yours": _error(
            "CUBE-4", "The cube belongs to the other player, who alone may redouble. Play on."
        ),
        "double_out_of_turn": _error("CUBE-1", "A player doubles on their own turn only. Wait for yours."),
        "double_after_roll": _error("CUBE-1", "A player doubles before rolling. Play the roll."),
        "double_before_first_throw": _error(
            "CUBE-3", "Nobody may double before the first throw of the game. Roll first."
        ),
        "no_beavers": _error("CUBE-7", "Beavers are not played in this match. Take or drop."),
        "too_many_beavers": _error(
            "CUBE-7", "A double may be beavered {most} times at most in this match. Take or drop."
        ),
        "ruleset_not_an_object": _error("", "A ruleset is an object with named fields."),
        "unknown_field": _error("", "{field} is not a field of a ruleset. Leave it out."),
        "wrong_type": _error("", "{field} should be {expected}."),
        "impossible_value": _error("", "{field} should be {expected}, not {given}."),
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, where it is wrong, and the way out if the rules know one."""

    severity: str
    code: str
    rule: str
    template: str
    params: Mapping[str, Any] = field(default_factory=dict)
    game: int | None = None
    offer: str | None = None

    @property
    def sentence(self) -> str:
        return self.template.format_map(self.params)

    @property
    def offer_sentence(self) -> str:
        return OFFERS[self.offer].format_map(self.params) if self.offer else ""

    @property
    def is_error(self) -> bool:
        return self.severity == Severity.ERROR


class RuleBroken(Exception):
    """Raised when playing: the first rule that an action breaks."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def problem(code: str, *, game: int | None = None, offer: str | None = None, **params: Any) -> Problem:
    """The problem of this code; `params` fill its sentence (and its offer's)."""
    severity, rule, template = SENTENCES[code]
    return Problem(severity, code, rule, template, params, game, offer)
