"""Records in the Smart Game Format.

The files in `data/sgf` are matches and sessions that GNU Backgammon played against itself, without its
analysis; beside each stands what the program says of it. The folder that BACKGAMMON_RECORDS names holds more.
"""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.ids import position_id
from rules.board.notation import parse_play
from rules.board.position import Position
from rules.judge import judge, turns
from rules.record.model import Claim, CubeAction, CubeStep, Format, Record, Resignation, Roll, StatedRules
from rules.record.notes import MOST_NOTES
from rules.record.sgf import looks_like_sgf, read_sgf, reader
from rules.record.sgf.tree import Node, main_line_nodes, plain_text
from rules.ruleset import PRESETS, CrawfordForm, Ruleset
from rules.score import Side
from tests.rules.oracles import folders, rows
from tests.rules.record.samples import codes

LEFT, RIGHT = Side.LEFT, Side.RIGHT
FOLDER = Path(__file__).parents[1] / "data" / "sgf"
FILES = sorted(FOLDER.glob("*.sgf"))
MORE = [path for folder in folders() for path in sorted((folder / "gnubg").glob("sgf/*.sgf.gz"))]
PLAYED = [*FILES, *MORE]
HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"


def text_of(path: Path) -> str:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    return path.read_text(encoding="utf-8")


def expected_of(path: Path) -> dict[str, Any]:
    if path in MORE:
        return next(
            row for row in rows(path.parents[1], "expected.jsonl") if row["sgf"] == f"sgf/{path.stem}"
        )
    expected: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return expected


def ruleset_of(rules: dict[str, Any]) -> Ruleset:
    return replace(
        PRESETS["standard"],
        jacoby=bool(rules["jacoby"]),
        beavers=rules["beavers"],
        automatic_doubles=rules["autodoubles"],
        crawford=CrawfordForm.ON if rules["crawford"] else CrawfordForm.OFF,
    )


def actions(nodes: str, head: str = HEAD) -> tuple[Any, ...]:
    return read_sgf(f"{head}\n{nodes})").games[0].actions


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.name)
def test_rolls_positions_and_results_are_those_of_the_program(path: Path) -> None:
    record, expected = read_sgf(text_of(path)), expected_of(path)
    assert_rolls(record, expected)
    assert_positions(record, expected)
    assert_results(record, expected)


def assert_rolls(record: Record, expected: dict[str, Any]) -> None:
    rolls = [
        [number, int(action.side is RIGHT), *action.dice]
        for number, game in enumerate(record.games, 1)
        for action in game.actions
        if isinstance(action, Roll)
    ]
    assert rolls == [play[:4] for play in expected["plays"]]
    assert record.names == tuple(expected["players"]) or record.names == ("gnubg", "root")


def assert_positions(record: Record, expected: dict[str, Any]) -> None:
    positions = [
        position_id(turn.position)
        for number in range(1, len(record.games) + 1)
        for turn in turns(record, ruleset_of(expected["rules"]), number)
        if turn.dice is not None
    ]
    assert positions == [play[4] for play in expected["plays"]]


def assert_results(record: Record, expected: dict[str, Any]) -> None:
    verdict = judge(record, ruleset_of(expected["rules"]))
    assert [
        (int(game.entry.winner is RIGHT), game.scored.raw, game.is_crawford, 1 << game.automatic_doubles)
        for game in verdict.games
        if game.entry and game.scored
    ] == [
        (game["winner"], game["points"], game["crawford"], game["start_cube"]) for game in expected["games"]
    ]
    assert verdict.problems == ()


def test_the_rules_that_a_session_was_played_by_are_read() -> None:
    jacoby = read_sgf((FOLDER / "s_j1_b0_a0_1266.sgf").read_text(encoding="utf-8"))
    plain_session = read_sgf((FOLDER / "s_j0_b1_a1_1253.sgf").read_text(encoding="utf-8"))
    match = read_sgf((FOLDER / "m05_1064.sgf").read_text(encoding="utf-8"))
    assert jacoby.stated == StatedRules(jacoby=True)
    assert plain_session.stated == StatedRules(jacoby=False, automatic_doubles=1)
    assert match.stated == StatedRules(crawford=True)
    assert (jacoby.length, match.length) == (None, 5)


def test_white_is_the_left_side_and_counts_its_points_from_a() -> None:
    white, black = actions(";W[31hefe];B[61yg]")
    assert white == Roll(LEFT, (3, 1), parse_play("8/5 6/5"), 2)
    assert black == Roll(RIGHT, (6, 1), parse_play("bar/18"), 2)


def test_a_dance_and_bearing_off_are_read() -> None:
    dance, off = actions(";B[66];W[66fzezdzcz]")
    assert dance.play == ()
    assert off.play == tuple((point, 0, False) for point in (6, 5, 4, 3))


def test_a_double_taken_and_a_redouble_dropped_are_read() -> None:
    rolled = actions(";W[double];B[take];W[31hefe];B[double];W[drop]")
    cube = [(action.side, action.step) for action in rolled if isinstance(action, CubeAction)]
    assert cube == [
        (LEFT, CubeStep.DOUBLE),
        (RIGHT, CubeStep.TAKE),
        (RIGHT, CubeStep.DOUBLE),
        (LEFT, CubeStep.DROP),
    ]


def test_doubles_that_answer_a_double_are_beavers() -> None:
    rolled = actions(";W[double];B[double];W[double];B[take];W[66fzfzfzfz];W[double]")
    steps = [action.step for action in rolled if isinstance(action, CubeAction)]
    assert steps == [CubeStep.DOUBLE, CubeStep.BEAVER, CubeStep.BEAVER, CubeStep.TAKE, CubeStep.DOUBLE]


def test_a_resignation_is_the_last_thing_that_happened() -> None:
    game = read_sgf(f"{HEAD}RE[B+2R]\n;W[31hefe])").games[0]
    assert game.claim == Claim(RIGHT, 2, is_last=False, line=1)
    assert game.actions[-1] == Resignation(LEFT, None, 1)


def test_a_drop_is_no_resignation_whatever_the_result_says() -> None:
    game = read_sgf(f"{HEAD}RE[W+1R]\n;W[double];B[drop])").games[0]
    assert [type(action) for action in game.actions] == [CubeAction, CubeAction]


def test_a_game_whose_result_is_open_claims_nothing() -> None:
    assert read_sgf(f"{HEAD}RE[Void]\n;W[31hefe])").games[0].claim is None


def test_the_crawford_game_is_marked_and_the_other_games_are_marked_as_none() -> None:
    crawford_head = HEAD.replace("RU[Crawford]", "RU[Crawford:CrawfordGame]").replace("game:0", "game:1")
    record = read_sgf(f"{HEAD};W[31hefe])\n{crawford_head};B[31qtst])")
    assert [game.is_crawford for game in record.games] == [False, True]
    assert [(game.number, game.line) for game in record.games] == [(1, 1), (2, 2)]


def test_the_one_game_of_a_match_to_one_point_is_not_marked_whatever_the_file_says() -> None:
    head = HEAD.replace("length:5", "length:1").replace("RU[Crawford]", "RU[Crawford:CrawfordGame]")
    record = read_sgf(f"{head};W[31hefe])")
    assert (record.games[0].is_crawford, record.stated) == (None, StatedRules())


def test_a_cube_above_one_before_the_first_roll_means_automatic_doubles() -> None:
    record = read_sgf(f"{HEAD.replace('length:5', 'length:0')}CV[4];W[31hefe])")
    assert record.games[0].automatic_doubles == 2
    assert record.stated.automatic_doubles == 2


@pytest.mark.parametrize("value", ["3", "0", "-2", "99999999", "x", ""])
def test_a_cube_that_no_automatic_double_explains_is_a_problem(value: str) -> None:
    record = read_sgf(f"{HEAD}CV[{value}];W[31hefe])")
    assert codes(record) == ["cube_set_by_hand"]


def test_a_position_set_up_before_the_first_roll_is_where_the_game_begins() -> None:
    game = read_sgf(f"{HEAD};AE[a:y]AW[a][a][y]AB[x][w];PL[B]DI[21];B[21xzwz])").games[0]
    mine, theirs = bytearray(26), bytearray(26)
    mine[1], mine[2], theirs[1], theirs[25] = 1, 1, 2, 1
    assert (game.start, game.first) == (Position(bytes(mine), bytes(theirs)), RIGHT)
    assert game.actions == (Roll(RIGHT, (2, 1), parse_play("1/off 2/off"), 1),)


def test_the_usual_position_set_up_by_hand_is_no_other_start() -> None:
    usual = "AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"
    assert read_sgf(f"{HEAD};{usual};W[31hefe])").games[0].start is None


def test_an_impossible_position_to_begin_from_is_a_problem() -> None:
    record = read_sgf(f"{HEAD};AE[a:y]AW[a]AB[a];W[31hefe])")
    assert codes(record) == ["impossible_start"]
    assert record.games[0].start is None


def test_after_a_board_set_by_hand_the_position_is_unknown() -> None:
    record = read_sgf(f"{HEAD};W[31hefe];PL[B]DI[65];AE[a:y]AW[a]AB[b];W[42hdfd])")
    assert codes(record) == ["board_set_by_hand"]
    assert [action.play for action in record.games[0].actions if isinstance(action, Roll)][1] is None


def test_a_board_set_by_hand_without_dice_leaves_the_next_play_open() -> None:
    record = read_sgf(f"{HEAD};W[31hefe];AW[a];B[61yg];W[42hdfd])")
    assert codes(record) == ["board_set_by_hand"]
    assert [action.play is None for action in record.games[0].actions if isinstance(action, Roll)] == [
        False,
        True,
        False,
    ]


def test_a_record_of_more_rolls_than_anybody_plays_is_cut_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_MOST_NODES", 10)
    record = read_sgf(HEAD + ";W[31hefe]" * 20 + ")")
    assert codes(record) == ["too_many_rolls"]
    assert len(record.games[0].actions) == 10


def test_an_owned_cube_to_begin_with_is_a_problem() -> None:
    assert codes(read_sgf(f"{HEAD}CO[b];W[31hefe])")) == ["cube_set_by_hand"]
    assert codes(read_sgf(f"{HEAD}CO[c];W[31hefe])")) == []


def test_of_two_lines_the_first_is_the_game() -> None:
    rolled = actions(";W[31hefe](;B[61yg];W[21fehf])(;B[62yg](;W[33])(;W[44]))")
    assert [action.dice for action in rolled] == [(3, 1), (6, 1), (2, 1)]


def test_comments_and_analysis_are_passed_over() -> None:
    comment = r"C[a \] bracket; (and more\\]A[0][hefe E ver 3 0.5][xx]DA[E (]"
    rolled = actions(f";W[31hefe]{comment};{comment}B[61yg]")
    assert [action.dice for action in rolled] == [(3, 1), (6, 1)]


def test_lines_are_counted_over_breaks_inside_of_comments() -> None:
    assert [action.line for action in actions(";W[31hefe]C[one\ntwo]\n;B[61yg]")] == [2, 4]


def test_escapes_and_breaks_in_a_name_are_undone() -> None:
    assert plain_text("A\\]n\\\nn\nB\\\\") == "A]nn B\\"


def test_a_file_cut_off_in_a_value_keeps_what_came_before() -> None:
    record = read_sgf(f"{HEAD}RE[W+1]\n;W[31hefe]\n;B[61yg")
    assert codes(record) == ["file_cut_off"]
    assert len(record.games[0].actions) == 1


@pytest.mark.parametrize("text", ["(;W[31]C[cut", "(;W[31]C[cut\\", "(;W[31]C[cut\\]", "(;W[31](;C[cut"])
def test_a_value_that_is_never_closed_is_no_part_of_its_node(text: str) -> None:
    nodes = [part.match[0] for part in main_line_nodes(text) if isinstance(part, Node)]
    assert nodes[0] == ";W[31]"


def test_a_file_without_its_last_bracket_is_read_whole() -> None:
    record = read_sgf(f"{HEAD}\n;W[31hefe]\n;B[61yg]")
    assert len(record.games[0].actions) == 2
    assert codes(record) == ["file_cut_off"]


def test_an_unreadable_move_is_a_problem_at_its_line() -> None:
    record = read_sgf(f"{HEAD}\n;W[31he?e]\n;B[splash])")
    assert [(problem.code, problem.line, problem.game) for problem in record.problems] == [
        ("play_not_understood", 2, 1),
        ("cell_not_understood", 3, 1),
    ]
    assert record.games[0].actions == (Roll(LEFT, (3, 1), None, 2),)


@pytest.mark.parametrize("play", ["zf", "fy", "fzf", "FE", "fe" * 17])
def test_a_play_that_names_no_moves_is_not_read(play: str) -> None:
    assert actions(f";W[31{play}]")[0].play is None


def test_only_so_many_problems_are_named() -> None:
    record = read_sgf(HEAD + ";W[x]" * 5_000 + ")")
    assert len(record.problems) == MOST_NOTES + 1
    assert record.problems[-1].code == "more_not_understood"


def test_a_record_of_go_is_no_record_of_backgammon() -> None:
    record = read_sgf("(;FF[4]GM[1]SZ[19];B[pd];W[dp])")
    assert (record.games, codes(record)) == ((), ["other_variation"])


def test_nackgammon_is_named_in_the_problem() -> None:
    record = read_sgf(f"{HEAD.replace('RU[Crawford]', 'RU[Crawford:Nackgammon]')};W[31hefe])")
    assert [problem.params["variation"] for problem in record.problems] == ["Nackgammon"]


def test_a_second_match_in_the_file_is_left_out() -> None:
    record = read_sgf(f"{HEAD};W[31hefe]){HEAD.replace('Bob', 'Cleo')};W[31hefe])")
    assert (len(record.games), codes(record)) == (1, ["second_match"])


def test_a_missing_length_is_remarked_unless_it_means_stake_play() -> None:
    bare = read_sgf("(;GM[6]PW[Ann]PB[Bob];W[31hefe])")
    assert (bare.length, codes(bare)) == (0, ["length_not_told"])
    assert read_sgf("(;GM[6]AP[GNU Backgammon:0.10];W[31hefe])").length is None


@pytest.mark.parametrize(
    ("text", "is_sgf"),
    [
        ("(;FF[4]GM[6]", True),
        ("\ufeff\n ( ;FF[4]", True),
        ("Saved game\n(;FF[4]CA[x]GM[6]", True),
        (" 5 point match\n\n Game 1\n", False),
        ("remark (; what", False),
    ],
)
def test_the_format_is_detected_by_the_beginning_of_the_file(text: str, *, is_sgf: bool) -> None:
    assert looks_like_sgf(text) is is_sgf


def test_text_that_is_no_tree_is_no_record() -> None:
    record = read_sgf("nothing of the kind")
    assert (record.format, record.games, codes(record)) == (Format.SGF, (), ["not_a_record"])


@pytest.mark.parametrize(
    "text",
    [
        "(;" * 20_000,
        "(;A[" * 20_000,
        "(;A[\\];" * 20_000,
        "(" * 40_000,
        HEAD + "(;W[31hefe]" * 10_000,
        HEAD + ";AW" + "[a]" * 200_000 + ")",
        HEAD + ";CV[" + "9" * 100_000 + "];W[31hefe])",
        HEAD + ";AE[a:\U0010ffff];W[31])",
        HEAD.replace("length:5", "length:" + "9" * 10_000) + ";W[31hefe])",
        HEAD + ";W[" + "\u0663\u0661hefe])",
    ],
    ids=range(10),
)
def test_hostile_trees_are_read_to_an_end(text: str) -> None:
    assert isinstance(judge(read_sgf(text), PRESETS["tournament"]).problems, tuple)


@settings(max_examples=60)
@given(st.text(alphabet="();[]\\ \nWBAERCVOPLDI136abfyz:", max_size=200))
def test_no_text_of_brackets_and_letters_raises(text: str) -> None:
    read_sgf(text)
    read_sgf(HEAD + text)


@settings(max_examples=40)
@given(st.sampled_from(FILES), st.integers(0, 5_000), st.integers(0, 40), st.text(max_size=20))
def test_no_edit_of_a_real_file_raises(path: Path, start: int, cut: int, inserted: str) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_sgf(text[:start] + inserted + text[start + cut :])
    judge(record, PRESETS["standard"])


def test_public_files_hold_no_errors() -> None:
    for path in (path for folder in folders() for path in sorted(folder.glob("real/**/*.sgf"))):
        verdict = judge(read_sgf(text_of(path)), PRESETS["tournament"])
        assert (verdict.problems, verdict.is_finished) == ((), True), path.name
