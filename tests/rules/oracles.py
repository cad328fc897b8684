"""Records and positions with expected results: a small committed set, and the folder BACKGAMMON_RECORDS if set.

The same tests read every set.
"""

import gzip
import json
import os
from pathlib import Path

from rules.board.ids import position_from_id
from rules.board.position import Position

OWN = Path(__file__).parent / "data" / "records"


def folders():
    """The committed set, and the folder that the environment names."""
    named = os.environ.get("BACKGAMMON_RECORDS")
    return [OWN, Path(named)] if named else [OWN]


def rows(folder, name):
    """The rows of a JSON-lines file, packed or not."""
    packed = folder / f"{name}.gz"
    with gzip.open(packed, "rt") if packed.exists() else (folder / name).open() as lines:
        for line in lines:
            yield json.loads(line)


def position_of(row):
    """The position of a row of `legal_plays`, whose counts begin with a side's own 1-point."""
    return Position(bytes([0, *row["me"]]), bytes([0, *row["opp"]]))


def legal_play_rows():
    """(position, dice, most dice, results) of every set."""
    for folder in folders():
        for row in rows(folder, "legal_plays.jsonl"):
            after = {position_from_id(text) for text in row["results"]}
            yield position_of(row), tuple(row["dice"]), row["max_dice"], after
