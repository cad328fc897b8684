"""Reads a record, has it judged by the rules of its match, and tells the verdict as plain JSON. Writes nothing.

The bytes may be anything. `rules` never raises on them and keeps its own budget of work; what is told here is cut to
a size that can be kept and shown, and holds no letter that a database refuses.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from matches.models import Match, RecordState
from matches.recordkeeping import Judgement
from rules.board.ids import UnreadableId, position_from_id, position_id
from rules.board.moves import Move
from rules.board.position import BAR, OFF
from rules.judge import JudgedGame, Turn, Verdict, judge, turns_with_problems
from rules.problem import Problem
from rules.record.model import Record
from rules.record.reading import read
from rules.ruleset import Ruleset

MOST_PROBLEMS = 400
MOST_GAMES = 200
MOST_ACTIONS_DRAWN = 100_000
LONGEST_TEXT = 300
LARGEST_FIGURE = 10**9
NOT_A_LETTER = re.compile("[\\x00-\\x1f\\x7f\\ud800-\\udfff]")
Facts = dict[str, Any]
Drawn = Mapping[tuple[int | None, int | None, str | None], Turn]


def judged(data: bytes, name: str, match: Match) -> Judgement:
    """The verdict on these bytes as a record of this match."""
    record = read(data, name)
    ruleset = Ruleset.from_json(match.ruleset)
    if not record.entries:
        return Judgement(RecordState.UNREADABLE, _told(record, None, {}))
    verdict = judge(record, ruleset, length=match.length, agreed=match.games)
    drawn = _drawn(record, ruleset, match, verdict)
    state = RecordState.TOO_MUCH if verdict.is_cut else RecordState.CHECKED
    return Judgement(state, _told(record, verdict, drawn))


def _drawn(record: Record, ruleset: Ruleset, match: Match, verdict: Verdict) -> Drawn:
    """What stood on the board where something is wrong, for as many games as the budget holds."""
    wrong = {found.game for found in verdict.problems if found.game is not None and found.move}
    left, drawn = MOST_ACTIONS_DRAWN, set()
    for number, game in enumerate(record.games, 1):
        if number in wrong and len(game.actions) <= left:
            drawn.add(number)
            left -= len(game.actions)
    seen = turns_with_problems(record, ruleset, drawn, length=match.length, agreed=match.games)
    return {stage.place: stage for stage in seen}


def _told(record: Record, verdict: Verdict | None, drawn: Drawn) -> Facts:
    problems = verdict.problems if verdict is not None else record.problems
    facts: Facts = {
        "format": record.format.value,
        "names": [_plain(name) for name in record.names],
        "length": _plain(record.length),
        "counts": _counts(problems),
        "problems": [_problem(found, drawn.get(found.place)) for found in problems[:MOST_PROBLEMS]],
    }
    if verdict is not None:
        facts["score"] = [_plain(verdict.score.left), _plain(verdict.score.right)]
        facts["is_finished"] = verdict.is_finished
        facts["games"] = [_game(game) for game in verdict.games[:MOST_GAMES]]
    return facts


def _counts(problems: Iterable[Problem]) -> dict[str, int]:
    counts = {"error": 0, "warning": 0, "remark": 0}
    for found in problems:
        counts[found.severity] += 1
    return counts


def _problem(found: Problem, stage: Turn | None) -> Facts:
    facts: Facts = {
        "severity": str(found.severity),
        "code": found.code,
        "rule": found.rule,
        "template": found.template,
        "params": {name: _plain(value) for name, value in found.params.items()},
        "offer": str(found.offer) if found.offer else None,
        "game": found.game,
        "move": found.move,
        "line": found.line,
        "position": _drawable(found.position),
    }
    if stage is not None:
        facts["position"] = _drawable(position_id(stage.position))
        facts["stage"] = {
            "side": stage.side.value,
            "dice": list(stage.dice) if stage.dice else None,
            "cube": _plain(stage.cube),
            "owner": stage.owner.value if stage.owner else None,
            "play": [[move.start, move.end] for move in stage.play or () if _is_on_the_board(move)],
        }
    return facts


def _drawable(position: str | None) -> str | None:
    """The Position ID if it says how the board stood; what a record claims to begin with may be no position."""
    try:
        return position_id(position_from_id(position)) if position else None
    except UnreadableId:
        return None


def _is_on_the_board(move: Move) -> bool:
    return OFF <= move.start <= BAR and OFF <= move.end <= BAR


def _game(game: JudgedGame) -> Facts:
    """One game for a table; `winner` is None while it is unfinished."""
    scored, entry = game.scored, game.entry
    after = scored.after if scored is not None else game.before
    return {
        "number": game.number,
        "winner": entry.winner.value if entry is not None else None,
        "credited": _plain(scored.credited) if scored is not None else 0,
        "score": [_plain(after.left), _plain(after.right)],
        "is_crawford": game.is_crawford,
    }


def _plain(value: Any) -> Any:
    """The value as JSON that every database keeps and every page can show."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(max(-LARGEST_FIGURE, min(value, LARGEST_FIGURE)))
    return NOT_A_LETTER.sub("\N{REPLACEMENT CHARACTER}", str(value))[:LONGEST_TEXT]
