"""Problems of a record: turns, cube, games, claims."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence, error, remark, warning
from rules.translation import gettext_noop as _

JUDGING: Mapping[str, Sentence] = MappingProxyType(
    {
        "begins_in_mid_match": remark(
            "CARD-1", _("The record begins at {left}-{right}; earlier games cannot be checked.")
        ),
        "first_game_begins_scored": warning(
            "CARD-1",
            _(
                "The record begins at {left}-{right} but names no earlier game. Compare this score with the "
                "score card."
            ),
        ),
        "out_of_turn": error(
            "MOVE-1", _("It was the other player's turn. A turn is missing or in the wrong column.")
        ),
        "opening_double": error(
            "OPEN-2", _("The first roll of a game cannot be {dice}: equal dice are rolled again.")
        ),
        "action_after_the_end": error("WIN-1", _("The record continues after the end of the game.")),
        "play_not_recorded": warning(
            "CARD-1",
            _("The play of this roll is missing, so the rest of the game cannot be checked on the board."),
        ),
        "double_not_answered": error(
            "CUBE-4", _("A double was neither taken nor dropped before the next roll.")
        ),
        "double_before_opening_roll": error("CUBE-1", _("A double before the opening roll is not allowed.")),
        "wrong_cube_value": error(
            "CUBE-6", _("The double is written as {written}, but it offers {offered}.")
        ),
        "resigned_gammon_after_bearing_off": error(
            "SCORE-3", _("A gammon cannot be resigned by a player who has borne off {borne_off} already.")
        ),
        "resigned_for_odd_points": error(
            "SCORE-7", _("A resignation brings 1, 2 or 3 times the cube of {cube}, not {points}.")
        ),
        "wrong_points": error(
            "CARD-1", _("Points of this game by the record: {points}. By the rules: {raw}.")
        ),
        "points_capped": remark(
            "MATCH-1", _("Points of this game by the record: {points}, all that were needed of {raw}.")
        ),
        "points_without_jacoby": remark(
            "SCORE-6", _("Points of this game by the record: {points}. By the Jacoby rule: {raw}.")
        ),
        "points_without_automatic_double": remark(
            "OPEN-4", _("Points of this game by the record: {points}. With its automatic double: {raw}.")
        ),
        "wrong_winner": error("CARD-1", _("The record names the other player as the winner of this game.")),
        "match_not_won_yet": error(
            "MATCH-1", _("The record calls the match won, but nobody has reached {length}.")
        ),
        "wrong_score_line": error(
            "CARD-1", _("The score is written as {written_left}-{written_right}, but it was {left}-{right}.")
        ),
        "not_the_crawford_game": warning(
            "CRAW-1", _("The game is marked as the Crawford game, but at {left}-{right} it is not.")
        ),
        "crawford_game_not_marked": warning(
            "CRAW-1", _("The game is not marked as the Crawford game, but at {left}-{right} it is.")
        ),
        "game_without_end": error("WIN-1", _("The record of this game stops before a player has won it.")),
        "match_not_finished": error(
            "MATCH-1", _("The record stops at {left}-{right}: nobody has reached {length} yet.")
        ),
        "session_not_finished": error(
            "MATCH-3",
            _("The record stops at {left}-{right}, but {games} games were agreed, and one more while level."),
        ),
        "wrong_match_length": error(
            "MATCH-1", _("The record is of a match to {recorded}, but this match is to {posted}.")
        ),
        "recorded_as_a_match": error(
            "MATCH-3", _("The record is of a match to {recorded}, but this match is stake play.")
        ),
        "recorded_as_stake_play": error(
            "MATCH-3", _("The record is of stake play, but this match is to {posted}.")
        ),
        "reported_score_differs": error(
            "CARD-1",
            _(
                "The score of the record is {left}-{right}, but {reported_left}-{reported_right} was reported."
            ),
        ),
        "too_many_problems": error("", _("Checking stopped in game {games}: there are too many problems.")),
        "too_much_to_check": error("", _("Checking stopped in game {games}: the record is too long.")),
        "jacoby_differs": remark(
            "SCORE-6", _("The record was kept without the Jacoby rule; this match uses it.")
        ),
        "jacoby_recorded": remark(
            "SCORE-6", _("The record was kept with the Jacoby rule; this match does not use it.")
        ),
        "crawford_recorded": remark(
            "CRAW-1", _("The record was kept with a Crawford game; this match has none.")
        ),
        "crawford_not_recorded": remark(
            "CRAW-3", _("The record was kept without a Crawford game; this match has one.")
        ),
        "beavers_recorded": remark(
            "CUBE-7", _("The record was kept with beavers; this match does not use them.")
        ),
        "automatic_doubles_recorded": remark(
            "OPEN-4", _("The record was kept with automatic doubles; this match does not use them.")
        ),
    }
)
