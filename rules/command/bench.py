"""`bench`: measures how fast records are checked, next to a reader that replays without rules if it is installed.

The only module of the rules that reads a clock.
"""

import argparse
import importlib
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from rules.board.plays import legal_plays
from rules.board.position import Position
from rules.command.files import InputError, find_files
from rules.command.progress import Progress
from rules.judge import Verdict, judge, turns
from rules.record.reading import read
from rules.ruleset import PRESETS

_RULES = PRESETS["standard"]
_PEER = "gvformat"


def add_to(commands: Any) -> None:
    parser = commands.add_parser("bench", help="measure how fast records are checked")
    parser.add_argument("folder", metavar="DIR", help="a folder of text match records")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of each (default: 5)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Reads and judges whole files, in turn with the peer's replay, then generates legal plays."""
    paths = _records(options.folder)
    rolls = sum(game.rolls for path in paths for game in _judged(path).games)
    peer = _peer()
    own_seconds, peer_seconds, failed = [], [], 0
    with Progress(options.rounds, sys.stderr) as progress:
        for _ in range(options.rounds):
            own_seconds.append(_time(_judged, paths)[0])
            if peer is not None:
                seconds, failed = _time(peer, paths)
                peer_seconds.append(seconds)
            progress.step()
    print(f"{len(paths)} records, {rolls} rolls, {options.rounds} rounds")
    _print_times("read and judged by every rule", own_seconds, rolls)
    if peer_seconds:
        _print_times(
            f"{_PEER}.convert_mat, replayed without rules ({failed} records refused)", peer_seconds, rolls
        )
        print(f"ratio: {statistics.median(own_seconds) / statistics.median(peer_seconds):.3f}")
    else:
        print(f"{_PEER} is not installed: nothing to compare with")
    _enumerate(paths)
    return 0


def _records(folder: str) -> list[Path]:
    """The text records of a folder. Raises InputError if there are none."""
    paths = [path for path in find_files([folder]) if path.suffix in (".mat", ".txt") and _judged(path).games]
    if not paths:
        raise InputError(f"There are no text match records in {folder}.")
    return paths


def _judged(path: Path) -> Verdict:
    return judge(read(path.read_bytes(), path.name), _RULES)


def _peer() -> Callable[[Path], object] | None:
    """The other reader's replay, if it is installed."""
    try:
        return importlib.import_module(f"{_PEER}.mat").convert_mat  # type: ignore[no-any-return]
    except ImportError:
        return None


def _time(work: Callable[[Path], object], paths: list[Path]) -> tuple[float, int]:
    """Seconds for all files, and the number of refused files, which cost only the time until the refusal."""
    refused = 0
    start = perf_counter()
    for path in paths:
        try:
            work(path)
        except Exception:  # noqa: BLE001  # errors of another library
            refused += 1
    return perf_counter() - start, refused


def _print_times(name: str, seconds: list[float], rolls: int) -> None:
    median = statistics.median(seconds)
    microseconds_per_roll = 1e6 / rolls
    spread = f"{min(seconds) * microseconds_per_roll:.1f} to {max(seconds) * microseconds_per_roll:.1f}"
    per_roll, per_second = median * microseconds_per_roll, rolls / median
    print(f"{name}: {per_roll:.1f} microseconds a roll ({spread}), {per_second:,.0f} rolls a second")


def _enumerate(paths: list[Path]) -> None:
    """Generates the legal plays of every roll in the first games of these records."""
    rolls = [pair for path in paths for pair in _rolls_of(path)]
    start = perf_counter()
    for position, dice in rolls:
        legal_plays(position, dice)
    seconds = perf_counter() - start
    print(f"all legal plays of {len(rolls)} rolls: {len(rolls) / seconds:,.0f} rolls a second")


def _rolls_of(path: Path) -> list[tuple[Position, tuple[int, int]]]:
    record = read(path.read_bytes(), path.name)
    all_turns = (turn for number in (1, 2, 3) for turn in turns(record, _RULES, number))
    return [(turn.position, turn.dice) for turn in all_turns if turn.dice is not None]
