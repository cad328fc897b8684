"""Reads a file in the Smart Game Format: each game tree is a game, all of them are one match.

Unreadable parts become problems. Analysis is skipped, nothing is judged.
"""

import re
from collections.abc import Mapping

from rules.problem import problem
from rules.record.model import Format, Record, StatedRules
from rules.record.notes import Notes
from rules.record.sgf.game import GameBuilder
from rules.record.sgf.points import SIDES
from rules.record.sgf.tree import CutOff, GameTree, Node, main_line_nodes, plain_text, properties

_BACKGAMMON = "6"
_GNU = "gnu backgammon"
_VARIATIONS = ("nackgammon", "hypergammon1", "hypergammon2", "hypergammon3")
_TAGS = ("AP", "EV", "RO", "PC", "DT", "AN", "WR", "BR", "GN", "SO", "US")
_SET_UP = frozenset(("AE", "AW", "AB", "PL", "DI", "CV", "CO", "CP"))
_LONGEST_RULES = 200
_MOST_NODES = 400_000
_MOST_GAMES = 10_000
_BEGINS = re.compile(r"[\s\ufeff]*+\(\s*+;")
_MARK = re.compile(r"\(\s*+;[^()]{0,200}?GM\s*+\[\s*+6\s*+\]")


def looks_like_sgf(text: str) -> bool:
    """True if this text begins like a file in the Smart Game Format, or soon contains one for backgammon."""
    return bool(_BEGINS.match(text) or _MARK.search(text[:20_000]))


def read_sgf(text: str) -> Record:
    """Never raises."""
    return _Reader().read(text)


class _Reader:
    def __init__(self) -> None:
        self.notes = Notes()
        self.games: list[GameBuilder] = []
        self.root: dict[str, list[str]] | None = None
        self.is_other_match = False
        self.nodes = 0

    def read(self, text: str) -> Record:
        game: GameBuilder | None = None
        for item in main_line_nodes(text):
            if isinstance(item, Node):
                self.nodes += 1
                side = SIDES.get(item.name)
                if game is None:
                    game = self._begin_game(item)
                elif side is not None:
                    game.add_action(side, item.value, item.line)
                else:
                    _apply_node(game, item)
            elif isinstance(item, GameTree):
                game = None
                if len(self.games) == _MOST_GAMES:
                    self.notes.report("too_many_games", line=item.line, games=_MOST_GAMES)
                    break
            elif isinstance(item, CutOff):
                self.notes.report("file_cut_off", line=item.line)
            if self.is_other_match or self.nodes > _MOST_NODES:
                break
        return self._record()

    def _begin_game(self, node: Node) -> GameBuilder:
        """The game of this root; a game other than backgammon, or of another match, is read and not stored."""
        root = dict(properties(node))
        ignored_game = GameBuilder(0, node.line, Notes())
        if root.get("GM", [_BACKGAMMON])[0].strip() != _BACKGAMMON:
            self.notes.report("other_variation", line=node.line, variation="another game")
            return ignored_game
        if self.root is None:
            self.root = root
        elif _match_key(root) != _match_key(self.root):
            self.notes.report("second_match", line=node.line)
            self.is_other_match = True
            return ignored_game
        game = GameBuilder(len(self.games) + 1, node.line, self.notes)
        self.games.append(game)
        _describe(game, root)
        _apply_node(game, node)
        return game

    def _record(self) -> Record:
        if self.root is None or not self.games:
            problems = self.notes.problems or [problem("not_a_record")]
            return Record(Format.SGF, 0, problems=tuple(problems))
        root, length = self.root, _length(self.root)
        if self.nodes > _MOST_NODES:
            self.notes.report("too_many_rolls", rolls=_MOST_NODES)
        rules = _rules(root)
        for variation in rules & set(_VARIATIONS):
            self.notes.report("other_variation", variation=variation.rstrip("123").capitalize())
        if length == 0:
            self.notes.report("length_not_told")
        entries = tuple(game.build() for game in self.games)
        return Record(
            format=Format.SGF,
            length=length,
            names=_names(root),
            entries=entries,
            stated=_stated(root, length, [game.automatic_doubles or 0 for game in self.games]),
            tags=tuple((name, _text(root, name)) for name in _TAGS if _text(root, name)),
            problems=tuple(self.notes.problems),
        )


def _apply_node(game: GameBuilder, node: Node) -> None:
    """A node that is not a plain move: a setup, or a move among other properties."""
    for name, values in properties(node):
        if name in SIDES:
            game.add_action(SIDES[name], values[0], node.line)
        elif name in _SET_UP:
            game.apply_setup(name, values, node.line)
        elif name == "RE":
            game.result = (values[0], node.line)


def _describe(game: GameBuilder, root: Mapping[str, list[str]]) -> None:
    """Sets number, score and Crawford mark from the root. A match to 1 has no Crawford mark."""
    information, rules, length = _match_information(root), _rules(root), _length(root)
    game.number = information.get("game")
    if game.number is not None and _is_gnu(root):
        game.number += 1
    if "ws" in information and "bs" in information:
        game.score = (information["ws"], information["bs"])
    if "crawford" in rules and (length or 0) > 1:
        game.is_crawford = "crawfordgame" in rules
    if _is_gnu(root):
        game.automatic_doubles = 0


def _stated(root: Mapping[str, list[str]], length: int | None, automatic_doubles: list[int]) -> StatedRules:
    """The rules in force. Rules that are not named are off, if the file states rules at all."""
    rules, tells = _rules(root), "RU" in root or _is_gnu(root)
    return StatedRules(
        jacoby="jacoby" in rules if tells and length is None else None,
        automatic_doubles=max(automatic_doubles) or None,
        crawford="crawford" in rules if tells and length is not None and length > 1 else None,
    )


def _match_key(root: Mapping[str, list[str]]) -> tuple[int | None, tuple[str, str]]:
    return _length(root), _names(root)


def _length(root: Mapping[str, list[str]]) -> int | None:
    """None for stake play, which GNU Backgammon once wrote without match information; 0 if unknown."""
    length = _match_information(root).get("length")
    if length is None:
        return None if _is_gnu(root) else 0
    return length or None


def _match_information(root: Mapping[str, list[str]]) -> dict[str, int]:
    pairs = (value.partition(":") for value in root.get("MI", [])[:20])
    return {
        name.strip().lower(): int(number)
        for name, _, number in pairs
        if number.strip().isdecimal() and len(number) < 7
    }


def _rules(root: Mapping[str, list[str]]) -> set[str]:
    return {rule.strip().lower() for rule in root.get("RU", [""])[0][:_LONGEST_RULES].split(":")}


def _names(root: Mapping[str, list[str]]) -> tuple[str, str]:
    return _text(root, "PW"), _text(root, "PB")


def _text(root: Mapping[str, list[str]], name: str) -> str:
    return plain_text(root.get(name, [""])[0])


def _is_gnu(root: Mapping[str, list[str]]) -> bool:
    return root.get("AP", [""])[0].lower().startswith(_GNU)
