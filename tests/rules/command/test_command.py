"""The command line: what it prints, where it draws, and how it ends."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rules.command import main
from rules.command.progress import Progress
from rules.record.own_json import write_json
from rules.record.reading import read
from rules.ruleset import PRESETS
from tests.rules.oracles import OWN
from tests.rules.record.foreign_files import AFTER_31, START, xg_file, xg_game, xg_match, xg_move

CLEAN = OWN / "gnubg" / "mat" / "m03_1031.mat"
WRONG = OWN / "invalid" / "0084_blocked_point.mat"
ILLEGAL = """ 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/4 6/5                64: 24/14
"""
WITHOUT_LINES = {
    "json": write_json(read(ILLEGAL.encode())).encode(),
    "xg": xg_file(
        xg_match(),
        xg_game(),
        xg_move(1, (3, 1), AFTER_31, moves=(7, 3, 5, 4, -1, -1, -1, -1)),
        xg_move(-1, (6, 4), START, moves=(23, 13, -1, -1, -1, -1, -1, -1)),
    ),
}
ROOT = Path(__file__).parents[3]


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def test_a_clean_record_is_called_clean(capsys):
    code, output = run(capsys, "check", CLEAN)
    assert code == 0
    assert "clean" in output.out
    assert "match to 3" in output.out


def test_a_problem_is_printed_with_its_place_its_rule_and_a_board(capsys):
    code, output = run(capsys, "check", WRONG)
    assert code == 1
    line = next(line for line in output.out.splitlines() if "blocked point" in line)
    assert "(MOVE-2)" in line
    assert "line " in line
    assert output.out.count("\n") > 10


@pytest.mark.parametrize("written", ["xg", "json"])
def test_a_format_without_lines_has_boards_too(capsys, tmp_path, written):
    named = tmp_path / f"match.{written}"
    named.write_bytes(WITHOUT_LINES[written])
    code, output = run(capsys, "check", named)
    assert code == 1
    assert "move 1: 6/5 cannot be played" in output.out
    assert "31: 8/4 6/5" in output.out
    assert "64: " not in output.out


def test_stake_play_is_named_as_such(capsys):
    _, output = run(capsys, "check", CLEAN, "--length", "none")
    assert "stake play, " in output.out
    assert "The record is of a match to 3, but this match is stake play." in output.out


def test_the_brief_form_has_no_boards(capsys):
    _, brief = run(capsys, "check", WRONG, "--brief")
    _, full = run(capsys, "check", WRONG)
    assert len(brief.out.splitlines()) < len(full.out.splitlines())
    assert all(line.startswith(("  ", str(WRONG))) for line in brief.out.splitlines())


def test_likely_consequences_are_counted_and_listed_on_request(capsys):
    _, folded = run(capsys, "check", WRONG, "--brief")
    _, named = run(capsys, "check", WRONG, "--brief", "--all")
    (more,) = (int(line.split()[0]) for line in folded.out.splitlines() if "more in this game" in line)
    assert more > 1
    assert folded.out.count("error: game 1") == 1
    assert named.out.count("error: game 1") == 1 + more


def test_an_unreadable_file_exits_with_two(capsys, tmp_path):
    rubbish = tmp_path / "rubbish.mat"
    rubbish.write_bytes(bytes(range(256)) * 4)
    for path in (rubbish, tmp_path / "nowhere.mat", tmp_path):
        if path != tmp_path:
            assert run(capsys, "check", path)[0] == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(capsys, "check", empty)[0] == 2


def test_a_file_that_is_far_too_large_is_not_read(capsys, tmp_path):
    large = tmp_path / "large.mat"
    large.write_bytes(b" 7 point match\n" * 400_000)
    code, output = run(capsys, "check", large)
    assert code == 2
    assert "5 MB" in output.out


def test_a_folder_is_checked_file_by_file_and_ends_with_the_worst(capsys):
    code, output = run(capsys, "check", OWN / "invalid", "--brief")
    assert code == 1 or code == 2
    records = list((OWN / "invalid").glob("*.mat"))
    assert all(record.name in output.out for record in records)


def test_json_says_the_same_as_the_text(capsys):
    code, output = run(capsys, "check", WRONG, CLEAN, "--json")
    wrong, clean = (json.loads(line) for line in output.out.splitlines())
    assert code == 1
    assert wrong["file"] == str(WRONG)
    assert wrong["problems"][0]["code"] == "blocked_point"
    assert wrong["problems"][0]["rule"] == "MOVE-2"
    assert [problem["follows"] for problem in wrong["problems"][:2]] == [False, True]
    assert clean["problems"] == []
    assert clean["is_finished"]
    assert len(clean["games"]) == len(read(CLEAN.read_bytes()).games)


def test_the_posted_length_is_compared_with_the_record(capsys):
    code, output = run(capsys, "check", CLEAN, "--length", 5)
    assert code == 1
    assert "match to 3, but this match is to 5" in output.out
    assert "Resume the match" in output.out


def test_a_ruleset_is_named_or_handed_in(capsys, tmp_path):
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"cube": False}))
    doubled = OWN / "invalid" / "0093_crawford_double.mat"
    assert "played without a cube" in run(capsys, "check", doubled, "--ruleset", own, "--brief")[1].out
    for preset in PRESETS:
        assert run(capsys, "check", CLEAN, "--ruleset", preset)[0] in (0, 1)


@pytest.mark.parametrize("content", ["{", '{"cube": 3}', "[]", '{"nonsense": 1}'])
def test_a_ruleset_that_is_none_is_refused_in_a_sentence(capsys, tmp_path, content):
    own = tmp_path / "own.json"
    own.write_text(content)
    code, output = run(capsys, "check", CLEAN, "--ruleset", own)
    assert code == 2
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("length", ["0", "-1", "1000", "x"])
def test_an_impossible_length_is_refused(length):
    with pytest.raises(SystemExit) as ended:
        main(["check", str(CLEAN), "--length", length])
    assert ended.value.code == 2


def test_show_draws_the_turns_of_one_move(capsys):
    code, output = run(capsys, "show", CLEAN, "--game", 1, "--move", 2)
    assert code == 0
    assert output.out.count("Game 1, move 2") == 2
    assert output.out.count("0 of 3 points") == 4


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("4HPwATDgc/ABMA", ["X on roll", "cube 1, centred", "167 pips"]),
        ("4HPwATDgc/ABMA:MYGqACAAGAAE", ["X rolls 52", "2 of 5 points"]),
        ("XGID=-b----E-C---eE---c-e----B-:1:1:1:63:4:2:0:7:10", ["X rolls 63", "cube 2, owned by X", "4 of 7 points"]),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:6:3:1:7:10", ["X on roll", "3 of 7 points, Crawford game"]),
    ],
)  # fmt: skip
def test_show_draws_the_position_of_an_id(capsys, named, words):
    code, output = run(capsys, "show", named)
    assert code == 0
    assert all(word in output.out for word in words), output.out


@pytest.mark.parametrize("named", ["////////////////", "//////////////", "XGID=-b----E-C---eE---c-e----B-:x"])
def test_show_refuses_an_id_of_nothing_in_a_sentence(capsys, named):
    code, output = run(capsys, "show", named)
    assert code == 2
    assert output.err.count("\n") == 1


def test_show_names_the_games_and_moves_that_exist(capsys):
    code, output = run(capsys, "show", CLEAN, "--game", 99)
    assert code == 2
    assert "the record has" in output.err
    code, output = run(capsys, "show", CLEAN, "--game", 1, "--move", 999)
    assert code == 2
    assert "game 1 has" in output.err


def test_convert_writes_what_reads_back_the_same(capsys, tmp_path):
    out = tmp_path / "record.json"
    assert run(capsys, "convert", CLEAN, "--to", "json", "--out", out)[0] == 0
    first, again = read(CLEAN.read_bytes()), read(out.read_bytes())
    assert [len(game.actions) for game in again.games] == [len(game.actions) for game in first.games]
    assert again.length == first.length
    code, output = run(capsys, "convert", CLEAN, "--to", "mat")
    assert code == 0
    assert "3 point match" in output.out


def test_convert_never_overwrites(capsys, tmp_path):
    out = tmp_path / "there.json"
    out.write_text("mine")
    code, output = run(capsys, "convert", CLEAN, "--out", out)
    assert code == 2
    assert "exists already" in output.err
    assert out.read_text() == "mine"


def test_bench_measures_whole_records_and_single_rolls(capsys, tmp_path):
    shutil.copy(CLEAN, tmp_path)
    code, output = run(capsys, "bench", tmp_path, "--rounds", 1)
    assert code == 0
    assert "microseconds a roll" in output.out
    assert "all legal plays" in output.out


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_long_work_shows_how_far_it_is_and_short_work_nothing():
    long, short = Terminal(), Terminal()
    for out, whole in ((long, 50), (short, 3)):
        with Progress(whole, out) as progress:
            for _ in range(whole):
                progress.step()
    assert "25 of 50 (50 %)" in long.text
    assert short.text == ""


def test_the_command_needs_no_setup():
    """No Django, no settings, no third-party package: `python -S` does not even see them."""
    ended = subprocess.run(
        [sys.executable, "-S", "-m", "rules", "check", str(CLEAN)],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
