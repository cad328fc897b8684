"""`show`: draws a game of a record, one turn or all of them, or the position of an ID."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules.board.ids import UnreadableId, from_xgid, position_from_id, situation_from_match_id
from rules.board.position import Position
from rules.board.situation import Situation
from rules.command.drawing import board_of, board_of_id
from rules.command.files import CannotUse, add_rules, record_in, ruleset_for, ruleset_named
from rules.judge import turns

_XGID_SIGNS = 26
_POSITION_ID_SIGNS = 14


def add_to(commands: Any) -> None:
    parser = commands.add_parser("show", help="draw a game of a record, or a position")
    parser.add_argument(
        "file", metavar="FILE", help="a record; or an XGID, or a Position ID, alone or with :MATCH-ID"
    )
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game (default: the first)")
    parser.add_argument("--move", type=int, default=None, metavar="N", help="which move (default: all)")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Draws both turns of the move, or all turns of the game. Raises CannotUse if there is none."""
    if not Path(given.file).exists() and (named := _named(given.file)) is not None:
        print(board_of_id(*named))
        return 0
    record = record_in(Path(given.file))
    game = turns(record, ruleset_for(record, ruleset_named(given.ruleset)), given.game, length=given.length)
    if not game:
        raise CannotUse(f"There is no game {given.game}: the record has {len(record.games)}.")
    shown = [stage for stage in game if given.move in (None, stage.move)]
    if not shown:
        raise CannotUse(f"There is no move {given.move}: game {given.game} has {game[-1].move}.")
    for stage in shown:
        print(f"Game {stage.game}, move {stage.move}")
        print(board_of(stage, record.names))
        for found in stage.problems:
            print(f"  {found.severity}: {found.sentence}")
        print()
    return 0


def _named(text: str) -> tuple[Position, Situation | None] | None:
    """What an ID names; None for what looks like none. Raises CannotUse for one that is wrong."""
    if ":" in text and len(text.removeprefix("XGID=").partition(":")[0]) == _XGID_SIGNS:
        return _read(lambda: from_xgid(text))
    position, _, beside = text.partition(":")
    if len(position) != _POSITION_ID_SIGNS or "." in position:
        return None
    return _read(lambda: (position_from_id(position), situation_from_match_id(beside) if beside else None))


def _read(reading: Callable[[], tuple[Position, Situation | None]]) -> tuple[Position, Situation | None]:
    try:
        return reading()
    except UnreadableId as wrong:
        raise CannotUse(str(wrong)) from None
