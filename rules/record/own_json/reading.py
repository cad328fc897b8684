"""Reads our own JSON. A wrong value becomes a problem that says where it is; what is right around it is kept."""

import json
import re
from collections.abc import Mapping
from typing import Any

from rules.board.notation import parse_play
from rules.reading import ImpossibleError, Reader, WrongTypeError
from rules.record.model import Action, CubeAction, CubeStep, Format, Record, RecordedGame, Resignation, Roll
from rules.record.notes import Notes, shortened
from rules.record.own_json import fields
from rules.score import Penalty, Side

_MOST_BRACKETS = 600_000
_MISSING = object()
_OPENS = re.compile(r'[\s\ufeff]*+\{\s*+"')
_SIDES = {side.value: side for side in Side}
_STEPS = {step.value: step for step in CubeStep}
_DICE = {(one, two): (one, two) for one in range(1, 7) for two in range(1, 7)}
_ROLL_FIELDS = frozenset(("kind", "side", "dice", "play", "passes"))
_CUBE_FIELDS = frozenset(("kind", "side", "value"))
_RESIGNATION_FIELDS = frozenset(("kind", "side", "win"))
_RECORD_FIELDS = frozenset((*fields.RECORD, "backgammon_record", "entries"))
_GAME_FIELDS = frozenset((*fields.GAME, "kind", "actions"))


def looks_like_json(text: str) -> bool:
    """Whether this text begins as a JSON object does."""
    return _OPENS.match(text) is not None


def read_json(text: str) -> Record:
    """The record that this text is. Never raises."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        return _nothing("json_too_large")
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as broken:
        return _nothing("json_not_understood", line=broken.lineno)
    except (ValueError, RecursionError):  # numbers of thousands of digits, lists in lists in lists
        return _nothing("json_not_understood", line=1)
    if not isinstance(data, dict) or data.get("backgammon_record") != fields.VERSION:
        return _nothing("not_a_record")
    return _Reader().read(data)


def _nothing(code: str, line: int | None = None) -> Record:
    notes = Notes()
    notes.report(code, line=line)
    return Record(Format.JSON, 0, problems=tuple(notes.problems))


class _Reader:
    def __init__(self) -> None:
        self.notes = Notes()
        self.games = 0

    def read(self, data: dict[str, Any]) -> Record:
        self._unknown("", data, _RECORD_FIELDS)
        if "length" not in data:
            self.notes.report("length_not_told")
        found = self._values("", data, fields.RECORD)
        entries = self._list("entries", data.get("entries", []))
        read = [self._entry(f"entries[{place}]", raw) for place, raw in enumerate(entries)]
        return Record(
            format=Format.JSON,
            length=found.pop("length", 0),
            entries=tuple(entry for entry in read if entry is not None),
            problems=tuple(self.notes.problems),
            **found,
        )

    def _entry(self, place: str, raw: object) -> RecordedGame | Penalty | None:
        kind = raw.get("kind") if isinstance(raw, dict) else None
        if isinstance(raw, dict) and kind == "game":
            self.games += 1
            return self._game(place, raw)
        if isinstance(raw, dict) and kind == "penalty":
            return self._penalty(place, raw)
        self._wrong(place, "a game or a penalty")
        return None

    def _penalty(self, place: str, raw: dict[str, Any]) -> Penalty | None:
        told = {name: value for name, value in raw.items() if name != "kind"}
        penalty: Penalty | None = self._value(place, told, fields.penalty, None)
        return penalty

    def _game(self, place: str, raw: dict[str, Any]) -> RecordedGame:
        self._unknown(place + ".", raw, _GAME_FIELDS)
        found = self._values(place + ".", raw, fields.GAME)
        actions = self._list(f"{place}.actions", raw.get("actions", []))
        read = [self._action(f"{place}.actions", at, action) for at, action in enumerate(actions)]
        found["is_crawford"] = found.pop("crawford", None)
        return RecordedGame(actions=tuple(action for action in read if action is not None), **found)

    def _action(self, place: str, at: int, raw: object) -> Action | None:
        """Cheap for what is right: places are spelled out only for what is wrong."""
        kind, written = (raw.get("kind"), raw.get("side")) if isinstance(raw, dict) else (None, None)
        side = _SIDES.get(written) if isinstance(written, str) else None
        if not isinstance(raw, dict) or not isinstance(kind, str) or side is None:
            self._wrong(f"{place}[{at}]", "an action with its kind and its side")
            return None
        if kind == "roll":
            return self._roll(place, at, raw, side)
        if kind in _STEPS:
            return self._cube_action(f"{place}[{at}].", raw, side, _STEPS[kind])
        if kind == "resignation":
            self._unknown(f"{place}[{at}].", raw, _RESIGNATION_FIELDS)
            return Resignation(side, self._optional(f"{place}[{at}].win", raw.get("win"), fields.win), None)
        self._wrong(f"{place}[{at}].kind", "roll, double, take, drop, beaver or resignation")
        return None

    def _roll(self, place: str, at: int, raw: dict[str, Any], side: Side) -> Roll | None:
        if not raw.keys() <= _ROLL_FIELDS:
            self._unknown(f"{place}[{at}].", raw, _ROLL_FIELDS)
        dice = _dice(raw.get("dice"))
        if dice is None:
            self._wrong(f"{place}[{at}].dice", "two numbers from 1 to 6")
            return None
        written, passes = raw.get("play", ""), raw.get("passes", False)
        play = parse_play(written) if isinstance(written, str) else None
        if play is None and written is not None:
            self._wrong(f"{place}[{at}].play", "a play such as 24/18 13/11")
        if not isinstance(passes, bool):
            self._wrong(f"{place}[{at}].passes", "true or false")
        return Roll(side, dice, play, None, passes is True)

    def _cube_action(self, place: str, raw: dict[str, Any], side: Side, step: CubeStep) -> CubeAction:
        self._unknown(place, raw, _CUBE_FIELDS)
        return CubeAction(side, step, self._optional(f"{place}value", raw.get("value"), fields.number), None)

    def _values(self, place: str, raw: dict[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
        """The fields that are there and right."""
        read = {
            name: self._value(place + name, raw[name], reader, _MISSING)
            for name, reader in readers.items()
            if name in raw
        }
        return {name: value for name, value in read.items() if value is not _MISSING}

    def _value(self, place: str, value: object, reader: Reader, otherwise: object) -> Any:
        try:
            return reader(value)
        except (WrongTypeError, ImpossibleError) as wrong:
            self._wrong(place, str(wrong))
            return otherwise

    def _optional(self, place: str, value: object, reader: Reader) -> Any:
        return None if value is None else self._value(place, value, reader, None)

    def _list(self, place: str, value: object) -> list[Any]:
        if isinstance(value, list):
            return value
        self._wrong(place, "a list")
        return []

    def _unknown(self, place: str, raw: dict[str, Any], known: frozenset[str]) -> None:
        for name in raw.keys() - known:
            self.notes.report("json_unknown_field", game=self.games or None, text=place + shortened(name))

    def _wrong(self, place: str, expected: str) -> None:
        self.notes.report("json_wrong_value", game=self.games or None, text=place, expected=expected)


def _dice(value: object) -> tuple[int, int] | None:
    if type(value) is not list or len(value) != 2:
        return None
    one, two = value
    return _DICE.get((one, two)) if type(one) is int and type(two) is int else None
