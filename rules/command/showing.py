"""`show`: draws a game of a record, one turn or all of them."""

import argparse
from pathlib import Path
from typing import Any

from rules.command.drawing import board_of
from rules.command.files import CannotUse, add_rules, record_in, ruleset_for, ruleset_named
from rules.judge import stages


def add_to(commands: Any) -> None:
    parser = commands.add_parser("show", help="draw a game of a record")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game (default: the first)")
    parser.add_argument("--move", type=int, default=None, metavar="N", help="which move (default: all)")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Draws both turns of the move, or all turns of the game. Raises CannotUse if there is none."""
    record = record_in(Path(given.file))
    game = stages(record, ruleset_for(record, ruleset_named(given.ruleset)), given.game, length=given.length)
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
