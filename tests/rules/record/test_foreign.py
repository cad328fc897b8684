"""Files of XG and BGBlitz, through the optional package and without it."""

import sys
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.notation import parse_play
from rules.board.position import Position
from rules.judge import judge
from rules.record.foreign import foreign_format, read_foreign
from rules.record.foreign.bgf import record_of_bgf
from rules.record.foreign.library import xg_records
from rules.record.foreign.xg import record_of_xg
from rules.record.model import Claim, CubeAction, CubeStep, Format, Resignation, Roll, StatedRules
from rules.ruleset import PRESETS
from rules.score import Severity, Side, Win
from tests.rules.oracles import folders
from tests.rules.record import foreign_files as files
from tests.rules.record.samples import codes

LEFT, RIGHT = Side.LEFT, Side.RIGHT
PLAYED = files.xg_move(1, (3, 1), files.AFTER_31, (7, 4, 5, 4, -1, -1, -1, -1))
MATCH = [
    files.xg_match(),
    files.xg_game(),
    PLAYED,
    files.xg_cube(-1, take=0),
    files.xg_end((0, 1), -1, 1, 0),
    files.xg_game((0, 1), number=2),
    PLAYED,
    files.xg_end((0, 3), -1, 2, 102),
]
TURNS = {
    "plays": {"red": 3, "green": 1, "player": -1, "from": [8, 6, -1, -1], "to": [5, 5, -1, -1]},
    "dances": {"red": 5, "green": 7, "player": 1, "from": [6, -1, -1, -1], "to": [2, -1, -1, -1]},
    "doubles": {"red": 1, "green": 7, "player": 1, "from": [-1], "to": [-1]},
    "takes": {"red": 2, "green": 7, "player": -1, "from": [-1], "to": [-1]},
    "drops": {"red": 3, "green": 7, "player": -1, "from": [-1], "to": [-1]},
    "resigns": {"red": 9, "green": 7, "player": -1, "from": [-1], "to": [-1]},
    "ends": {"red": 4, "green": 7, "player": 1, "from": [-1], "to": [-1]},
}


def bgf(*turns, length=5, final=(0, 1), **game):
    start = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0]
    fields = {
        "scoreGreen": 0,
        "scoreRed": 0,
        "matchlen": length,
        "wonPoints": 1,
        "initial": {"cube": 1, "cubeOwner": 0, "points": start},
        "moves": [TURNS[turn] if isinstance(turn, str) else turn for turn in turns],
    }
    return {
        "matchlen": length,
        "nameGreen": "Ann",
        "nameRed": "Bob",
        "useCrawford": True,
        "event": "Club night",
        "finalGreen": final[0],
        "finalRed": final[1],
        "games": [fields | game],
    }


def xg(*records, length=5, **match):
    return read_foreign(files.xg_file(files.xg_match(length=length, **match), *records))


def test_a_match_of_xg_is_read():
    record = read_foreign(files.xg_file(*MATCH))
    first, second = record.games
    assert (record.format, record.length, record.names) == (Format.XG, 5, ("Ann", "Bob"))
    assert first.actions == (
        Roll(LEFT, (3, 1), parse_play("8/5 6/5"), None),
        CubeAction(RIGHT, CubeStep.DOUBLE, None, None),
        CubeAction(LEFT, CubeStep.DROP, None, None),
    )
    assert (first.claim, first.score, first.number) == (Claim(RIGHT, 1, is_last=False, line=None), (0, 0), 1)
    assert second.actions[-1] == Resignation(LEFT, Win.GAMMON, None)
    verdict = judge(record, PRESETS["tournament"])
    assert (verdict.score.left, verdict.score.right) == (0, 3)
    assert [problem.code for problem in verdict.problems] == ["match_not_finished"]


def test_a_file_of_xg_that_is_not_packed_is_read_the_same():
    assert read_foreign(files.xg_file(*MATCH, packed=False)) == read_foreign(files.xg_file(*MATCH))


def test_a_roll_with_an_empty_board_after_it_was_not_played():
    record = xg(files.xg_game(), files.xg_move(1, (3, 1), (0,) * 26, moves=None))
    assert record.games[0].actions == (Roll(LEFT, (3, 1), (), None),)


def test_a_play_without_analysis_is_inferred_from_both_positions():
    left = files.xg_move(1, (3, 1), files.AFTER_31, moves=None)
    right = files.xg_move(-1, (3, 1), files.AFTER_31, moves=None)
    assert [action.play for action in xg(files.xg_game(), left, right).games[0].actions] == [
        parse_play("8/5 6/5")
    ] * 2


def test_an_illegal_play_is_inferred_and_not_the_part_that_the_program_lists():
    moved = list(files.START)
    moved[13] -= 1
    moved[8] += 2
    moved[6] -= 1
    part = (12, 7, -1, -1, -1, -1, -1, -1)
    record = xg(files.xg_game(), files.xg_move(1, (5, 2), moved, part, illegal=1))
    assert record.games[0].actions[0].play == parse_play("13/8 6/8")
    assert judge(record, PRESETS["tournament"]).problems[0].severity == Severity.ERROR


def test_bearing_off_from_below_the_die_and_entering_are_read():
    moves = (24, 18, 2, -3, 0, 0, 5, 5)
    record = xg(files.xg_game(), files.xg_move(1, (6, 5), files.START, moves))
    assert record.games[0].actions[0].play == parse_play("bar/19 3/off")


@pytest.mark.parametrize(("player", "side"), [(1, LEFT), (-1, RIGHT)])
def test_a_game_that_begins_from_another_position_begins_there(player, side):
    before = [0] * 26
    before[3], before[24] = 2, -1
    game = xg(files.xg_game(), files.xg_move(player, (3, 1), (0,) * 26, before=before)).games[0]
    mine, theirs = bytearray(26), bytearray(26)
    mine[3], theirs[1] = 2, 1
    left = Position(bytes(mine), bytes(theirs))
    assert (game.start, game.first) == (left if side is LEFT else left.swapped(), side)


def test_a_beaver_is_taken_if_play_continues():
    record = xg(files.xg_game(), PLAYED, files.xg_cube(-1, take=2), PLAYED, length=0, beaver=1)
    cube = [
        (action.side, action.step) for action in record.games[0].actions if isinstance(action, CubeAction)
    ]
    assert cube == [(RIGHT, CubeStep.DOUBLE), (LEFT, CubeStep.BEAVER), (RIGHT, CubeStep.TAKE)]


def test_a_beaver_that_ends_the_game_was_dropped():
    record = xg(files.xg_game(), PLAYED, files.xg_cube(-1, take=2), files.xg_end((1, 0), 1, 1, 0), length=0)
    assert record.games[0].actions[-1] == CubeAction(RIGHT, CubeStep.DROP, None, None)


def test_an_unturned_cube_is_no_action():
    idle = [files.xg_cube(1, doubled=0, take=-1), files.xg_cube(-1, doubled=-2, take=-1)]
    assert xg(files.xg_game(), *idle, PLAYED).games[0].actions == xg(files.xg_game(), PLAYED).games[0].actions


@pytest.mark.parametrize("length", [0, 99_999])
def test_stake_play_of_xg_states_its_rules(length):
    record = xg(files.xg_game(), PLAYED, length=length, jacoby=1, beaver=1)
    assert (record.length, record.stated) == (None, StatedRules(jacoby=True, beavers=1))
    assert record.games[0].is_crawford is None


def test_a_match_of_xg_states_the_crawford_rule_only():
    record = xg(files.xg_game((4, 0), crawford=1), PLAYED, jacoby=1)
    assert (record.stated, record.games[0].is_crawford) == (StatedRules(crawford=True), True)
    assert xg(files.xg_game(), PLAYED, length=1).stated == StatedRules()


def test_a_file_of_xg_without_games_is_a_problem():
    assert codes(xg()) == ["foreign_not_understood"]
    assert codes(record_of_xg([])) == ["foreign_not_understood"]


def test_a_match_of_bgblitz_is_read():
    document = bgf("plays", "dances", "plays", "doubles", "takes", "plays", "resigns", "ends", final=(0, 2))
    record = read_foreign(files.bgf_file(document))
    (game,) = record.games
    assert (record.format, record.length, record.names) == (Format.BGF, 5, ("Ann", "Bob"))
    assert record.tags == (("Event", "Club night"),)
    assert record.stated == StatedRules(crawford=True)
    assert game.actions == (
        Roll(LEFT, (3, 1), parse_play("8/5 6/5"), None),
        Roll(RIGHT, (6, 2), (), None),
        Roll(LEFT, (3, 1), parse_play("8/5 6/5"), None),
        CubeAction(RIGHT, CubeStep.DOUBLE, None, None),
        CubeAction(LEFT, CubeStep.TAKE, None, None),
        Roll(LEFT, (3, 1), parse_play("8/5 6/5"), None),
        Resignation(LEFT, None, None),
    )
    assert (game.claim, game.score, game.start) == (Claim(RIGHT, 2, is_last=False, line=None), (0, 0), None)
    assert (game.is_crawford, game.automatic_doubles, codes(record)) == (False, 0, [])


def test_a_dropped_double_of_bgblitz_is_read():
    steps = [action.step for action in record_of_bgf(bgf("doubles", "drops", "ends")).games[0].actions]
    assert steps == [CubeStep.DOUBLE, CubeStep.DROP]


def test_bar_and_off_of_bgblitz_are_the_usual_ones():
    turn = TURNS["plays"] | {"from": [25, 2, -1], "to": [22, -1, -1]}
    assert record_of_bgf(bgf(turn)).games[0].actions[0].play == parse_play("bar/22 2/off")


@pytest.mark.parametrize(("start", "end"), [(26, 20), (0, 3), (24, 25)])
def test_moves_of_bgblitz_that_are_none_leave_the_play_open(start, end):
    turn = TURNS["plays"] | {"from": [start, -1], "to": [end, -1]}
    assert record_of_bgf(bgf(turn)).games[0].actions[0].play is None


def test_without_a_final_score_the_last_line_names_the_winner():
    document = bgf("plays", "ends", final=(None, None), wonPoints=2)
    assert record_of_bgf(document).games[0].claim == Claim(RIGHT, 2, is_last=False, line=None)


def test_a_resignation_that_is_only_marked_is_read():
    game = record_of_bgf(bgf("plays", wasResignation=True)).games[0]
    assert game.actions[-1] == Resignation(LEFT, None, None)


def test_a_position_and_a_cube_to_begin_with_are_read():
    points = [0] * 28
    points[0], points[23], points[24], points[25] = 2, -3, 1, 1
    initial = {"cube": 4, "cubeOwner": 0, "points": points}
    game = record_of_bgf(bgf("dances", length=0, initial=initial)).games[0]
    red, green = bytearray(26), bytearray(26)
    green[24], green[25], red[24], red[25] = 2, 1, 3, 1
    assert (game.start, game.first) == (Position(bytes(red), bytes(green)), RIGHT)
    assert game.automatic_doubles == 2


@pytest.mark.parametrize(
    ("initial", "code"),
    [
        ({"cube": 2, "cubeOwner": 1}, "cube_set_by_hand"),
        ({"cube": 3}, "cube_set_by_hand"),
        ({"points": [0] * 28}, "impossible_start"),
    ],
)
def test_what_a_game_cannot_begin_with_is_a_problem(initial, code):
    record = record_of_bgf(bgf("plays", initial=initial))
    assert codes(record) == [code]
    assert (record.games[0].start, record.games[0].automatic_doubles) == (None, 0)


def test_a_turn_of_an_unknown_kind_is_a_problem():
    turn = TURNS["ends"] | {"red": 8}
    assert codes(record_of_bgf(bgf("plays", turn))) == ["cell_not_understood"]


def test_rules_of_stake_play_of_bgblitz_are_read():
    document = bgf("plays", length=0) | {"useJacoby": True, "useBeaver": False}
    assert record_of_bgf(document).stated == StatedRules(jacoby=True, beavers=0)
    assert record_of_bgf(document).length is None


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@given(st.sampled_from(sorted(bgf())), junk)
def test_no_document_of_other_values_raises(field, value):
    judge(record_of_bgf(bgf("plays") | {field: value}), PRESETS["tournament"])


@given(st.sampled_from(sorted(bgf("plays")["games"][0])), junk)
def test_no_game_of_other_values_raises(field, value):
    judge(record_of_bgf(bgf("plays", "ends", **{field: value})), PRESETS["tournament"])


@given(st.sampled_from(sorted(TURNS["plays"])), junk)
def test_no_turn_of_other_values_raises(field, value):
    judge(record_of_bgf(bgf(TURNS["plays"] | {field: value})), PRESETS["tournament"])


@pytest.mark.parametrize(
    ("data", "module", "kind"),
    [(files.xg_file(*MATCH), "gvformat.xg", ".xg"), (files.bgf_file(bgf("plays")), "gvformat.bgf", ".bgf")],
    ids=["xg", "bgf"],
)
def test_without_the_optional_package_the_problem_says_what_to_do(monkeypatch, data, module, kind):
    monkeypatch.setitem(sys.modules, module, None)
    (problem,) = read_foreign(data).problems
    assert problem.code == "foreign_reader_missing"
    assert kind in problem.sentence
    assert "gammonview" in problem.sentence


def test_every_error_of_the_optional_package_becomes_a_problem(monkeypatch):
    def broken(data):
        raise IndexError(data[:1])

    monkeypatch.setattr("gvformat.xg.read_xg", broken)
    monkeypatch.setattr("gvformat.bgf.decode_smile", broken)
    assert codes(read_foreign(files.xg_file(*MATCH))) == ["foreign_not_understood"]
    assert codes(read_foreign(files.bgf_file(bgf("plays")))) == ["foreign_not_understood"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (files.xg_file(*MATCH), Format.XG),
        (files.bgf_file(bgf("plays")), Format.BGF),
        (b'{"format": "BGF"', None),
        (b'{"backgammon_record": 1}\n', None),
        (b"{" + b"[" * 9_000, None),
        (b"", None),
        (b" 5 point match\n", None),
    ],
    ids=range(7),
)
def test_the_format_is_detected_by_the_beginning_of_the_file(data, expected):
    assert foreign_format(data) is expected


def test_bytes_of_neither_kind_are_no_record():
    assert codes(read_foreign(b"what")) == ["not_a_record"]


HEAD = b'{"format": "BGF"}\n'
SMILE = b":)\n\x00"
HOSTILE = {
    "xg cut off": b"RGMH",
    "xg without records": b"RGMH" + bytes(9_000),
    "xg far too large": b"RGMH" + bytes(8_228) + zlib.compress(bytes(40_000_000)),
    "xg of other records": b"RGMH" + bytes(8_228) + zlib.compress(b"\xff" * 100_000),
    "xg with a picture beyond its end": b"RGMH" + bytes(16) + b"\xff" * 4 + bytes(9_000),
    "bgf of nothing": HEAD,
    "bgf of no document": HEAD + SMILE + b"\x21",
    "bgf far too large": HEAD + zlib.compress(SMILE + bytes(40_000_000)),
    "bgf of lists in lists": HEAD + SMILE + b"\xf8" * 100_000,
    "bgf of too many lists": HEAD + SMILE + b"\xf8" + b"\xf8\xf9" * 500_000 + b"\xf9",
    "bgf of an endless number": HEAD + SMILE + b"\x24" + b"\x3f" * 5_000_000,
    "bgf of an open string": HEAD + SMILE + b"\xe0" + b"a" * 1_000,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_damaged_file_is_a_problem(data):
    assert codes(read_foreign(data)) == ["foreign_not_understood"]


def test_a_cut_off_xg_file_is_read_so_far_with_a_warning():
    whole = files.xg_file(*MATCH)
    cut = [read_foreign(whole[:end]) for end in range(files.XG_HEADER, len(whole), 10)]
    outcomes = {(len(record.games), *codes(record)) for record in cut}
    assert outcomes == {(0, "foreign_not_understood"), (1, "file_cut_off"), (2, "file_cut_off")}
    assert codes(read_foreign(whole)) == []


@given(st.integers(0, 30_000), st.binary(max_size=40), st.integers(0, 3_000))
def test_no_edit_of_a_file_of_xg_raises(start, inserted, cut):
    data = files.xg_file(*MATCH, packed=False)
    judge(read_foreign(data[:start] + inserted + data[start + cut :]), PRESETS["tournament"])


@given(st.integers(20, 700), st.binary(max_size=10), st.integers(0, 10))
def test_no_edit_of_a_file_of_bgblitz_raises(start, inserted, cut):
    data = files.bgf_file(bgf("plays", "doubles", "takes", "ends"), packed=False)
    judge(read_foreign(data[:start] + inserted + data[start + cut :]), PRESETS["tournament"])


@given(
    st.binary(max_size=300),
    st.sampled_from([b"RGMH" + bytes(8_228), HEAD, HEAD + SMILE, HEAD + SMILE + b"\xfa"]),
)
def test_no_bytes_raise(data, head):
    read_foreign(head + data)


def public_files(kind):
    return [path for folder in folders() for path in sorted(folder.rglob(f"*.{kind}"))]


def errors(record):
    problems = judge(record, PRESETS["tournament" if record.length else "standard"]).problems
    return [problem for problem in problems if problem.is_error]


def rolls(record):
    return Counter(
        (record.names[action.side is RIGHT], tuple(sorted(action.dice)))
        for game in record.games
        for action in game.actions
        if isinstance(action, Roll)
    )


def marked_illegal(data):
    """The games in which XG itself marks an illegal play."""
    game, marked = 0, set()
    for kind, fields in xg_records(data):
        game += kind == "header_game"
        if kind == "move" and fields["invalid_m"] == 2:
            marked.add(game)
    return marked


def test_public_files_of_xg_hold_no_errors_but_in_games_that_the_program_marks():
    for path in public_files("xg"):
        data = path.read_bytes()
        assert {problem.game for problem in errors(read_foreign(data))} == marked_illegal(data), path.name


def test_public_files_of_bgblitz_are_the_same_matches_as_those_of_xg():
    for path in public_files("bgf"):
        record, xg_path = read_foreign(path.read_bytes()), path.with_suffix(".xg")
        same = read_foreign(xg_path.read_bytes()) if xg_path.exists() else record
        assert sorted(rolls(record).values()) == sorted(rolls(same).values()), path.name
        assert len(errors(record)) == len(errors(same)), path.name
