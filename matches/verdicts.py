"""Judges a file by the rules of its match and returns the verdict as plain JSON. Writes nothing.

The bytes may be anything. `rules` never raises on them and limits its own work; the verdict is limited to a
size that can be stored and shown, without characters that a database refuses.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from matches.game_records import Judgement
from matches.models import Match, RecordState
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
TurnsByPlace = Mapping[tuple[int | None, int | None, str | None], Turn]


def judge_file(data: bytes, name: str, match: Match) -> Judgement:
    """The verdict on these bytes as a record of this match."""
    record = read(data, name)
    ruleset = Ruleset.from_json(match.ruleset)
    if not record.entries:
        return Judgement(RecordState.UNREADABLE, _verdict_json(record, None, {}))
    verdict = judge(record, ruleset, length=match.length, agreed=match.games)
    turns = _turns_by_place(record, ruleset, match, verdict)
    state = RecordState.TOO_MUCH if verdict.is_cut else RecordState.CHECKED
    return Judgement(state, _verdict_json(record, verdict, turns))


def _turns_by_place(record: Record, ruleset: Ruleset, match: Match, verdict: Verdict) -> TurnsByPlace:
    """The turns with problems, for as many games as the budget allows."""
    games_with_problems = {
        problem.game for problem in verdict.problems if problem.game is not None and problem.move
    }
    actions_left, drawn_games = MOST_ACTIONS_DRAWN, set()
    for number, game in enumerate(record.games, 1):
        if number in games_with_problems and len(game.actions) <= actions_left:
            drawn_games.add(number)
            actions_left -= len(game.actions)
    drawn = turns_with_problems(record, ruleset, drawn_games, length=match.length, agreed=match.games)
    return {turn.place: turn for turn in drawn}


def _verdict_json(record: Record, verdict: Verdict | None, turns: TurnsByPlace) -> Facts:
    problems = verdict.problems if verdict is not None else record.problems
    facts: Facts = {
        "format": record.format.value,
        "names": [_json_value(name) for name in record.names],
        "length": _json_value(record.length),
        "counts": _counts(problems),
        "problems": [_problem(problem, turns.get(problem.place)) for problem in problems[:MOST_PROBLEMS]],
    }
    if verdict is not None:
        facts["score"] = [_json_value(verdict.score.left), _json_value(verdict.score.right)]
        facts["is_finished"] = verdict.is_finished
        facts["games"] = [_game(game) for game in verdict.games[:MOST_GAMES]]
    return facts


def _counts(problems: Iterable[Problem]) -> dict[str, int]:
    counts = {"error": 0, "warning": 0, "remark": 0}
    for problem in problems:
        counts[problem.severity] += 1
    return counts


def _problem(problem: Problem, turn: Turn | None) -> Facts:
    facts: Facts = {
        "severity": str(problem.severity),
        "code": problem.code,
        "rule": problem.rule,
        "template": problem.template,
        "params": {name: _json_value(value) for name, value in problem.params.items()},
        "offer": str(problem.offer) if problem.offer else None,
        "game": problem.game,
        "move": problem.move,
        "line": problem.line,
        "position": _drawable(problem.position),
    }
    if turn is not None:
        facts["position"] = _drawable(position_id(turn.position))
        facts["stage"] = {
            "side": turn.side.value,
            "dice": list(turn.dice) if turn.dice else None,
            "cube": _json_value(turn.cube),
            "owner": turn.owner.value if turn.owner else None,
            "play": [[move.start, move.end] for move in turn.play or () if _is_on_the_board(move)],
        }
    return facts


def _drawable(position: str | None) -> str | None:
    """The Position ID if it is valid; the start that a record claims may be impossible."""
    try:
        return position_id(position_from_id(position)) if position else None
    except UnreadableId:
        return None


def _is_on_the_board(move: Move) -> bool:
    return OFF <= move.start <= BAR and OFF <= move.end <= BAR


def _game(game: JudgedGame) -> Facts:
    """One game for a table; `winner` is None if it is unfinished."""
    scored, entry = game.scored, game.entry
    after = scored.after if scored is not None else game.before
    return {
        "number": game.number,
        "winner": entry.winner.value if entry is not None else None,
        "credited": _json_value(scored.credited) if scored is not None else 0,
        "score": [_json_value(after.left), _json_value(after.right)],
        "is_crawford": game.is_crawford,
    }


def _json_value(value: Any) -> Any:
    """The value as JSON that every database stores and every page can show."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(max(-LARGEST_FIGURE, min(value, LARGEST_FIGURE)))
    return NOT_A_LETTER.sub("\N{REPLACEMENT CHARACTER}", str(value))[:LONGEST_TEXT]
