"""How the end of a game is written: who won, how much, and what is left open."""

import pytest

from rules.record.model import Claim
from rules.score import Side
from tests.rules.record.samples import codes, game_lines, game_of, record_of, text_of

ROLLS = "  1) 31: 8/5 6/5               42: 8/4 6/4"
RIGHT_COLUMN = " " * 33


@pytest.mark.parametrize(
    ("words", "points", "is_last"),
    [
        ("Wins 2 points", 2, False),
        ("Wins 1 point and the match", 1, True),
        ("wins 4 point", 4, False),
        ("Wins 1004 points and the match", 1004, True),
        ("Wins", None, False),
        ("Wins and the match", None, True),
        ("Wins the match", None, True),
    ],
)
def test_a_result_has_its_points_and_marks_the_last_game(words, points, is_last):
    assert game_of(ROLLS, f"      {words}").claim == Claim(Side.LEFT, points, is_last, 6)


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("      Wins 2 points", Side.LEFT),
        ("   Wins 2 points", Side.LEFT),
        (f"{RIGHT_COLUMN}Wins 2 points", Side.RIGHT),
        ("  2)  Wins 2 points", Side.LEFT),
        (f"  2){RIGHT_COLUMN}Wins 2 points", Side.RIGHT),
        ("  2)  Drops                       Wins 2 points", Side.RIGHT),
        ("  2)                              Drops  Wins 2 points", Side.LEFT),
        ("  2) 64: 24/14                   Wins 2 points", Side.RIGHT),
        ("  2)  Losses 2 points", Side.RIGHT),
        (f"  2){RIGHT_COLUMN}Losses 2 points", Side.LEFT),
        ("  2) 64: 24/14                  Losses 2 points", Side.LEFT),
        ("  2)  Losses 2 points             Wins 2 points", Side.RIGHT),
        ("  2)  Wins 2 points               Loses 2 points", Side.LEFT),
    ],
)
def test_the_winner_is_the_column_of_the_result(line, winner):
    claim = game_of(ROLLS, line).claim
    assert (claim.winner, claim.points) == (winner, 2)


@pytest.mark.parametrize(
    ("row", "resigns", "winner"),
    [
        ("  2) 32: Concedes      Wins 2 point", "L resigns", Side.RIGHT),
        ("  2) 32: Conceded      Wins 2 point", "L resigns", Side.RIGHT),
        ("  2) 32: 13/11 6/3 Concedes      Wins 2 point", "L resigns", Side.RIGHT),
        (f"  2){RIGHT_COLUMN}32: Concedes", "R resigns", Side.LEFT),
        ("  2) 32: 13/11 6/3            41: Concedes", "R resigns", Side.LEFT),
        ("  2) 32: 13/11 6/3            41: 24/23 13/9  Resigns", "R resigns", Side.LEFT),
        ("  2) 32:                      Concedes", "R resigns", Side.LEFT),
        ("  2) 32: 13/11 6/3            Concedes", "R resigns", Side.LEFT),
        ("  2) 32: 24/22 24/21 13/11 Resigns", "R resigns", Side.LEFT),
    ],
)
def test_a_player_gives_up_in_the_column_of_the_word(row, resigns, winner):
    result = (
        () if "Wins" in row else ("      Wins 2 points" if winner is Side.LEFT else f"{RIGHT_COLUMN}Wins 2",)
    )
    names = (
        " Ana : 0                   Bo : 0"
        if "13/11 Resigns" in row
        else " Ana : 0                       Bo : 0"
    )
    game = game_of(ROLLS, row, *result, names=names)
    assert game_lines(game)[-1] == resigns
    assert game.claim.winner is winner


def test_a_result_in_the_cell_of_a_roll_belongs_to_the_column_of_that_roll():
    assert game_of(ROLLS, "  2) 32: 13/11 Losses 2 points").claim.winner is Side.RIGHT


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        ("  2) 43: 21/18 18/14     2)  Losses 2 point     Wins 2 point and the match", Side.RIGHT),
        ("  2) 43: 21/18 18/14     3)  Losses 2 point     Wins 2 point and the match", Side.RIGHT),
        ("  2) 43: 21/18 18/14     3)                      Losses 2 point", Side.LEFT),
        ("  2) 43: 21/18 18/14     3)  Wins 2 point", Side.LEFT),
    ],
)
def test_two_rows_on_one_line_are_read_as_two(row, winner):
    record = record_of(text_of(ROLLS, row))
    assert game_lines(record.games[0])[2:] == ["L 43 21/18 18/14"]
    assert (record.games[0].claim.winner, record.games[0].claim.points) == (winner, 2)
    assert not record.problems


@pytest.mark.parametrize(
    ("row", "last_lines"),
    [
        ("  2) 31: 8/5 6/5                 ????", ["L 31 8/5 6/5", "R resigns"]),
        ("  2) ????", ["L resigns"]),
        ("  2) 00: ????", ["L resigns"]),
        ("  2) 31: 8/5 6/5              00: ????", ["L 31 8/5 6/5", "R resigns"]),
        (f"  2){RIGHT_COLUMN}????", ["R resigns"]),
        ("  2) Resigned Game", ["L resigns"]),
        ("  2) 31: 8/5 6/5              Resigned Game", ["L 31 8/5 6/5", "R resigns"]),
        ("Resigned Game", ["L resigns"]),
        ("Resigned Match", ["L resigns"]),
        ("  2) 31: 8/5 6/5\nResigned Game", ["L 31 8/5 6/5", "R resigns"]),
        ("  2) 31: 8/5 6/5              42:\nResigned Game", ["L 31 8/5 6/5", "R 42", "R resigns"]),
    ],
)
def test_every_word_for_giving_up_is_a_resignation(row, last_lines):
    record = record_of(text_of(ROLLS, row))
    assert game_lines(record.games[0])[2:] == last_lines
    assert not record.problems


def test_a_resignation_below_the_rows_was_made_by_the_player_who_did_not_win():
    record = record_of(text_of(ROLLS, "Resigned Game", "      Wins 1 point"))
    assert game_lines(record.games[0])[-1] == "R resigns"
    assert not record.problems


def test_question_marks_without_dice_in_mid_game_are_no_resignation():
    record = record_of(text_of(ROLLS, "  2) 31: 8/5 6/5                 ????", "  3) 64: 24/14"))
    assert game_lines(record.games[0])[2:] == ["L 31 8/5 6/5", "L 64 24/14"]


@pytest.mark.parametrize(
    ("tabs", "winner"), [("\t\t", Side.RIGHT), ("\t\t\t", Side.RIGHT), ("\t", Side.LEFT)]
)
def test_several_tabs_before_a_lone_result_are_the_right_column(tabs, winner):
    text = text_of(
        "1)\t31: 8/5 6/5\t42: 8/4 6/4", "2)\t31: 8/5 6/5", f"{tabs}Wins 1 point", names="Ana : 0\t\tBo : 0"
    )
    assert record_of(text).games[0].claim.winner is winner


def test_a_win_below_counts_more_than_a_loss_above_it():
    claim = game_of(ROLLS, f"  2){RIGHT_COLUMN}Losses 1 point", "", "      Wins 3 points and the match").claim
    assert (claim.winner, claim.points, claim.is_last, claim.line) == (Side.LEFT, 3, True, 8)


@pytest.mark.parametrize(
    ("last_row", "winner"),
    [
        ("  2) Doubles => 2              Drops", Side.LEFT),
        ("  2) 31: 8/5 6/5              Resigns", Side.LEFT),
        ("  2) Resigns", Side.RIGHT),
        ("  2) 31: 8/5 6/5", Side.LEFT),
        ("  2) 31: 8/5 6/5              42: 8/4 6/4", Side.RIGHT),
        ("  2) 31: 8/5 6/5              42: ????", Side.LEFT),
        ("  2) 31: 8/5 6/5              42:", Side.RIGHT),
    ],
)
def test_a_result_at_the_margin_goes_to_the_player_who_did_not_resign(last_row, winner):
    assert game_of(ROLLS, last_row, "Wins 1 point").claim.winner is winner


@pytest.mark.parametrize(("score", "winner"), [("2  B : 0", Side.LEFT), ("0  B : 2", Side.RIGHT)])
def test_a_result_at_the_very_margin_is_settled_by_the_next_score(score, winner):
    text = text_of(ROLLS, "  2) 31: 8/5 6/5", "Wins 2 points", "", " Game 2", f" A : {score}")
    assert record_of(text).games[0].claim.winner is winner


@pytest.mark.parametrize(
    ("before", "after", "winner"), [("5  B : 3", "6  B : 3", Side.LEFT), ("5  B : 3", "5  B : 4", Side.RIGHT)]
)
def test_one_point_more_in_the_next_score_is_enough(before, after, winner):
    names = f" A : {before}"
    rows = (
        ROLLS,
        "  2) 31: 8/5 6/5               42: 8/4" if winner is Side.LEFT else "  2) 31: 8/5",
        "Wins 1 point",
    )
    text = text_of(*rows, "", " Game 2", f" A : {after}", names=names)
    assert record_of(text).games[0].claim.winner is winner


@pytest.mark.parametrize("after", ["0  B : 0", "2  B : 2"])
def test_a_next_score_that_names_no_single_winner_settles_nothing(after):
    text = text_of(ROLLS, "Wins 2 points", "", " Game 2", f" A : {after}")
    assert record_of(text).games[0].claim.winner is Side.RIGHT


def test_a_second_result_at_the_margin_keeps_the_winner_of_the_first():
    claim = game_of(ROLLS, "      Wins 2 points", "Wins 2 points and the match").claim
    assert (claim.winner, claim.is_last) == (Side.LEFT, True)


def test_a_result_in_its_column_wins_over_the_next_score():
    text = text_of(ROLLS, "      Wins 2 points", "", " Game 2", " A : 0        B : 2")
    assert record_of(text).games[0].claim.winner is Side.LEFT


def test_points_that_somebody_concedes_are_a_result():
    game = game_of(ROLLS, "  2) Concedes 2 points")
    assert game_lines(game)[-1] == "L resigns"
    assert game.claim == Claim(Side.RIGHT, 2, is_last=False, line=6)


def test_a_game_without_a_result_claims_nothing():
    assert game_of(ROLLS).claim is None


def test_a_game_of_which_only_the_result_is_written_has_no_actions():
    game = game_of("      Wins 4 points")
    assert (game.actions, game.claim) == ((), Claim(Side.LEFT, 4, is_last=False, line=5))


@pytest.mark.parametrize("marks", ["????", "???", "??"])
def test_question_marks_after_the_last_roll_mean_that_nothing_was_played(marks):
    assert game_lines(game_of(ROLLS, f"  2) 53: {marks}                  Wins 4 points"))[-1] == "L 53"
    assert game_lines(game_of(ROLLS, f"  2) 53: {marks}                  Resigns"))[-2:] == [
        "L 53",
        "R resigns",
    ]


def test_question_marks_in_mid_game_leave_the_play_open():
    game = game_of(ROLLS, "  2) 53: ????                   42: 8/4 6/4")
    assert game_lines(game)[2:] == ["L 53 unknown", "R 42 8/4 6/4"]


def test_one_question_mark_leaves_the_play_open():
    record = record_of(text_of(ROLLS, "  2) 53: ?"))
    assert game_lines(record.games[0])[-1] == "L 53 unknown"
    assert not record.problems


def test_a_record_may_begin_in_mid_match_and_stop_in_mid_game():
    text = " 7 point match\n\n Game 6\n A : 3            B : 5\n" + ROLLS
    record = record_of(text)
    assert (record.games[0].number, record.games[0].score, record.games[0].claim) == (6, (3, 5), None)
    assert not record.problems


@pytest.mark.parametrize("heading", [" Game 2", "game 2:", "GAME 2", " Game #2", " Game no. 2"])
def test_every_game_has_its_heading(heading):
    text = text_of(ROLLS, "      Wins 1 point") + f"\n{heading}\n A : 1         B : 0\n{ROLLS}"
    record = record_of(text)
    assert [game.number for game in record.games] == [1, 2]
    assert [len(game.actions) for game in record.games] == [2, 2]
    assert not record.problems


def test_after_a_result_a_score_line_begins_a_game_of_its_own():
    text = text_of(ROLLS, "      Wins 1 point", " A : 1         B : 0", ROLLS)
    games = record_of(text).games
    assert [(game.number, game.score, len(game.actions)) for game in games] == [
        (1, (0, 0), 2),
        (None, (1, 0), 2),
    ]


def test_rows_without_any_heading_are_a_game():
    record = record_of(ROLLS)
    assert game_lines(record.games[0]) == ["L 31 8/5 6/5", "R 42 8/4 6/4"]
    assert codes(record) == ["length_not_told"]
