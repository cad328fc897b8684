"""Writes our own JSON: one line for each roll, without empty fields and line numbers.

The problems of the source file are not written.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rules.board.ids import position_id
from rules.board.notation import format_play
from rules.record.model import Action, Claim, CubeAction, Record, RecordedGame, Roll
from rules.record.own_json.fields import LONGEST_TEXT, MOST_TAGS, VERSION
from rules.record.texts import one_line
from rules.score import Game, Penalty

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def write_json(record: Record) -> str:
    """The record as JSON; reading it gives the same record except for lines and problems."""
    head: dict[str, Any] = {
        "backgammon_record": VERSION,
        "length": record.length,
        "names": [_line(name) for name in record.names],
        "stated": _without_nulls(asdict(record.stated)),
        "tags": [[_line(key), _line(value)] for key, value in record.tags[:MOST_TAGS]],
    }
    lines = [f"{_encoded(name)}: {_encoded(value)}" for name, value in head.items()]
    entries = ",\n".join(_entry(entry) for entry in record.entries)
    return "{\n" + ",\n".join(lines) + ',\n"entries": [\n' + entries + "\n]\n}\n"


def _entry(entry: RecordedGame | Penalty) -> str:
    if isinstance(entry, Penalty):
        return _encoded(
            {
                "kind": "penalty",
                **asdict(entry),
                "reason": _line(entry.reason),
                "given_for": _line(entry.given_for),
            }
        )
    game = _encoded(_game(entry))
    if not entry.actions:
        return game
    actions = ",\n ".join(_encoded(_action(action)) for action in entry.actions)
    return f'{game[:-1]}, "actions": [\n {actions}\n]}}'


def _game(game: RecordedGame) -> dict[str, Any]:
    values = {
        "number": game.number,
        "score": game.score,
        "crawford": game.is_crawford,
        "automatic_doubles": game.automatic_doubles,
        "start": position_id(game.start) if game.start is not None and not game.start.problem else None,
        "first": game.first,
        "claim": _claim(game.claim) if game.claim else None,
        "result": _result(game.result) if game.result else None,
    }
    return {"kind": "game", **_without_nulls(values)}


def _claim(claim: Claim) -> dict[str, Any]:
    return _without_nulls({"winner": claim.winner, "points": claim.points, "match": claim.is_last or None})


def _result(game: Game) -> dict[str, Any]:
    return _without_nulls({**asdict(game), "win": game.win.name.lower()})


def _action(action: Action) -> dict[str, Any]:
    if isinstance(action, Roll):
        roll: dict[str, Any] = {
            "kind": "roll",
            "side": action.side,
            "dice": action.dice,
            "play": None if action.play is None else format_play(action.play),
        }
        return roll | ({"passes": True} if action.says_pass else {})
    if isinstance(action, CubeAction):
        return {"kind": action.step, "side": action.side, **_without_nulls({"value": action.value})}
    win = action.win.name.lower() if action.win else None
    return {"kind": "resignation", "side": action.side, **_without_nulls({"win": win})}


def _line(text: str) -> str:
    return one_line(text, LONGEST_TEXT)


def _without_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
