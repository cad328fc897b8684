"""The board in a terminal: all checkers and the captions beside it."""

from hypothesis import given

from rules.board.position import Position
from rules.ruleset import Ruleset
from rules.score import Score, Side
from rules.textboard import draw
from tests.rules.board.positions import positions
from tests.rules.board.test_plays import side

START = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O Bea: 167 pips, 0 off
 | X           O    |   | O              X |  4 of 7 points
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
 |                  |BAR|                  |  cube 1, centred
 | O                |   | X                |  X rolls 31
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |  2 of 7 points
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X Anna: 167 pips, 0 off"""


def test_the_opening_position_looks_as_every_player_knows_it():
    score = Score.at(2, 4, 7, Ruleset())
    board = draw(Position.start(), on_roll=Side.LEFT, names=("Anna", "Bea"), dice=(3, 1), score=score)
    assert board == START


CROWDED = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+  O Twelve chars: 161 pips, 0 off
 | X                | O |          O     O |
 | X                | O |                O |
 |                  | O |                O |
 |                  | O |                O |
 |                  | 6 |                8 |
 |                  |BAR|                  |  cube 128, owned by X
 |                  |   |    6             |  X on roll
 |                  |   | X  X             |
 |                  |   | X  X             |
 |                  | X | X  X             |
 |                  | X | X  X             |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+  X Thirteen c..: 130 pips, 1 off"""


def test_high_stacks_the_bar_and_borne_off_checkers_are_numbers():
    position = Position(side(p6=4, p5=6, p13=2, bar=2), side(p1=8, p3=1, bar=6))
    names = ("Twelve chars", "Thirteen char")
    board = draw(position, on_roll=Side.RIGHT, names=names, cube=128, owner=Side.RIGHT)
    assert board == CROWDED
    given_back = draw(position, on_roll=Side.RIGHT, cube=128, owner=Side.LEFT)
    assert given_back.splitlines()[6].endswith("|  cube 128, owned by O")


def test_every_line_is_as_long_as_the_edges_above_and_below():
    board = draw(Position.start(), on_roll=Side.LEFT).splitlines()
    assert {line[43] for line in board} == {"+", "|"}
    assert [line[26:27] for line in board[:2]] == ["9", "O"]


def test_the_score_says_where_it_is_a_crawford_game():
    rules = Ruleset()
    crawford = draw(Position.start(), on_roll=Side.RIGHT, score=Score.at(6, 3, 7, rules))
    assert crawford.splitlines()[1].endswith("  6 of 7 points, Crawford game")
    assert crawford.splitlines()[11].endswith("  3 of 7 points, Crawford game")
    stake = draw(Position.start(), on_roll=Side.LEFT, score=Score.at(6, 3, None, rules))
    assert stake.splitlines()[11].endswith("  6 points")
    assert "points" not in draw(Position.start(), on_roll=Side.LEFT)


def test_the_player_on_roll_plays_x():
    board = draw(Position.start(), on_roll=Side.RIGHT, names=("Anna", "Bea"))
    assert "X Bea" in board
    assert "  X on roll" in board
    assert "O Anna" in board


def test_a_high_stack_the_bar_and_borne_off_checkers_show_their_counts():
    board = draw(Position(side(p6=7, bar=2), side(p1=3)), on_roll=Side.LEFT, cube=4, owner=Side.RIGHT)
    assert " 7 " in board
    assert "| X |" in board
    assert "6 off" in board
    assert "12 off" in board
    assert "cube 4, owned by O" in board


LONG = {
    "names": ("N" * 60, "M" * 60),
    "dice": (6, 6),
    "cube": 2**20,
    "owner": Side.RIGHT,
    "score": Score.at(998, 997, 999, Ruleset()),
}


@given(positions())
def test_no_board_is_wider_than_a_terminal_and_every_small_stack_is_drawn(position):
    board = draw(position, on_roll=Side.LEFT, **LONG)
    assert max(map(len, board.splitlines())) <= 80
    drawn = "".join(line[:44] for line in board.splitlines() if line.startswith(" |"))
    expected = sum(count if count <= 5 else 4 for count in position.mine)
    assert drawn.count("X") == expected
