"""Problems that a reader of records finds before the record is judged."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence, error, remark, warning

RECORD: Mapping[str, Sentence] = MappingProxyType(
    {
        "nothing_to_read": error("", "There is nothing in this file. Export the match again and send that."),
        "not_a_record": error(
            "",
            "This is no record of a match that can be read. Send the .mat, .txt, .sgf, .xg or .bgf file of it.",
        ),
        "file_too_large": error("", "The file is larger than {megabytes} MB, which no record of a match is."),
        "too_many_lines": error("", "The record has more than {lines} lines; the rest was not read."),
        "too_many_games": error("", "The record has more than {games} games; the rest were not read."),
        "line_too_long": warning("", "This line is too long for a record; only its beginning was read."),
        "line_not_understood": warning("", "“{text}” is no line of a record; it was left out."),
        "cell_not_understood": error("", "“{text}” cannot be read as a roll, a cube action or a result."),
        "play_not_understood": error("", "The play “{text}” cannot be read."),
        "no_such_roll": error("", "“{dice}” is no roll of two dice."),
        "row_missing": warning(
            "", "Row {number} follows row {last}: a row is missing, or the rows are in the wrong order."
        ),
        "game_missing": remark("", "Game {number} follows game {last}: a game may be missing."),
        "length_not_told": remark("", "The record does not tell how long the match is."),
        "second_match": warning("", "A second match begins here; it was not read. Send it as its own file."),
        "other_variation": error("", "This is a record of {variation}, not of backgammon."),
        "may_be_stake_play": remark(
            "", "This site writes stake play as a match to {length}; it may have been no match."
        ),
        "more_not_understood": error(
            "", "More than {count} lines cannot be read; the rest are not named here."
        ),
        "too_many_rolls": error("", "The record has more than {rolls} rolls; the rest was not read."),
        "file_cut_off": warning(
            "", "The file ends in the middle of a game. If more was played, export the match again."
        ),
        "board_set_by_hand": warning(
            "",
            "The checkers were set up by hand here; this game cannot be followed on the board any further.",
        ),
        "cube_set_by_hand": warning(
            "", "The cube was set by hand here. Check the cube of this game against the players' word."
        ),
        "impossible_start": error(
            "SET-1", "The position that this game begins from is impossible; it was read as the usual one."
        ),
        "json_too_large": error("", "This JSON holds far more than a match. Send the record of one match."),
        "json_not_understood": error("", "This is no JSON from this line on. Export the record again."),
        "json_wrong_value": error("", "{text} should be {expected}."),
        "json_unknown_field": warning("", "{text} is no field of a record; it was left out."),
        "foreign_reader_missing": error(
            "",
            "Reading {kind} files needs the package gammonview installed here. Export the match as text instead.",
        ),
        "foreign_not_understood": error(
            "",
            "This {kind} file is damaged, too large or of an unknown kind. Export the match as text instead.",
        ),
    }
)
