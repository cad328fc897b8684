"""The sentences of the rules that a phone says by itself, without the network, in the reader's language."""

import json

from django.utils.translation import gettext

from rules.sentences import SENTENCES

CODES = (
    "match_is_over", "cube_not_a_power_of_two", "cube_beyond_counting", "cube_above_limit", "double_above_limit",
    "no_cube_in_match", "no_drop_in_match", "no_cube_in_one_point_match", "no_drop_in_one_point_match",
    "crawford_cube", "crawford_drop", "crawford_trailer_cube", "crawford_trailer_drop", "automatic_doubles_negative",
    "automatic_doubles_not_played", "automatic_doubles_without_cube", "automatic_doubles_too_many",
    "cube_below_automatic", "gammon_on_a_drop", "checkers_left_missing", "checkers_left_out_of_range",
    "checkers_left_not_asked", "checkers_left_not_counted", "final_score_negative", "final_score_unfinished",
    "final_score_two_winners", "final_score_beyond_length", "final_score_level",
)  # fmt: skip


def card_problems() -> str:
    """Templates by their code, as JSON."""
    return json.dumps({code: gettext(SENTENCES[code].template) for code in CODES})
