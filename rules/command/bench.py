"""`bench`: how fast records are checked here, beside a reader that replays without rules where it is installed.

The only room of the rules that looks at a clock.
"""

import argparse
import importlib
import statistics
import sys
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

from rules.board.plays import legal_plays
from rules.board.position import Position
from rules.command.files import CannotUse, files_in
from rules.command.progress import Progress
from rules.judge import judge, stages
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
    texts = _texts(given.folder)
    rolls = sum(_rolls(text) for text in texts)
    peer = _peer()
    ours, theirs = [], []
    with Progress(given.rounds, sys.stderr) as progress:
        for _ in range(given.rounds):
            ours.append(_time(lambda text: judge(read(text.encode()), _RULES), texts))
            if peer is not None:
                theirs.append(_time(peer, texts))
            progress.step()
    print(f"{len(texts)} records, {rolls} rolls, {given.rounds} rounds")
    _tell("read and judged by every rule", ours, rolls)
    if theirs:
        _tell(f"{_PEER}.convert_mat, replayed without rules", theirs, rolls)
        print(f"ratio: {statistics.median(ours) / statistics.median(theirs):.3f}")
    else:
        print(f"{_PEER} is not installed: nothing to compare with")
    _enumerate(texts)
    return 0


def _texts(folder: str) -> list[str]:
    """The text records of a folder, leaving out what cannot be read. Raises CannotUse if none is left."""
    found = []
    for path in files_in([folder]):
        if path.suffix in (".mat", ".txt"):
            text = path.read_bytes().decode("utf-8-sig", "replace")
            if read(text.encode()).games:
                found.append(text)
    if not found:
        raise CannotUse(f"There are no text match records in {folder}.")
    return found


def _rolls(text: str) -> int:
    return sum(game.rolls for game in judge(read(text.encode()), _RULES).games)


def _peer() -> Callable[[str], object] | None:
    """The other reader's replay, if it is installed. What it cannot read costs it only the time that it took."""
    try:
        convert = importlib.import_module(_PEER).convert_mat
    except ImportError:
        return None

    def work(text: str) -> None:
        with suppress(Exception):
            convert(text)

    return work


def _time(work: Callable[[str], object], texts: list[str]) -> float:
    begun = perf_counter()
    for text in texts:
        work(text)
    return perf_counter() - begun


def _tell(name: str, seconds: list[float], rolls: int) -> None:
    middle = statistics.median(seconds)
    each = 1e6 / rolls
    spread = f"{min(seconds) * each:.1f} to {max(seconds) * each:.1f}"
    print(f"{name}: {middle * each:.1f} microseconds a roll ({spread}), {rolls / middle:,.0f} rolls a second")


def _enumerate(texts: list[str]) -> None:
    """All legal plays of every roll that was thrown in these records."""
    thrown = [pair for text in texts for pair in _thrown(text)]
    begun = perf_counter()
    for position, dice in thrown:
        legal_plays(position, dice)
    seconds = perf_counter() - begun
    print(f"all legal plays: {len(thrown) / seconds:,.0f} rolls a second")


def _thrown(text: str) -> list[tuple[Position, tuple[int, int]]]:
    record = read(text.encode())
    numbers = range(1, len(record.games) + 1)
    seen = (stage for number in numbers[:3] for stage in stages(record, _RULES, number))
    return [(stage.position, stage.dice) for stage in seen if stage.dice is not None]
