"""`bench`: how fast records are checked here, beside a reader that replays without rules where it is installed.

The only room of the rules that looks at a clock.
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
from rules.command.files import CannotUse, files_in
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


def run(given: argparse.Namespace) -> int:
    """Whole files read and judged, interleaved with the peer's replay of the same files, then rolls enumerated."""
    paths = _records(given.folder)
    rolls = sum(game.rolls for path in paths for game in _judged(path).games)
    peer = _peer()
    ours, theirs, failed = [], [], 0
    with Progress(given.rounds, sys.stderr) as progress:
        for _ in range(given.rounds):
            ours.append(_time(_judged, paths)[0])
            if peer is not None:
                seconds, failed = _time(peer, paths)
                theirs.append(seconds)
            progress.step()
    print(f"{len(paths)} records, {rolls} rolls, {given.rounds} rounds")
    _tell("read and judged by every rule", ours, rolls)
    if theirs:
        _tell(f"{_PEER}.convert_mat, replayed without rules ({failed} records refused)", theirs, rolls)
        print(f"ratio: {statistics.median(ours) / statistics.median(theirs):.3f}")
    else:
        print(f"{_PEER} is not installed: nothing to compare with")
    _enumerate(paths)
    return 0


def _records(folder: str) -> list[Path]:
    """The text records of a folder. Raises CannotUse if there are none."""
    found = [path for path in files_in([folder]) if path.suffix in (".mat", ".txt") and _judged(path).games]
    if not found:
        raise CannotUse(f"There are no text match records in {folder}.")
    return found


def _judged(path: Path) -> Verdict:
    return judge(read(path.read_bytes(), path.name), _RULES)


def _peer() -> Callable[[Path], object] | None:
    """The other reader's replay, if it is installed."""
    try:
        return importlib.import_module(f"{_PEER}.mat").convert_mat  # type: ignore[no-any-return]
    except ImportError:
        return None


def _time(work: Callable[[Path], object], paths: list[Path]) -> tuple[float, int]:
    """Seconds for all of them, and how many were refused; those cost only the time until then."""
    refused = 0
    begun = perf_counter()
    for path in paths:
        try:
            work(path)
        except Exception:  # noqa: BLE001  # another library's, of any kind
            refused += 1
    return perf_counter() - begun, refused


def _tell(name: str, seconds: list[float], rolls: int) -> None:
    middle = statistics.median(seconds)
    each = 1e6 / rolls
    spread = f"{min(seconds) * each:.1f} to {max(seconds) * each:.1f}"
    print(f"{name}: {middle * each:.1f} microseconds a roll ({spread}), {rolls / middle:,.0f} rolls a second")


def _enumerate(paths: list[Path]) -> None:
    """All legal plays of every roll that was thrown in the first games of these records."""
    thrown = [pair for path in paths for pair in _thrown(path)]
    begun = perf_counter()
    for position, dice in thrown:
        legal_plays(position, dice)
    seconds = perf_counter() - begun
    print(f"all legal plays of {len(thrown)} rolls: {len(thrown) / seconds:,.0f} rolls a second")


def _thrown(path: Path) -> list[tuple[Position, tuple[int, int]]]:
    record = read(path.read_bytes(), path.name)
    seen = (stage for number in (1, 2, 3) for stage in turns(record, _RULES, number))
    return [(stage.position, stage.dice) for stage in seen if stage.dice is not None]
