"""A game turn by turn for drawing: rows as printed, positions, dice, cube, actions."""

from rules.board.ids import position_id
from rules.board.moves import Move
from rules.board.position import Position
from rules.judge import judge, turns, turns_with_problems
from rules.record.model import Format, Record, RecordedGame, Resignation, Roll
from rules.record.reading import read
from rules.ruleset import Ruleset
from rules.score import Score, Side, Win
from tests.rules.judge.texts import text

ROWS = [
    "31: 8/5 6/5 | 62: 24/18 13/11",
    "Doubles => 2 | Takes",
    "64: 24/14 | Doubles => 4",
    "Drops |",
]
WRITTEN = text((ROWS, "right", "Wins 2 points"), length=5)


def drawn_turns(written=WRITTEN, game=1, **fields):
    return turns(read(written.encode()), Ruleset(**fields), game)


def test_every_turn_of_the_game_has_its_row_side_and_step():
    steps = [(turn.move, turn.side.value, turn.step) for turn in drawn_turns()]
    assert steps == [
        (1, "left", "roll"),
        (1, "right", "roll"),
        (2, "left", "double"),
        (2, "right", "take"),
        (3, "left", "roll"),
        (3, "right", "double"),
        (4, "left", "drop"),
    ]
    assert {turn.game for turn in drawn_turns()} == {1}


def test_every_turn_knows_the_score_its_game_began_at():
    assert {turn.score for turn in drawn_turns()} == {Score.start(5, Ruleset())}


def test_a_row_begins_with_the_right_column_where_the_right_player_starts():
    written = text((["| 31: 8/5 6/5", "62: 24/18 13/11 | 31: 6/5 6/3"], "left", "Wins 1 point"))
    assert [(turn.move, turn.side.value) for turn in drawn_turns(written)] == [
        (1, "right"),
        (2, "left"),
        (2, "right"),
    ]


def test_each_turn_shows_the_board_before_it_as_its_player_sees_it():
    first, second, *_ = drawn_turns()
    assert first.position == Position.start()
    assert position_id(first.position) == "4HPwATDgc/ABMA"
    assert second.position.theirs[5] == 2
    assert second.position.mine == Position.start().mine


def test_the_cube_is_shown_as_it_stood_before_the_turn():
    assert [(turn.cube, turn.owner) for turn in drawn_turns()] == [
        (1, None),
        (1, None),
        (1, None),
        (1, None),
        (2, Side.RIGHT),
        (2, Side.RIGHT),
        (2, Side.RIGHT),
    ]


def test_a_play_is_shown_die_by_die_with_its_hits():
    rows = ["31: 24/23 13/10 | 63: 24/15"]
    turns = drawn_turns(text((rows, "left", "Wins 1 point")))
    assert turns[1].dice == (6, 3)
    assert turns[1].play == (Move(24, 18), Move(18, 15, hits=True))
    assert turns[0].play == (Move(24, 23), Move(13, 10))


def test_an_illegal_play_is_shown_as_it_was_written_with_its_problem():
    rows = ["31: 8/5 6/5 | 62: 24/18 8/7", "31: 6/5 6/3 |"]
    turns = drawn_turns(text((rows, "left", "Wins 1 point")))
    assert turns[1].play == (Move(24, 18), Move(8, 7))
    assert [problem.code for problem in turns[1].problems] == ["other_dice"]
    assert turns[0].problems == turns[2].problems == ()
    assert turns[1].line == turns[1].problems[0].line


def test_a_pass_that_shows_only_later_belongs_to_its_own_turn():
    turns = drawn_turns(text((["31: 8/5 6/5 | 62:", "31: 6/5 6/3 |"], "left", "Wins 1 point")))
    assert [problem.code for problem in turns[1].problems] == ["passed_with_a_legal_play"]
    assert turns[1].play == ()


def test_there_is_nothing_to_draw_of_a_game_that_is_not_there():
    assert drawn_turns(game=2) == ()
    assert drawn_turns(game=0) == ()


def test_each_game_is_drawn_separately():
    written = text((ROWS[:1], "left", "Wins 1 point"), (ROWS, "right", "Wins 2 points"))
    assert len(drawn_turns(written, game=1)) == 2
    assert {turn.game for turn in drawn_turns(written, game=2)} == {2}


def test_a_resignation_is_a_turn_of_its_own():
    actions = (Roll(Side.LEFT, (3, 1), (Move(8, 5), Move(6, 5)), 4), Resignation(Side.RIGHT, Win.GAMMON, 5))
    record = Record(Format.JSON, 5, entries=(RecordedGame(actions=actions),))
    last = turns(record, Ruleset(), 1)[-1]
    assert (last.step, last.side, last.dice, last.play, last.line) == ("resign", Side.RIGHT, None, None, 5)
    assert judge(record, Ruleset()).score.left == 2


def test_the_posted_length_decides_what_may_be_doubled():
    record = read(WRITTEN.encode())
    assert not any(turn.problems for turn in turns(record, Ruleset(), 1))
    assert any(turn.problems for turn in turns(record, Ruleset(), 1, length=1))


def test_a_game_set_up_from_another_position_is_followed_from_there():
    bare = Position(bytes([0, 2, *[0] * 24]), bytes([0, 1, *[0] * 24]))
    actions = (Roll(Side.RIGHT, (2, 1), (Move(1, 0), Move(1, 0)), 0),)
    record = Record(Format.SGF, 1, entries=(RecordedGame(actions=actions, start=bare, first=Side.RIGHT),))
    verdict = judge(record, Ruleset())
    assert verdict.problems == ()
    assert (verdict.score.left, verdict.score.right) == (0, 1)
    assert turns(record, Ruleset(), 1)[0].position == bare
    wrong_side = Record(Format.SGF, 1, entries=(RecordedGame(actions=actions, start=bare, first=Side.LEFT),))
    assert "out_of_turn" in [problem.code for problem in judge(wrong_side, Ruleset()).problems]


def test_turns_with_problems_are_a_selection_of_all_turns():
    wrong = (["31: 24/18 8/7 | 62: 24/18 13/11", "64: 24/14 | 31: 8/5 8/5"], "left", "Wins 1 point")
    record = read(text(wrong, wrong, wrong).encode())
    all_turns = [turn for game in (1, 3) for turn in drawn_turns(text(wrong, wrong, wrong), game)]
    with_problems = turns_with_problems(record, Ruleset(), (1, 3))
    assert with_problems == tuple(turn for turn in all_turns if turn.problems)
    assert {turn.game for turn in with_problems} == {1, 3}


def test_each_problem_of_a_format_without_lines_has_its_stage():
    actions = (
        Roll(Side.LEFT, (3, 1), (Move(8, 5), Move(6, 4)), None),
        Roll(Side.RIGHT, (6, 2), (Move(24, 18), Move(13, 10)), None),
    )
    record = Record(Format.XG, 5, entries=(RecordedGame(actions=actions),))
    placed = [problem for problem in judge(record, Ruleset()).problems if problem.move]
    turn_by_place = {turn.place: turn for turn in turns_with_problems(record, Ruleset(), (1,))}
    assert [turn_by_place[problem.place].dice for problem in placed] == [(3, 1), (6, 2)]
    assert [turn_by_place[problem.place].side for problem in placed] == [Side.LEFT, Side.RIGHT]


def test_nothing_is_judged_again_where_nothing_is_wrong():
    unreadable = object()
    assert turns_with_problems(unreadable, Ruleset(), ()) == ()
