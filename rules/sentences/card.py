"""Problems of a score card, a cube, a penalty, a final score or a ruleset."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence, error, remark
from rules.translation import gettext_noop as _

CARD: Mapping[str, Sentence] = MappingProxyType(
    {
        "match_is_over": error(
            "MATCH-1", _("The match was already over at {left}-{right}. Remove this entry.")
        ),
        "cube_not_a_power_of_two": error(
            "CUBE-6", _("A cube shows 1, 2, 4, 8, 16 and so on, never {cube}. Enter the value it showed.")
        ),
        "cube_beyond_counting": error(
            "CUBE-6", _("A cube of {cube} cannot be right. Enter the value it showed.")
        ),
        "cube_above_limit": error(
            "CUBE-6", _("The cube goes no higher than {limit} in this match. Check the cube.")
        ),
        "double_above_limit": error(
            "CUBE-6",
            _("The cube goes no higher than {limit} in this match. A cube of {cube} cannot be doubled."),
        ),
        "no_cube_in_match": error(
            "CUBE-8", _("This match is played without a cube. Enter the game with the cube at 1.")
        ),
        "no_drop_in_match": error(
            "CUBE-8",
            _("This match is played without a cube, so a double cannot be dropped. Play the game on."),
        ),
        "no_cube_in_one_point_match": error(
            "CRAW-1", _("A 1-point match has no cube. Enter the game with the cube at 1.")
        ),
        "no_drop_in_one_point_match": error(
            "CRAW-1", _("A 1-point match has no cube, so a double cannot be dropped. Play the game on.")
        ),
        "crawford_cube": error(
            "CRAW-1", _("This is the Crawford game, played without the cube. Enter it with the cube at 1.")
        ),
        "crawford_drop": error(
            "CRAW-1", _("This is the Crawford game: nobody may double. Resume the game, or ask the director.")
        ),
        "crawford_trailer_cube": error(
            "CRAW-2",
            _(
                "In the Crawford game the trailing player may not double. Enter a cube of {legal_cube} at most."
            ),
        ),
        "crawford_trailer_drop": error(
            "CRAW-2",
            _(
                "In the Crawford game the trailing player may not double. Resume the game, or ask the director."
            ),
        ),
        "automatic_doubles_negative": error(
            "OPEN-4", _("There cannot be {given} automatic doubles. Enter 0 or more.")
        ),
        "automatic_doubles_not_played": error(
            "OPEN-4", _("Automatic doubles are not played in this match. Enter the game without them.")
        ),
        "automatic_doubles_without_cube": error(
            "OPEN-4", _("This game is played without a cube, so without automatic doubles. Remove them.")
        ),
        "automatic_doubles_too_many": error(
            "OPEN-4", _("A game has {most} automatic doubles at most, not {given}. Check the opening rolls.")
        ),
        "cube_below_automatic": error(
            "OPEN-4",
            _("After an automatic double the cube is at {least} or higher, not {cube}. Check the cube."),
        ),
        "gammon_on_a_drop": error(
            "CUBE-5",
            _("A dropped double ends the game as a single. Enter it as a drop or as a gammon, not both."),
        ),
        "checkers_left_missing": error(
            "SCORE-2", _("Enter how many checkers the loser had left: they are the points of this game.")
        ),
        "checkers_left_out_of_range": error(
            "SCORE-2", _("The loser had between 1 and {most} checkers left, not {given}. Count them again.")
        ),
        "checkers_left_not_asked": error(
            "SCORE-2",
            _("The loser's checkers count only in a single game whose cube was never turned. Remove them."),
        ),
        "checkers_left_not_counted": error(
            "SCORE-1", _("The loser's checkers do not count in this match. Remove them.")
        ),
        "penalty_below_one": error(
            "PEN-2", _("A penalty is 1 point or more, not {points}. Enter its points.")
        ),
        "cube_larger_than_useful": remark(
            "MATCH-1",
            _("A cube of {useful} would win the match for either player. Check the cube of {cube}."),
        ),
        "dead_cube": remark(
            "MATCH-1", _("A player doubled without needing it to win the match. Check the cube of {cube}.")
        ),
        "jacoby_counts_single": remark(
            "SCORE-6", _("No double was offered, so by the Jacoby rule this game counts as a single.")
        ),
        "final_score_negative": error("CARD-1", _("Points cannot be below 0. Check the score.")),
        "final_score_unfinished": error(
            "MATCH-1", _("Nobody has reached {length} yet. Check the score, or play on.")
        ),
        "final_score_two_winners": error(
            "MATCH-1", _("Only one player can reach {length}. Check the score.")
        ),
        "final_score_beyond_length": error(
            "MATCH-1", _("Points beyond {length} do not count. Enter {left}-{right}.")
        ),
        "final_score_level": error(
            "MATCH-3",
            _(
                "A session needs a winner: while the points are level, one more game is played. Check the score."
            ),
        ),
        "stop_in_match": error(
            "MATCH-1", _("This match is played to {length} points without a time limit. Play on.")
        ),
        "stop_in_agreed_games": error(
            "MATCH-3", _("This session ends after the agreed {games} games, not by time. Play on.")
        ),
        "stop_written_twice": error(
            "MATCH-3", _("This card already says that time is over. Remove this entry.")
        ),
        "length_below_one": error("MATCH-1", _("A match goes to 1 point or more, not {length}.")),
        "no_double_in_over": error("MATCH-1", _("The match is over. Doubling is not possible any more.")),
        "no_double_in_match": error("CUBE-8", _("This match is played without a cube. Roll.")),
        "no_double_in_one_point_match": error("CRAW-1", _("A 1-point match has no cube. Roll.")),
        "no_double_in_crawford": error("CRAW-1", _("This is the Crawford game: nobody may double. Roll.")),
        "no_double_in_crawford_trailer": error(
            "CRAW-2", _("In the Crawford game the trailing player may not double. Roll.")
        ),
        "cube_already_offered": error(
            "CUBE-4", _("A double is waiting for its answer. Take or drop it first.")
        ),
        "no_double_to_answer": error("CUBE-4", _("There is no double to answer. Play on.")),
        "not_yours_to_answer": error("CUBE-4", _("Only the player who was doubled answers.")),
        "cube_not_yours": error(
            "CUBE-4", _("The other player owns the cube, so only that player may redouble. Play on.")
        ),
        "double_out_of_turn": error(
            "CUBE-1", _("A player doubles only on their own turn. Wait for your turn.")
        ),
        "double_after_roll": error("CUBE-1", _("A player doubles before rolling. Play the roll.")),
        "double_before_first_throw": error(
            "CUBE-3", _("Doubles are not allowed before the first throw of the game. Roll first.")
        ),
        "no_beavers": error("CUBE-7", _("Beavers are not played in this match. Take or drop.")),
        "too_many_beavers": error(
            "CUBE-7", _("A double may be beavered {most} times at most in this match. Take or drop.")
        ),
        "ruleset_not_an_object": error("", _("A ruleset is an object with named fields.")),
        "unknown_field": error("", _("{field} is not a field of a ruleset. Remove it.")),
        "wrong_type": error("", _("{field} should be {expected}.")),
        "impossible_value": error("", _("{field} should be {expected}, not {given}.")),
    }
)
