"""The board at a problem of a record, as a picture: drawn from what the verdict kept, never from the file."""

from typing import Any

from matches.models import GameRecord
from rules.board.ids import position_from_id
from rules.board.moves import Move
from rules.diagram import svg
from rules.score import Side
from tournament.records.player_matching import Names


def board_svg(record: GameRecord, number: int, columns: Names) -> str | None:
    """The picture for the problem of this number, counted from 1; None where there is none to draw.

    `columns` are the names of the players in the file's left and right column.
    """
    problems: list[dict[str, Any]] = (record.verdict or {}).get("problems", [])
    told = problems[number - 1] if 0 < number <= len(problems) else None
    if told is None or not told["position"]:
        return None
    position = position_from_id(told["position"])
    stage = told.get("stage")
    if stage is None:
        return svg(position)
    return svg(
        position,
        on_roll=Side(stage["side"]),
        dice=(stage["dice"][0], stage["dice"][1]) if stage["dice"] else None,
        cube=stage["cube"],
        owner=Side(stage["owner"]) if stage["owner"] else None,
        names=columns,
        play=tuple(Move(start, end) for start, end in stage["play"]),
    )
