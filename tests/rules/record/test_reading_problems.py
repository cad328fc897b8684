"""What is said of the parts of a text record that cannot be read, and that reading goes on behind them."""

import pytest

from rules.record.notes import MOST_NOTES
from rules.record.text.reader import LONGEST_LINE, MOST_GAMES, MOST_LINES, MOST_TAGS
from tests.rules.record.samples import codes, game_lines, record_of, text_of

ROLLS = "  1) 31: 8/5 6/5               42: 8/4 6/4"


@pytest.mark.parametrize(
    ("row", "code", "quoted", "actions"),
    [
        (
            "  1) 31: 8/x 6/5               42: 8/4 6/4",
            "play_not_understood",
            "8/x 6/5",
            ["L 31 unknown", "R 42 8/4 6/4"],
        ),
        (
            "  1) 31: 8/5 6/5               42: mumble",
            "play_not_understood",
            "mumble",
            ["L 31 8/5 6/5", "R 42 unknown"],
        ),
        ("  1) 71: 8/1 6/5               42: 8/4 6/4", "no_such_roll", "71", ["R 42 8/4 6/4"]),
        ("  1) 30: 8/5                   42: 8/4 6/4", "no_such_roll", "30", ["R 42 8/4 6/4"]),
        (
            "  1) hm 31: 8/5 6/5            42: 8/4 6/4",
            "cell_not_understood",
            "hm",
            ["L 31 8/5 6/5", "R 42 8/4 6/4"],
        ),
        ("  1) Takes 31: 8/5   42: 8/4", "cell_not_understood", "42: 8/4", ["L take", "R 31 8/5"]),
        ("  1) mumble", "cell_not_understood", "mumble", []),
        ("mumble", "line_not_understood", "mumble", []),
        ("Takes 31: 8/5   42: 8/4", "cell_not_understood", "42: 8/4", ["L take", "R 31 8/5"]),
        (
            "  1) 31: 8/5(2) what           42: 8/4",
            "play_not_understood",
            "8/5(2) what",
            ["L 31 unknown", "R 42 8/4"],
        ),
        ("so 31: 8/5", "line_not_understood", "so 31: 8/5", []),
    ],
)
def test_unreadable_text_is_quoted_with_its_line_and_game(row, code, quoted, actions):
    record = record_of(text_of(row))
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.game) == (code, 5, 1)
    assert quoted in problem.sentence
    assert game_lines(record.games[0]) == actions


def test_a_quotation_is_cut_short():
    (problem,) = record_of(text_of("z" * 200)).problems
    assert problem.params["text"] == "z" * 60


def test_a_row_that_is_missing_is_noticed_by_its_number():
    record = record_of(text_of(ROLLS, ROLLS.replace("1)", "3)"), ROLLS.replace("1)", "4)")))
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.game, problem.sentence) == (
        "row_missing",
        6,
        1,
        "Row 3 follows row 1: a row is missing, or the rows are in the wrong order.",
    )
    assert len(record.games[0].actions) == 6


def test_the_first_row_may_have_any_number():
    assert not record_of(text_of(ROLLS.replace("1)", "7)"))).problems


def test_a_game_that_is_missing_is_noticed_by_its_number():
    record = record_of(text_of(ROLLS) + " Game 3\n A : 1         B : 0\n")
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.game, problem.sentence) == (
        "game_missing",
        6,
        2,
        "Game 3 follows game 1: a game may be missing.",
    )


def test_a_game_without_a_number_is_no_gap():
    assert not record_of(
        text_of(ROLLS) + " Game\n A : 1         B : 0\n Game 9\n A : 1      B : 1\n"
    ).problems


def test_a_second_match_in_the_file_is_not_read():
    record = record_of(text_of(ROLLS) + text_of(ROLLS))
    (problem,) = record.problems
    assert (problem.code, problem.line) == ("second_match", 6)
    assert len(record.games) == 1


def test_the_heading_of_the_same_match_may_stand_above_each_of_its_games():
    text = text_of(ROLLS) + text_of(ROLLS).replace("Game 1", "Game 2")
    record = record_of(text)
    assert not record.problems
    assert len(record.games) == 2


def test_a_line_far_too_long_is_read_from_its_beginning():
    row = ROLLS + " " * LONGEST_LINE
    assert not record_of(text_of(row)).problems
    record = record_of(text_of(row + "x"))
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.game) == ("line_too_long", 5, 1)
    assert game_lines(record.games[0]) == ["L 31 8/5 6/5", "R 42 8/4 6/4"]


def test_a_file_of_more_lines_than_any_match_is_read_to_a_limit():
    text = text_of(ROLLS) + "\n" * MOST_LINES
    record = record_of(text)
    assert codes(record) == ["too_many_lines"]
    assert record.problems[0].line == MOST_LINES
    assert len(record.games[0].actions) == 2
    assert record.problems[0].params == {"lines": MOST_LINES}
    assert codes(record_of(text_of(ROLLS) + "\n" * (MOST_LINES - 6))) == []


def test_of_very_many_problems_the_first_are_named():
    record = record_of(text_of(*["mumble"] * (MOST_NOTES + 50)))
    assert codes(record) == ["line_not_understood"] * MOST_NOTES + ["more_not_understood"]
    assert str(MOST_NOTES) in record.problems[-1].sentence


def test_a_file_of_more_games_than_any_session_is_read_to_a_limit():
    record = record_of(" 5 point match\n" + " Game\n" * (MOST_GAMES + 5))
    assert codes(record) == ["too_many_games"]
    assert (record.problems[0].line, record.problems[0].params) == (MOST_GAMES + 2, {"games": MOST_GAMES})
    assert len(record.games) == MOST_GAMES


def test_names_and_numbers_above_the_first_game_are_no_game():
    record = record_of(" Rating A: 1500     Rating B: 1600\n" + text_of(ROLLS))
    assert len(record.games) == 1
    assert record.names == ("Ana", "Bo")


def test_of_very_many_headers_the_first_are_kept():
    record = record_of('; [A "b"]\n' * (MOST_TAGS + 5) + text_of())
    assert len(record.tags) == MOST_TAGS
