"""Text match records: headers, games, rows, columns, results; and what is said of what cannot be read."""

import pytest

from rules.record.model import Claim, Format, StatedRules
from rules.score import Side, Win
from tests.rules.record.samples import PLAIN, codes, game_lines, game_of, record_of, text_of


def test_a_whole_match_is_read():
    record = record_of(PLAIN)
    assert (record.format, record.length, record.names) == (Format.MAT, 3, ("Ana Left", "Bo Right"))
    assert record.tags == (("EventDate", "2026.04.01"),)
    assert not record.problems
    first, second = record.games
    assert (first.number, first.score, first.line, first.score_line) == (1, (0, 0), 5, 6)
    assert game_lines(first) == [
        "R 31 8/5 6/5",
        "L 52 13/8 24/22",
        "R 64 24/14",
        "L 66",
        "R double 2",
        "L take",
        "R 21 6/4* 4/3",
        "L 41 25/24 13/9",
        "R 55 13/3 13/3",
    ]
    assert first.claim == Claim(Side.LEFT, 2, is_last=False, line=12)
    assert (second.number, second.score) == (2, (2, 0))
    assert game_lines(second)[-2:] == ["L double 2", "R drop"]
    assert second.claim == Claim(Side.LEFT, 1, is_last=True, line=18)


def test_every_action_knows_its_line():
    assert [action.line for action in record_of(PLAIN).games[0].actions] == [7, 8, 8, 9, 9, 10, 10, 11, 11]


@pytest.mark.parametrize(
    ("line", "length"),
    [
        ("7 point match", 7),
        ("  11 point match  ", 11),
        ("9-point match", 9),
        ("5 points match", 5),
        ("5 pt match", 5),
        ("Match to 13", 13),
        ("Match length: 17", 17),
        ("0 point match", None),
        ("Money session", None),
        ("Unlimited match", None),
        ("16 POINT MATCH", 16),
    ],
)
def test_the_length_stands_above_the_games_and_none_is_stake_play(line, length):
    assert record_of(f"{line}\n\n Game 1\n A : 0     B : 0\n").length == length


def test_a_record_without_a_length_has_length_0_and_a_remark():
    record = record_of(" Game 1\n A : 0          B : 0\n  1) 31: 8/5 6/5\n")
    assert record.length == 0
    assert codes(record) == ["length_not_told"]


@pytest.mark.parametrize(
    ("line", "names", "score"),
    [
        (" Ana : 0                       Bo : 4", ("Ana", "Bo"), (0, 4)),
        ("Ana: 10               Bo: 0   ", ("Ana", "Bo"), (10, 0)),
        (" Ana : 0 Bo : 0", ("Ana", "Bo"), (0, 0)),
        (" Ana:0   Bo:3", ("Ana", "Bo"), (0, 3)),
        (" : 1                           Bo : 0", ("", "Bo"), (1, 0)),
        (" Ana : 1                       : 0", ("Ana", ""), (1, 0)),
        (" : 0             : 0", ("", ""), (0, 0)),
        (" Ana,1810 : 0          Bo, 1644.25 : 2", ("Ana", "Bo"), (0, 2)),
        (" Ana 2 : 0             Bo : Co : 2", ("Ana 2", "Bo : Co"), (0, 2)),
        (" A: 3 b : 0             C : 2", ("A: 3 b", "C"), (0, 2)),
        (" ;) : 0                [x] : 2", (";)", "[x]"), (0, 2)),
        (" Zoë : 0                Ďura Ünal : 2", ("Zoë", "Ďura Ünal"), (0, 2)),
        ("Ana : 0\t\t\tBo : 2", ("Ana", "Bo"), (0, 2)),
        (" 7 point match : 0      Game 3 : 2", ("7 point match", "Game 3"), (0, 2)),
    ],
)
def test_a_name_may_hold_anything(line, names, score):
    record = record_of(text_of("  1) 31: 8/5 6/5               42: 8/4 6/4", names=line))
    assert (record.names, record.games[0].score) == (names, score)
    assert game_lines(record.games[0]) == ["L 31 8/5 6/5", "R 42 8/4 6/4"]


def test_the_left_column_is_the_left_player_whatever_the_headers_say():
    record = record_of('; [Player 1 "Bo"]\n; [Player 2 "Ana"]\n' + text_of())
    assert record.names == ("Ana", "Bo")


def test_without_a_score_line_the_headers_name_the_players():
    record = record_of('; [Player 1 "Bo"]\n; [Player 2 "Ana"]\n 5 point match\n Game 1\n  1) 31: 8/5 6/5\n')
    assert record.names == ("Bo", "Ana")
    assert record.games[0].score is None
    assert record_of(" 5 point match\n Game 1\n  1) 31: 8/5 6/5\n").names == ("", "")


@pytest.mark.parametrize(
    ("row", "actions"),
    [
        ("  1) 31: 8/5 6/5               42: 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 31: 8/5 6/5 42: 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("1) 31: 8/5 6/5\t42: 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 66: 24/18*(2) 13/7(2) 42: 8/4 6/4", ["L 66 24/18* 24/18* 13/7 13/7", "R 42 8/4 6/4"]),
        ("  1. 31: 8/5 6/5               42: 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 3-1: 8/5 6/5             4 2: 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 31 : 8/5 6/5             42 : 8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 31:8/5 6/5               42:8/4 6/4", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 13: 8/5, 6/5             24: 8/4, 6/4", ["L 13 8/5 6/5", "R 24 8/4 6/4"]),
        ("  1) 31:                       42:", ["L 31", "R 42"]),
        ("  1) 31: 8/5 6/5 ?!            42: 8/4 6/4 (illegal)", ["L 31 8/5 6/5", "R 42 8/4 6/4"]),
        ("  1) 66: 13/7(2) 8/2(2) (!)    42: 8/4 6/4 ??", ["L 66 13/7 13/7 8/2 8/2", "R 42 8/4 6/4"]),
        ("  1) 31: Cannot Move           42: 8/4 6/4", ["L 31 pass", "R 42 8/4 6/4"]),
        ("  1) 31: can't move            42: No legal move", ["L 31 pass", "R 42 pass"]),
        ("  1) 31: Pass                  42: (no move)", ["L 31 pass", "R 42 pass"]),
        ("  1) 31: dances                42: ---", ["L 31 pass", "R 42 pass"]),
        ("  1) Doubles => 2              Takes", ["L double 2", "R take"]),
        ("  1)  Doubles ==> 2             Drops", ["L double 2", "R drop"]),
        ("  1) doubles to 2              accepts", ["L double 2", "R take"]),
        ("  1) DOUBLES =&gt; 2           REJECTS", ["L double 2", "R drop"]),
        ("  1) Doubles                   Passes", ["L double", "R drop"]),
        ("  1) Redoubles => 8            declines", ["L double 8", "R drop"]),
        ("  1) Takes                     31: 8/5 6/5", ["L take", "R 31 8/5 6/5"]),
        ("  1) Beavers => 4              Raccoons => 8", ["L beaver 4", "R beaver 8"]),
        ("  1) 31: 8/5 6/5               Doubles => 1024", ["L 31 8/5 6/5", "R double 1024"]),
        ("  1) 31: 8/5 6/5 Doubles => 2", ["L 31 8/5 6/5", "R double 2"]),
        ("  1) 31: 8/5 6/5               Resigns", ["L 31 8/5 6/5", "R resigns"]),
        ("  1) 31: 8/5 6/5               Concedes", ["L 31 8/5 6/5", "R resigns"]),
    ],
)
def test_a_row_is_cut_at_the_first_words_of_its_cells(row, actions):
    record = record_of(text_of(row))
    assert game_lines(record.games[0]) == actions
    assert not record.problems


@pytest.mark.parametrize(
    ("words", "win"),
    [
        ("Resigns", None),
        ("resigns single", Win.SINGLE),
        ("Resigns a gammon", Win.GAMMON),
        ("Resigns (Backgammon)", Win.BACKGAMMON),
    ],
)
def test_a_resignation_says_what_is_given_or_nothing(words, win):
    (action,) = game_of(f"  1) {words}").actions
    assert (action.side, action.win) == (Side.LEFT, win)


@pytest.mark.parametrize(
    ("row", "side"),
    [
        ("  1) 31: 8/5 6/5", "L"),
        ("  1)                             31: 8/5 6/5", "R"),
        ("  1)                31: 8/5 6/5", "R"),
        ("  1) 31: 8/5 6/5                             ", "L"),
        ("  1)  Doubles => 2", "L"),
        ("  1)                              Doubles => 2", "R"),
        ("  1)\t\t31: 8/5 6/5", "R"),
        ("  1)\t31: 8/5 6/5", "L"),
        ("  1) \t31: 8/5 6/5", "R"),
    ],
)
def test_one_cell_alone_goes_to_the_column_it_stands_in(row, side):
    assert game_lines(game_of(row))[0][0] == side


def test_a_very_long_name_does_not_push_the_columns():
    names = " " + "A" * 90 + " : 0    B : 0"
    assert game_lines(game_of("  1)                             31: 8/5 6/5", names=names)) == [
        "R 31 8/5 6/5"
    ]


@pytest.mark.parametrize("column", [16, 20, 40])
def test_columns_may_be_narrow_or_wide(column):
    game = game_of(
        "  1)".ljust(column) + "31: 8/5 6/5",
        "  2) 52:".ljust(column) + "64: 24/14",
        "  3) 41:",
        " ".ljust(column) + "Wins 1 point",
        names=" A : 0".ljust(column) + "B : 0",
    )
    assert [line[0] for line in game_lines(game)] == ["R", "L", "R", "L"]
    assert game.claim is not None
    assert game.claim.winner is Side.RIGHT


def test_without_a_score_line_a_wide_margin_is_an_empty_left_column():
    text = " 5 point match\n Game 1\n  1)         31: 8/5\n  2)       42: 8/4\n"
    assert game_lines(record_of(text).games[0]) == ["R 31 8/5", "L 42 8/4"]


def test_every_kind_of_cell_keeps_its_line():
    game = game_of(
        "  1) 31: Cannot Move             42: ???",
        "  2) 31: 8/5 ?!                  Doubles => 2",
        "  3) Takes                       31: Dances",
        "  4) 11: ?                       Resigns",
        "  5)                             21: 6/4 6/5",
    )
    assert [action.line for action in game.actions] == [5, 5, 6, 6, 7, 7, 8, 8, 9]


def test_names_that_nearly_touch_say_nothing_of_the_columns_below_them():
    game = game_of(
        "  1)                             31: 8/5 6/5",
        "  2) 52: 13/8 24/22              64: 24/14",
        "  3)  Doubles => 2",
        "      Wins 1 point",
        names=" Somebody_with_a_long_(NAME) : 0  Somebody_Else_(HERE) : 0",
    )
    assert [line[0] for line in game_lines(game)] == ["R", "L", "R", "L"]
    assert game.claim is not None
    assert game.claim.winner is Side.LEFT


def test_where_blanks_were_squeezed_out_one_cell_alone_goes_to_whose_turn_it_is():
    game = game_of(
        "1) 31: 8/5 6/5 42: 8/4 6/4",
        "2) Doubles => 2 Takes",
        "3) 61: 8/2 2/1 65:",
        "4) 61: 13/7",
        "5) 66:",
        names="Ana : 0 Bo : 0",
    )
    assert [line[0] for line in game_lines(game)] == ["L", "R", "L", "R", "L", "R", "L", "R"]


def test_after_one_tab_a_cell_alone_goes_to_whose_turn_it_is():
    game = game_of("1)\t31: 8/5 6/5", "2)\t42: 8/4 6/4", "3)\t43: 8/4 6/3")
    assert [line[0] for line in game_lines(game)] == ["L", "R", "L"]


def test_after_one_tab_the_right_player_began_if_the_left_one_acts_next():
    game = game_of("1)\t31: 8/5 6/5", "2) 42: 8/4 6/4\t43: 8/4 6/3", names="Ana : 0\tBo : 0")
    assert [line[0] for line in game_lines(game)] == ["R", "L", "R"]


def test_a_number_may_touch_the_dice():
    game = game_of("1)31: 8/5 6/5  42: 8/4 6/4", "2)61: 13/7 8/7  Doubles => 2", "3)Takes  52: 13/8 13/11")
    assert [line[0] for line in game_lines(game)] == ["L", "R", "L", "R", "L", "R"]


def test_empty_rows_add_nothing():
    record = record_of(text_of("  1) 31: 8/5 6/5", "  2) ", "  3)      "))
    assert game_lines(record.games[0]) == ["L 31 8/5 6/5"]
    assert not record.problems


@pytest.mark.parametrize(
    "line", ['; [Site "x"]', ';[Site "x"]', '[Site "x"]', '# [Site "x"]', ' ; [Site "x" ]']
)
def test_a_header_is_a_key_and_a_value(line):
    assert record_of(f"{line}\n{text_of()}").tags == (("Site", "x"),)


def test_remarks_in_the_file_are_passed_over():
    record = record_of(
        "; +-----+\n; | 11: 3/2 was illegal |\nhello\n" + text_of("; later", "  1) 31: 8/5 6/5")
    )
    assert game_lines(record.games[0]) == ["L 31 8/5 6/5"]
    assert not record.problems
    assert not record.tags


def test_the_headers_of_a_match_state_its_crawford_rule_only():
    headers = '; [Crawford "On"]\n; [Jacoby "On"]\n; [Beaver "On"]\n'
    assert record_of(headers + text_of()).stated == StatedRules(crawford=True)
    assert record_of('; [Crawford "off"]\n' + text_of()).stated == StatedRules(crawford=False)


def test_the_headers_of_stake_play_state_jacoby_and_beavers():
    game = " 0 point match\n Game 1\n A : 0         B : 0\n"
    headers = '; [Crawford "On"]\n; [Jacoby "On"]\n; [Beaver "Off"]\n'
    assert record_of(headers + game).stated == StatedRules(jacoby=True, beavers=0)
    assert record_of('; [Beaver "On"]\n' + game).stated == StatedRules(beavers=1)
    assert record_of('; [Beavers "No"]\n; [Jacoby "Yes"]\n' + game).stated == StatedRules(
        jacoby=True, beavers=0
    )
    assert record_of('; [Beavers "true"]\n; [Jacoby "false"]\n' + game).stated == StatedRules(
        jacoby=False, beavers=1
    )
    assert record_of('; [Jacoby "perhaps"]\n' + game).stated == StatedRules()


def test_another_game_than_backgammon_is_an_error():
    record = record_of('; [Variation "NackGammon"]\n' + text_of())
    assert codes(record) == ["other_variation"]
    assert "NackGammon" in record.problems[0].sentence
    assert not record_of('; [Variation "Backgammon"]\n' + text_of()).problems
    assert not record_of('; [Variation " standard "]\n' + text_of()).problems


def test_stake_play_that_a_site_writes_as_16_points_gets_a_remark():
    game = " 16 point match\n Game 1\n A : 0         B : 0\n"
    assert codes(record_of('; [Site "BackgammonGalaxy"]\n' + game)) == ["may_be_stake_play"]
    assert not record_of('; [Site "Elsewhere"]\n' + game).problems
