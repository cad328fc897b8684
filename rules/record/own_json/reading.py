"""Reads our own JSON. A wrong value becomes a problem with its path; the correct parts are kept."""

import json
import re
from collections.abc import Mapping
from typing import Any

from rules.board.notation import parse_play
from rules.json_readers import ImpossibleError, Reader, WrongTypeError
from rules.record.model import Action, CubeAction, CubeStep, Format, Record, RecordedGame, Resignation, Roll
from rules.record.notes import Notes, shorten
from rules.record.own_json import fields
from rules.score import Penalty, Side

_MOST_BRACKETS = 600_000
_MISSING = object()
_OPENS = re.compile(r'[\s\ufeff]*+\{\s*+"')
_SIDES = {side.value: side for side in Side}
_STEPS = {step.value: step for step in CubeStep}
_DICE = {(first, second): (first, second) for first in range(1, 7) for second in range(1, 7)}
_ROLL_FIELDS = frozenset(("kind", "side", "dice", "play", "passes"))
_CUBE_FIELDS = frozenset(("kind", "side", "value"))
_RESIGNATION_FIELDS = frozenset(("kind", "side", "win"))
_RECORD_FIELDS = frozenset((*fields.RECORD, "backgammon_record", "entries"))
_GAME_FIELDS = frozenset((*fields.GAME, "kind", "actions"))


def looks_like_json(text: str) -> bool:
    """True if this text begins like a JSON object."""
    return _OPENS.match(text) is not None


def read_json(text: str) -> Record:
    """Never raises."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        return _empty_record("json_too_large")
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as broken:
        return _empty_record("json_not_understood", line=broken.lineno)
    except (ValueError, RecursionError):  # numbers with thousands of digits, deeply nested lists
        return _empty_record("json_not_understood", line=1)
    if not isinstance(data, dict) or data.get("backgammon_record") != fields.VERSION:
        return _empty_record("not_a_record")
    return _Reader().read(data)


def _empty_record(code: str, line: int | None = None) -> Record:
    notes = Notes()
    notes.report(code, line=line)
    return Record(Format.JSON, 0, problems=tuple(notes.problems))


class _Reader:
    def __init__(self) -> None:
        self.notes = Notes()
        self.games = 0

    def read(self, data: dict[str, Any]) -> Record:
        self._report_unknown_fields("", data, _RECORD_FIELDS)
        if "length" not in data:
            self.notes.report("length_not_told")
        values = self._values("", data, fields.RECORD)
        entries = self._list("entries", data.get("entries", []))
        entries_read = [self._entry(f"entries[{path}]", raw) for path, raw in enumerate(entries)]
        return Record(
            format=Format.JSON,
            length=values.pop("length", 0),
            entries=tuple(entry for entry in entries_read if entry is not None),
            problems=tuple(self.notes.problems),
            **values,
        )

    def _entry(self, path: str, raw: object) -> RecordedGame | Penalty | None:
        kind = raw.get("kind") if isinstance(raw, dict) else None
        if isinstance(raw, dict) and kind == "game":
            self.games += 1
            return self._game(path, raw)
        if isinstance(raw, dict) and kind == "penalty":
            return self._penalty(path, raw)
        self._report_wrong_value(path, "a game or a penalty")
        return None

    def _penalty(self, path: str, raw: dict[str, Any]) -> Penalty | None:
        penalty_fields = {name: value for name, value in raw.items() if name != "kind"}
        penalty: Penalty | None = self._value(path, penalty_fields, fields.penalty, None)
        return penalty

    def _game(self, path: str, raw: dict[str, Any]) -> RecordedGame:
        self._report_unknown_fields(path + ".", raw, _GAME_FIELDS)
        values = self._values(path + ".", raw, fields.GAME)
        actions = self._list(f"{path}.actions", raw.get("actions", []))
        actions_read = [
            self._action(f"{path}.actions", index, action) for index, action in enumerate(actions)
        ]
        values["is_crawford"] = values.pop("crawford", None)
        return RecordedGame(actions=tuple(action for action in actions_read if action is not None), **values)

    def _action(self, path: str, index: int, raw: object) -> Action | None:
        """Builds the path of a value only for wrong ones, because a match has thousands of actions."""
        kind, text = (raw.get("kind"), raw.get("side")) if isinstance(raw, dict) else (None, None)
        side = _SIDES.get(text) if isinstance(text, str) else None
        if not isinstance(raw, dict) or not isinstance(kind, str) or side is None:
            self._report_wrong_value(f"{path}[{index}]", "an action with its kind and its side")
            return None
        if kind == "roll":
            return self._roll(path, index, raw, side)
        if kind in _STEPS:
            return self._cube_action(f"{path}[{index}].", raw, side, _STEPS[kind])
        if kind == "resignation":
            self._report_unknown_fields(f"{path}[{index}].", raw, _RESIGNATION_FIELDS)
            return Resignation(side, self._optional(f"{path}[{index}].win", raw.get("win"), fields.win), None)
        self._report_wrong_value(f"{path}[{index}].kind", "roll, double, take, drop, beaver or resignation")
        return None

    def _roll(self, path: str, index: int, raw: dict[str, Any], side: Side) -> Roll | None:
        if not raw.keys() <= _ROLL_FIELDS:
            self._report_unknown_fields(f"{path}[{index}].", raw, _ROLL_FIELDS)
        dice = _dice(raw.get("dice"))
        if dice is None:
            self._report_wrong_value(f"{path}[{index}].dice", "two numbers from 1 to 6")
            return None
        text, passes = raw.get("play", ""), raw.get("passes", False)
        play = parse_play(text) if isinstance(text, str) else None
        if play is None and text is not None:
            self._report_wrong_value(f"{path}[{index}].play", "a play such as 24/18 13/11")
        if not isinstance(passes, bool):
            self._report_wrong_value(f"{path}[{index}].passes", "true or false")
        return Roll(side, dice, play, None, passes is True)

    def _cube_action(self, path: str, raw: dict[str, Any], side: Side, step: CubeStep) -> CubeAction:
        self._report_unknown_fields(path, raw, _CUBE_FIELDS)
        return CubeAction(side, step, self._optional(f"{path}value", raw.get("value"), fields.number), None)

    def _values(self, path: str, raw: dict[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
        """The fields that are present and correct."""
        results = {
            name: self._value(path + name, raw[name], reader, _MISSING)
            for name, reader in readers.items()
            if name in raw
        }
        return {name: value for name, value in results.items() if value is not _MISSING}

    def _value(self, path: str, value: object, reader: Reader, default: object) -> Any:
        try:
            return reader(value)
        except (WrongTypeError, ImpossibleError) as wrong:
            self._report_wrong_value(path, str(wrong))
            return default

    def _optional(self, path: str, value: object, reader: Reader) -> Any:
        return None if value is None else self._value(path, value, reader, None)

    def _list(self, path: str, value: object) -> list[Any]:
        if isinstance(value, list):
            return value
        self._report_wrong_value(path, "a list")
        return []

    def _report_unknown_fields(self, path: str, raw: dict[str, Any], known: frozenset[str]) -> None:
        for name in raw.keys() - known:
            self.notes.report("json_unknown_field", game=self.games or None, text=path + shorten(name))

    def _report_wrong_value(self, path: str, expected: str) -> None:
        self.notes.report("json_wrong_value", game=self.games or None, text=path, expected=expected)


def _dice(value: object) -> tuple[int, int] | None:
    if type(value) is not list or len(value) != 2:
        return None
    first, second = value
    return _DICE.get((first, second)) if type(first) is int and type(second) is int else None
