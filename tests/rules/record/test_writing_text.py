"""Records written as text: the layout that other programs expect, and the same record when read again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.moves import Move
from rules.record.model import (
    Claim,
    CubeAction,
    CubeStep,
    Format,
    Record,
    RecordedGame,
    Resignation,
    Roll,
)
from rules.record.reading import read
from rules.record.writing import FormatNotWritable, write
from rules.score import Ending, Game, Penalty, Side, Win
from tests.rules.record.samples import PLAIN, record_of, without_lines

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def written(
    *games: RecordedGame | Penalty, length: int | None = 7, names: tuple[str, str] = ("Ana", "Bo")
) -> str:
    return write(Record(Format.MAT, length, names, games), Format.MAT)


def read_again(text: str) -> Record:
    return read(text.encode())


def test_the_layout_is_the_one_that_programs_expect():
    actions = (
        Roll(RIGHT, (3, 1), (Move(8, 5), Move(6, 5)), None),
        Roll(LEFT, (6, 6), (), 0, says_pass=True),
        CubeAction(RIGHT, CubeStep.DOUBLE, 2, None),
        CubeAction(LEFT, CubeStep.BEAVER, 4, None),
        Roll(RIGHT, (2, 1), (Move(25, 24, hits=True), Move(24, 22)), None),
        Roll(LEFT, (5, 5), (Move(6, 1), Move(6, 1), Move(5, 0), Move(5, 0)), None),
        Resignation(RIGHT, Win.GAMMON, None),
    )
    game = RecordedGame(1, (0, 5), actions, Claim(LEFT, 8, is_last=True, line=None))
    record = Record(Format.SGF, 7, ("Ana", "Bo"), (game,), tags=(("Event", "Spring"),))
    assert write(record, Format.MAT).splitlines() == [
        '; [Event "Spring"]',
        "",
        " 7 point match",
        "",
        " Game 1",
        " Ana : 0                         Bo : 5",
        "  1)                             31: 8/5 6/5",
        "  2) 66: Cannot Move              Doubles => 2",
        "  3)  Beavers => 4               21: 25/24* 24/22",
        "  4) 55: 6/1 6/1 5/0 5/0          Resigns gammon",
        "      Wins 8 points and the match",
    ]


def test_stake_play_is_a_match_to_0_and_an_unknown_length_is_not_written():
    assert " 0 point match\n" in written(length=None)
    assert "point match" not in written(length=0)


def test_the_winner_in_the_right_column_is_written_there():
    text = written(RecordedGame(1, (0, 0), (), Claim(RIGHT, 1, is_last=False, line=None)))
    assert text.splitlines()[-1] == " " * 34 + "Wins 1 point"


def test_without_any_score_line_the_names_are_headers():
    text = written(RecordedGame(1))
    assert text.startswith('; [Player 1 "Ana"]\n; [Player 2 "Bo"]\n')
    assert read_again(text).names == ("Ana", "Bo")


@pytest.mark.parametrize("length", [25, 26, 27, 90])
def test_a_long_name_moves_the_right_column(length):
    game = RecordedGame(1, (0, 0), (Roll(RIGHT, (3, 1), (), None),))
    lines = written(game, names=("A" * length, "Bo")).splitlines()
    assert lines[-1].index("31:") == lines[-2].index("Bo") == max(33, length + 9)


def test_a_name_with_nothing_to_say_leaves_no_trace():
    assert written(RecordedGame(), names=("", "")).splitlines() == ["", " 7 point match", "", " Game"]


def test_a_claim_without_points_adds_nothing_to_a_running_score():
    text = written(
        RecordedGame(1, claim=Claim(LEFT, None, is_last=False, line=None)),
        RecordedGame(2, result=Game(RIGHT, Win.GAMMON, Ending.DROPPED, cube=4)),
        RecordedGame(3),
        RecordedGame(4, result=Game(LEFT)),
        RecordedGame(5),
    )
    games = read_again(text).games
    assert [game.score for game in games] == [(0, 0), (0, 0), (0, 4), (0, 4), (1, 4)]


def test_headers_stay_on_their_line():
    record = Record(Format.JSON, 7, ("", ""), (), tags=(("Ev]ent", 'a "b"\r\n 9 point match'),))
    assert write(record, Format.MAT).splitlines()[0] == """; [Ev'ent "a 'b' 9 point match"]"""


def test_a_name_stays_on_its_line():
    text = written(RecordedGame(1, (0, 3)), names=("A\n Game 2", "  B\tC "))
    assert read_again(text).names == ("A Game 2", "B C")


def test_a_score_card_becomes_results_under_a_running_score():
    text = written(
        RecordedGame(1, result=Game(LEFT, Win.GAMMON, cube=2)),
        Penalty(LEFT, 2),
        RecordedGame(2, result=Game(RIGHT, ending=Ending.DROPPED, cube=2)),
        RecordedGame(3, result=Game(RIGHT, checkers_left=9)),
        RecordedGame(4, result=Game(LEFT, Win.BACKGAMMON)),
    )
    assert "; Ana: 2 penalty points against\n" in text
    games = read_again(text).games
    assert [game.score for game in games] == [(0, 0), (4, 2), (4, 4), (4, 13)]
    assert [(game.claim.winner, game.claim.points) for game in games] == [
        (LEFT, 4),
        (RIGHT, 2),
        (RIGHT, 9),
        (LEFT, 3),
    ]


def test_the_same_door_writes_our_own_json():
    record = record_of(PLAIN)
    again = read_again(write(record, Format.JSON))
    assert again.format is Format.JSON
    assert [without_lines(game) for game in again.games] == [without_lines(game) for game in record.games]


def test_a_format_that_is_only_read_is_not_written():
    with pytest.raises(FormatNotWritable, match="xg"):
        write(Record(Format.XG, 7), Format.XG)


def test_a_record_survives_writing_and_reading():
    record = record_of(PLAIN)
    again = read_again(write(record, Format.MAT))
    assert [without_lines(game) for game in again.games] == [without_lines(game) for game in record.games]
    assert replace(again, entries=()) == replace(record, entries=())


sides = st.sampled_from(Side)
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
moves = st.builds(Move, st.integers(1, 25), st.integers(0, 24), st.booleans())
plays = st.lists(moves, max_size=6).map(tuple)
values = st.none() | st.integers(0, 99_999)
actions = st.one_of(
    st.builds(Roll, sides, dice, plays | st.none(), st.none(), st.just(value=False)),
    st.builds(Roll, sides, dice, st.just(()), st.none(), st.just(value=True)),
    st.builds(CubeAction, sides, st.sampled_from(CubeStep), values, st.none()),
    st.builds(Resignation, sides, st.none() | st.sampled_from(Win), st.none()),
)
claims = st.builds(Claim, sides, values, st.booleans(), st.none())
games = st.builds(
    RecordedGame,
    number=st.none() | st.integers(0, 999),
    score=st.none() | st.tuples(st.integers(0, 999), st.integers(0, 999)),
    actions=st.lists(actions, max_size=12).map(tuple),
    claim=st.none() | claims,
)
names = st.text(max_size=40)
lengths = st.none() | st.integers(1, 99)


@given(st.lists(games, min_size=1, max_size=4), lengths, st.tuples(names, names))
def test_any_record_written_and_read_is_the_same_record(entries, length, players):
    text = written(*entries, length=length, names=players)
    again = read_again(text)
    assert again.length == length
    assert [without_lines(game) for game in again.games] == entries
