"""Snowie's own text, a position a line: what was played is inferred from one line to the next."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.ids import position_id
from rules.board.notation import parse_play
from rules.board.position import Position
from rules.judge import Turn, judge, turns
from rules.record import snowie
from rules.record.model import Claim, CubeAction, CubeStep, Format, Record, Roll, StatedRules
from rules.record.sgf import read_sgf
from rules.record.snowie import looks_like_snowie, read_snowie
from rules.ruleset import PRESETS, Ruleset
from rules.score import Side
from tests.rules.record.samples import codes

LEFT, RIGHT = Side.LEFT, Side.RIGHT
FILES = sorted((Path(__file__).parents[1] / "data" / "sgf").glob("*.sgf"))
RULES = replace(PRESETS["standard"], automatic_doubles=1)
START = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
OPENING = f"7;0;0;0;0;Ann;Bob;0;2;1;1;0;{START};3;1;"


def line(stage: Turn, score: tuple[int, int], record: Record, crawford: int = 0) -> str:
    """The stage as Snowie writes it; the names are Ann and Bob."""
    turn = int(stage.side is RIGHT)
    names, points = ("Ann", "Bob"), score
    if turn:
        names, points = names[::-1], points[::-1]
    owner = 0 if stage.owner is None else 1 if stage.owner is stage.side else -1
    mine, theirs = stage.position
    board = [mine[point] or -theirs[25 - point] for point in range(1, 25)]
    fields = [record.length or 0, 0, 0, 0, turn, *names, crawford, *points, stage.cube, owner]
    return ";".join(map(str, [*fields, mine[25], *board, -theirs[25], *(stage.dice or (0, 0))])) + ";"


def lines(record: Record, ruleset: Ruleset) -> Iterator[str]:
    for number, judged in enumerate(judge(record, ruleset).games, 1):
        for stage in turns(record, ruleset, number):
            if stage.dice:
                yield line(stage, (judged.before.left, judged.before.right), record, int(judged.is_crawford))


def rolls(record: Record) -> list[tuple[Side, tuple[int, int]]]:
    return [
        (action.side, action.dice)
        for game in record.games
        for action in game.actions
        if isinstance(action, Roll)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_match_kept_as_positions_is_the_match_kept_as_plays(path: Path) -> None:
    record = read_sgf(path.read_text(encoding="utf-8"))
    read = read_snowie("\n".join(lines(record, RULES)))
    assert rolls(read) == rolls(record)
    for number in range(1, len(record.games) + 1):
        assert [position_id(turn.position) for turn in turns(read, RULES, number) if turn.dice] == [
            position_id(turn.position) for turn in turns(record, RULES, number) if turn.dice
        ]
    played, expected = judge(read, RULES), judge(record, RULES)
    assert [game.before for game in played.games[1:]] == [game.before for game in expected.games[1:]]
    assert {problem.code for problem in played.problems} <= {"game_without_end", "match_not_finished"}


def test_the_side_on_roll_comes_first_on_a_line() -> None:
    record = read_snowie(OPENING.replace(";0;Ann;Bob;0;2;1;", ";1;Bob;Ann;0;1;2;"))
    assert (record.names, record.games[0].score) == (("Ann", "Bob"), (2, 1))
    assert record.games[0].actions == (Roll(RIGHT, (3, 1), (), 1),)


def test_the_usual_position_is_where_a_game_begins() -> None:
    game = read_snowie(OPENING).games[0]
    assert (game.start, game.first, game.line) == (None, None, 1)


def test_one_position_alone_is_a_game_that_begins_there() -> None:
    bare = "2;0;0;0;0;0;0;" + "0;" * 17 + "-1;-1"
    text = f"5;0;0;0;0;Ann;Bob;0;0;0;1;0;{bare};6;5"
    game = read_snowie(text).games[0]
    assert game.first is LEFT
    assert game.start is not None
    assert game.start.off == (13, 13)
    assert game.start.mine[25] == 2


def test_a_hit_on_the_way_is_a_stop_on_the_way() -> None:
    mine, theirs = bytearray(26), bytearray(26)
    mine[24], theirs[7], theirs[1] = 1, 1, 1
    before = Position(bytes(mine), bytes(theirs))
    record = Record(Format.SGF, 5)
    first = Turn(1, 1, LEFT, before, (6, 5), (), 1, None, "roll", 1)
    mine[24], mine[13], theirs[7], theirs[25] = 0, 1, 0, 1
    after = Position(bytes(theirs), bytes(mine))
    second = Turn(1, 1, RIGHT, after, (2, 1), (), 1, None, "roll", 2)
    text = "\n".join(line(stage, (0, 0), record) for stage in (first, second))
    assert read_snowie(text).games[0].actions[0] == Roll(LEFT, (6, 5), parse_play("24/18*/13"), 1)


def test_a_cube_that_was_turned_between_two_lines_was_doubled_and_taken() -> None:
    text = (
        OPENING
        + "\n"
        + OPENING.replace(";1;0;0;-2", ";2;1;0;-2").replace("0;Ann;Bob;0;2;1", "1;Bob;Ann;0;1;2")
    )
    roll, double, take, _ = read_snowie(text).games[0].actions
    assert isinstance(roll, Roll)
    assert double == CubeAction(LEFT, CubeStep.DOUBLE, 2, 2)
    assert take == CubeAction(RIGHT, CubeStep.TAKE, None, 2)


def test_the_next_score_gives_the_winner_and_the_points() -> None:
    text = OPENING + "\n" + OPENING.replace("0;2;1;1", "0;2;3;1")
    first, second = read_snowie(text).games
    assert first.claim == Claim(RIGHT, 2, is_last=False, line=2)
    assert second.claim is None
    score = judge(read_snowie(text), RULES).score
    assert (score.left, score.right) == (2, 3)


def test_a_score_that_grew_on_both_sides_gives_no_claim() -> None:
    text = OPENING + "\n" + OPENING.replace("0;2;1;1", "0;3;3;1")
    assert [game.claim for game in read_snowie(text).games] == [None, None]


def test_more_lines_than_a_match_can_have_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snowie, "MOST_LINES", 3)
    record = read_snowie(f"{OPENING}\n" * 5)
    assert codes(record) == ["too_many_lines"]


def test_stated_rules_are_read() -> None:
    stake = read_snowie(OPENING.replace("7;0;", "0;1;", 1))
    assert (stake.length, stake.stated) == (None, StatedRules(jacoby=True))
    crawford = read_snowie(OPENING.replace("0;2;1;1", "1;6;1;1"))
    assert (crawford.stated, crawford.games[0].is_crawford) == (StatedRules(crawford=True), True)


def test_a_centred_cube_above_one_means_automatic_doubles_and_an_owned_one_is_a_problem() -> None:
    assert read_snowie(OPENING.replace("2;1;1;0", "2;1;4;0")).games[0].automatic_doubles == 2
    assert codes(read_snowie(OPENING.replace("2;1;1;0", "2;1;4;1"))) == ["cube_set_by_hand"]
    assert codes(read_snowie(OPENING.replace("2;1;1;0", "2;1;3;0"))) == ["cube_set_by_hand"]


def test_a_name_may_hold_a_semicolon() -> None:
    assert read_snowie(OPENING.replace("Bob", "Bob;Jr")).names == ("Ann", "Bob;Jr")


@pytest.mark.parametrize(
    "wrong",
    ["7;0;0", OPENING.replace("Ann;", ""), OPENING.replace(";3;1;", ";3;x;"), OPENING.replace("-2", "9")],
    ids=["short", "one name", "no number", "too many checkers"],
)
def test_an_unreadable_line_is_skipped(wrong: str) -> None:
    record = read_snowie(f"{OPENING}\n{wrong}")
    assert [(problem.code, problem.line) for problem in record.problems] == [("line_not_understood", 2)]
    assert len(record.games) == 1


def test_positions_of_another_match_are_left_out() -> None:
    assert codes(read_snowie(f"{OPENING}\n{OPENING.replace('Bob', 'Cleo')}")) == ["second_match"]


def test_two_lines_that_no_play_joins_leave_the_play_open() -> None:
    fewer = OPENING.replace(";5;0;3;", ";4;0;3;")
    answer = OPENING.replace("0;Ann;Bob;0;2;1", "1;Bob;Ann;0;1;2").replace(";2;0;3;1", ";1;0;3;1")
    text = f"{fewer}\n{answer}"
    assert read_snowie(text).games[0].actions[0] == Roll(LEFT, (3, 1), None, 1)


def test_nothing_of_the_kind_is_no_record() -> None:
    record = read_snowie(" 5 point match\n")
    assert (record.format, record.games, codes(record)) == (
        Format.SNOWIE,
        (),
        ["line_not_understood", "not_a_record"],
    )


def test_the_format_is_detected_by_its_first_line() -> None:
    assert looks_like_snowie("\n" + OPENING)
    assert not looks_like_snowie(' 5 point match\n; [Event "x"]\n')


@cache
def first_lines(path: Path) -> str:
    record = read_sgf(path.read_text(encoding="utf-8"))
    return "\n".join(islice(lines(record, RULES), 30))


@given(st.sampled_from(FILES), st.integers(0, 3_000), st.integers(0, 40), st.text(max_size=12))
def test_no_edit_of_a_file_raises(path: Path, start: int, cut: int, inserted: str) -> None:
    text = first_lines(path)
    judge(read_snowie(text[:start] + inserted + text[start + cut :]), RULES)


@given(st.text(max_size=60), st.lists(st.integers(-99, 999), min_size=36, max_size=44))
def test_no_line_of_numbers_raises(names: str, numbers: list[int]) -> None:
    fields = [*map(str, numbers[:5]), names, "Bob", *map(str, numbers[5:])]
    judge(read_snowie(";".join(fields) + "\n" + OPENING), RULES)
