"""Problems that a reader of records finds before the record is judged."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence, error, remark, warning
from rules.translation import gettext_noop as _

RECORD: Mapping[str, Sentence] = MappingProxyType(
    {
        "nothing_to_read": error("", _("This file is empty. Export the match again and send that file.")),
        "not_a_record": error(
            "",
            _(
                "No match record was found in this file. Send the match as a .mat, .txt, .sgf, .xg or .bgf file."
            ),
        ),
        "file_too_large": error(
            "", _("The file is larger than {megabytes} MB. Send the record of one match.")
        ),
        "too_many_lines": error("", _("The record has more than {lines} lines; the rest was not read.")),
        "too_many_games": error("", _("The record has more than {games} games; the rest were not read.")),
        "line_too_long": warning("", _("This line is too long for a record; only its beginning was read.")),
        "line_not_understood": warning("", _("“{text}” is not a line of a record and was skipped.")),
        "cell_not_understood": error("", _("“{text}” cannot be read as a roll, a cube action or a result.")),
        "play_not_understood": error("", _("The play “{text}” cannot be read.")),
        "no_such_roll": error("", _("“{dice}” is not a roll of two dice.")),
        "row_missing": warning(
            "", _("Row {number} follows row {last}: a row is missing, or the rows are in the wrong order.")
        ),
        "game_missing": remark("", _("Game {number} follows game {last}: a game may be missing.")),
        "length_not_told": remark("", _("The record does not state the match length.")),
        "second_match": warning(
            "", _("A second match begins here; it was not read. Send it as its own file.")
        ),
        "other_variation": error("", _("This is a record of {variation}, not of backgammon.")),
        "may_be_stake_play": remark(
            "", _("This site writes stake play as a match to {length}, so this record may be stake play.")
        ),
        "more_not_understood": error(
            "", _("More than {count} lines cannot be read; the others are not listed.")
        ),
        "too_many_rolls": error("", _("The record has more than {rolls} rolls; the rest was not read.")),
        "file_cut_off": warning(
            "", _("The file ends in the middle of a game. If more was played, export the match again.")
        ),
        "board_set_by_hand": warning(
            "",
            _("The checkers were set up by hand here; the rest of this game cannot be checked on the board."),
        ),
        "cube_set_by_hand": warning(
            "", _("The cube was set by hand here. Ask the players for the cube of this game.")
        ),
        "impossible_start": error(
            "SET-1", _("This game begins from an impossible position; the normal start was used.")
        ),
        "json_too_large": error("", _("This JSON is larger than any match. Send the record of one match.")),
        "json_not_understood": error(
            "", _("The JSON is invalid from this line on. Export the record again.")
        ),
        "json_wrong_value": error("", _("{text} should be {expected}.")),
        "json_unknown_field": warning("", _("{text} is not a field of a record and was ignored.")),
        "foreign_reader_missing": error(
            "",
            _(
                "This server cannot read {kind} files: the package gammonview is missing. Export the match as text."
            ),
        ),
        "foreign_not_understood": error(
            "",
            _(
                "This {kind} file is damaged, too large or of an unknown kind. Export the match as text instead."
            ),
        ),
    }
)
