"""Iterates over the nodes of a file in the Smart Game Format along the main line of every game.

A file is read in one pass: nesting is counted without recursion, and no pattern reads a character twice. A node
has at most 1,000 values and a value at most 10,000 escapes, because each round of a repeated group costs
memory; a longer one ends the reading. Groups are repeated inside `(?>…)`, never with `*+` or `++`: Python
before 3.11.5 matches a possessive group wrongly if its last round fails, and takes minutes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rules.record.texts import one_line

_GAME = re.compile(r"\(\s*+(?=;)")
_NODE = re.compile(
    r";\s*+"
    r"(?:([A-Za-z]++)\s*+\[([^\]\\]*+)\]\s*+)?"
    r"((?>(?:[A-Za-z]*+\s*+\[[^\]\\]*+(?>(?:\\.[^\]\\]*+){0,10000})\]\s*+){0,1000}))",
    re.DOTALL,
)
_PROPERTY = re.compile(
    r"([A-Za-z]++)\s*+((?>(?:\[[^\]\\]*+(?>(?:\\.[^\]\\]*+){0,10000})\]\s*+){1,1000}))", re.DOTALL
)
_VALUE = re.compile(r"\[([^\]\\]*+(?>(?:\\.[^\]\\]*+){0,10000}))\]", re.DOTALL)
_OPEN_VALUE = re.compile(r"[A-Za-z]*+\s*+\[")
_NEXT_SIGN = re.compile(r"[();]")
_LONGEST_TEXT = 200
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


class Node(NamedTuple):
    """`name` and `value` are of the first property, empty if it is not a plain one; `match` is the whole node."""

    name: str
    value: str
    line: int
    match: re.Match[str]


class GameTree(NamedTuple):
    """A game begins at this line."""

    line: int


class CutOff(NamedTuple):
    """The file ends at this line, inside a game."""

    line: int


def main_line_nodes(text: str) -> Iterator[Node | GameTree | CutOff]:
    """Games and the nodes of their main lines in the order of the file; variations are skipped."""
    line, counted, place = 1, 0, 0
    while (game := _GAME.search(text, place)) is not None:
        place = game.end()
        line, counted = line + text.count("\n", counted, place), place
        yield GameTree(line)
        depth, is_main = 1, True
        while depth:
            node = _NODE.match(text, place)
            if node is None:
                sign = _NEXT_SIGN.search(text, place)
                if sign is None or _OPEN_VALUE.match(text, place):
                    yield CutOff(line)
                    return
                place = sign.start()
                if sign[0] != ";":
                    place += 1
                    depth += 1 if sign[0] == "(" else -1
                    is_main = is_main and sign[0] == "("
                continue
            if is_main:
                start = node.start()
                line, counted = line + text.count("\n", counted, start), start
                yield Node(node[1] or "", node[2] or "", line, node)
            place = node.end()


def properties(node: Node) -> Iterator[tuple[str, list[str]]]:
    """All properties of a node with their values, as written."""
    for match in _PROPERTY.finditer(node.match[0]):
        yield match[1], _VALUE.findall(match[2])


def plain_text(value: str) -> str:
    """A value as one line of text, without escapes, line breaks and control characters."""
    text = _ESCAPED.sub(lambda escape: "" if escape[1][0] in "\r\n" else escape[1], value[:_LONGEST_TEXT])
    return one_line(text, _LONGEST_TEXT).strip()
