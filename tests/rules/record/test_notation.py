"""Plays as people and programs write them, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.moves import Move
from rules.board.notation import format_play, parse_play


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("24/18 13/11", [(24, 18), (13, 11)]),
        ("8/5 6/5", [(8, 5), (6, 5)]),
        ("  8/5   6/5 ", [(8, 5), (6, 5)]),
        ("24/15", [(24, 15)]),
        ("bar/20 6/off", [(25, 20), (6, 0)]),
        ("Bar/22 2/Off", [(25, 22), (2, 0)]),
        ("BAR/22 2/OFF", [(25, 22), (2, 0)]),
        ("B/22 2/o", [(25, 22), (2, 0)]),
        ("25/22 2/0", [(25, 22), (2, 0)]),
        ("24/20/15", [(24, 20), (20, 15)]),
        ("bar/20/14/off", [(25, 20), (20, 14), (14, 0)]),
        ("24-18 13-11", [(24, 18), (13, 11)]),
        ("bar-20, 6-off", [(25, 20), (6, 0)]),
        ("24/18, 13/11", [(24, 18), (13, 11)]),
        ("24/18;13/11", [(24, 18), (13, 11)]),
        ("24 / 18 13 /11", [(24, 18), (13, 11)]),
        ("13/7(2)", [(13, 7), (13, 7)]),
        ("13/7 (2) 8/2", [(13, 7), (13, 7), (8, 2)]),
        ("24/18/12(2)", [(24, 18), (18, 12), (24, 18), (18, 12)]),
        ("1/off(4)", [(1, 0)] * 4),
        ("6/8", [(6, 8)]),
        ("", []),
        ("   ", []),
    ],
)
def test_a_play_is_read_as_its_moves(text, moves):
    assert parse_play(text) == tuple(Move(*move) for move in moves)


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("24/18*/13", [True, False]),
        ("24/18/13*", [False, True]),
        ("24/18*/13*", [True, True]),
        ("24/18 13/11*", [False, True]),
        ("6/2*(2)", [True, True]),
        ("6/2(2)*", [True, True]),
        ("13/7 * 8/2", [True, False]),
        ("13 /7* 8/2", [True, False]),
        ("13/7,8 /2*", [False, True]),
    ],
)
def test_a_star_marks_the_landing_it_follows(text, hits):
    assert [move.hits for move in parse_play(text)] == hits


@pytest.mark.parametrize(
    "text",
    [
        "Cannot Move",
        "????",
        "24",
        "24/",
        "/18",
        "26/20",
        "0/5",
        "off/5",
        "6/off/3",
        "6/bar",
        "6/25",
        "99/98",
        "24/18 what",
        "24/18 13/x",
        "13/7(0)",
        "13/7(22)",
        "24//18",
        "*",
        "(2)",
    ],
)
def test_text_that_is_no_play_is_not_read(text):
    assert parse_play(text) is None


def test_a_text_far_too_long_for_a_play_is_not_read():
    assert parse_play("1/0" + " " * 197) == (Move(1, 0),)
    assert parse_play("1/0" + " " * 198) is None


def test_a_play_of_more_moves_than_any_roll_allows_is_still_read_up_to_a_limit():
    assert len(parse_play("1/0 " * 16)) == 16
    assert parse_play("1/0 " * 17) is None
    assert len(parse_play("1/0, " * 16)) == 16
    assert parse_play("1/0, " * 17) is None


def test_equal_moves_that_follow_each_other_are_counted():
    play = (Move(25, 20), Move(13, 7, hits=True), Move(13, 7, hits=True), Move(6, 0), Move(13, 7))
    assert format_play(play) == "bar/20 13/7*(2) 6/off 13/7"


def test_no_moves_are_written_as_nothing():
    assert format_play(()) == ""


moves = st.builds(Move, st.integers(1, 25), st.integers(0, 24), st.booleans())


@given(st.lists(moves, max_size=9))
def test_a_play_written_and_read_is_the_same_play(play):
    assert parse_play(format_play(tuple(play))) == tuple(play)


@given(st.text(alphabet="0123456789/*()- ,;barofBAROF?", max_size=60))
def test_no_text_breaks_the_reading_of_a_play(text):
    play = parse_play(text)
    assert play is None or all(1 <= move.start <= 25 and 0 <= move.end <= 24 for move in play)
