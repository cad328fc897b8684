"""Draws the position of a game record's problem as SVG, from the stored verdict and not from the file."""

from typing import Any

from django.utils.translation import gettext

from matches.models import GameRecord
from rules.board.ids import position_from_id
from rules.board.moves import Move
from rules.diagram import svg
from rules.score import Side
from tournament.records.player_matching import Names


def board_svg(record: GameRecord, number: int, columns: Names) -> str | None:
    """Returns the diagram of a problem, counted from 1, or None if the problem has no position.

    `columns` are the names of the players in the file's left and right column.
    """
    problems: list[dict[str, Any]] = (record.verdict or {}).get("problems", [])
    problem = problems[number - 1] if 0 < number <= len(problems) else None
    if problem is None or not problem["position"]:
        return None
    position = position_from_id(problem["position"])
    stage = problem.get("stage")
    if stage is None:
        return svg(position, translate=gettext)
    return svg(
        position,
        on_roll=Side(stage["side"]),
        dice=(stage["dice"][0], stage["dice"][1]) if stage["dice"] else None,
        cube=stage["cube"],
        owner=Side(stage["owner"]) if stage["owner"] else None,
        names=columns,
        play=tuple(Move(start, end) for start, end in stage["play"]),
        translate=gettext,
    )
