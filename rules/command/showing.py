"""`show`: draws turns of a recorded game, or the position of an ID."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules.board.ids import UnreadableId, from_xgid, position_from_id, situation_from_match_id
from rules.board.position import Position
from rules.board.situation import Situation
from rules.command.drawing import board_of, board_of_id
from rules.command.files import InputError, add_rules, load_record, load_ruleset, ruleset_for
from rules.judge import turns

_XGID_LENGTH = 26
_POSITION_ID_LENGTH = 14


def add_to(commands: Any) -> None:
    parser = commands.add_parser("show", help="draw a game of a record, or a position")
    parser.add_argument(
        "file", metavar="FILE", help="a record; or an XGID, or a Position ID, alone or with :MATCH-ID"
    )
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game (default: the first)")
    parser.add_argument("--move", type=int, default=None, metavar="N", help="which move (default: all)")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draws both turns of the move, or all turns of the game. Raises InputError if there are none."""
    if not Path(options.file).exists() and (position := _position_of_id(options.file)) is not None:
        print(board_of_id(*position))
        return 0
    record = load_record(Path(options.file))
    game = turns(
        record, ruleset_for(record, load_ruleset(options.ruleset)), options.game, length=options.length
    )
    if not game:
        raise InputError(f"There is no game {options.game}: the record has {len(record.games)}.")
    turns_of_move = [turn for turn in game if options.move in (None, turn.move)]
    if not turns_of_move:
        raise InputError(f"There is no move {options.move}: game {options.game} has {game[-1].move}.")
    for turn in turns_of_move:
        print(f"Game {turn.game}, move {turn.move}")
        print(board_of(turn, record.names))
        for problem in turn.problems:
            print(f"  {problem.severity}: {problem.sentence}")
        print()
    return 0


def _position_of_id(text: str) -> tuple[Position, Situation | None] | None:
    """The position of an ID; None if the text is no ID. Raises InputError for a wrong ID."""
    if ":" in text and len(text.removeprefix("XGID=").partition(":")[0]) == _XGID_LENGTH:
        return _parse_id(lambda: from_xgid(text))
    position, _, match_id = text.partition(":")
    if len(position) != _POSITION_ID_LENGTH or "." in position:
        return None
    return _parse_id(
        lambda: (position_from_id(position), situation_from_match_id(match_id) if match_id else None)
    )


def _parse_id(parse: Callable[[], tuple[Position, Situation | None]]) -> tuple[Position, Situation | None]:
    try:
        return parse()
    except UnreadableId as error:
        raise InputError(str(error)) from None
