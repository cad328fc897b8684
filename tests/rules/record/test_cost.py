"""No file of the largest size takes more memory or time than a worker has to spare."""

import cProfile
import pstats
import subprocess
import sys

import pytest

from rules.command.files import LARGEST_FILE_BYTES
from rules.judge import judge
from rules.record.reading import read
from rules.ruleset import PRESETS

MOST_MEGABYTES = 200
MEASURED = """
import resource, sys
from rules.judge import judge
from rules.record.reading import read
from rules.ruleset import PRESETS

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
judge(read(sys.stdin.buffer.read()), PRESETS["tournament"])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
HEAD = b"(;FF[4]GM[6]"


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"PW" + b"[]" * (LARGEST_FILE_BYTES // 2 - 10),
        HEAD + b"C[" + b"\\" * (LARGEST_FILE_BYTES - 20),
        HEAD + b"C[" + b"\\" * (LARGEST_FILE_BYTES - 20) + b"])",
        HEAD + b"A[]" * (LARGEST_FILE_BYTES // 3 - 10),
        (HEAD + b")") * (LARGEST_FILE_BYTES // 13),
    ],
    ids=["values", "open escapes", "escapes", "properties", "games"],
)
def test_the_largest_tree_takes_little_memory(data):
    assert len(data) <= LARGEST_FILE_BYTES
    done = subprocess.run([sys.executable, "-c", MEASURED], input=data, capture_output=True, check=True)
    assert int(done.stdout) < MOST_MEGABYTES


LEFT = ["8/7", "7/6", "8/7", "7/6", "6/5", "6/5", "6/5", "5/4", "5/4", "5/4", "5/4", "4/3"]
RIGHT = ["8/7", "7/6", "8/7", "7/6", "8/7", "7/6", "6/5", "6/5", "6/5", "5/4", "5/4", "4/3"]
MOST_CALLS_A_ROLL = 200


def one_die_of_each_double(games: int) -> str:
    rows = [
        f"{row:>3}) 11: {left:<28}11: {right}"
        for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True), 2)
    ]
    first = f"  1) 31: {'8/5 6/5':<28}11: 6/5"
    lines = [" 0 point match"]
    for won in range(games):
        lines += [f" Game {won + 1}", f" A : {won:<28}B : 0", first, *rows, "      Wins 1 point"]
    return "\n".join(lines)


def test_one_die_of_each_double_costs_little_where_one_is_enough():
    record = read(one_die_of_each_double(20).encode())
    profile = cProfile.Profile()
    profile.enable()
    verdict = judge(record, PRESETS["fundex-5730"])
    profile.disable()
    assert [problem.code for problem in verdict.problems] == []
    calls = pstats.Stats(profile).total_calls
    assert calls < MOST_CALLS_A_ROLL * sum(game.rolls for game in verdict.games)
