"""Regular expressions mean the same on every supported Python, and no text makes one slow."""

import ast
import gc
import importlib
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product

import pytest

from tests.house.tree import module, place, python_files, tree

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")
METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
LENGTH = 40_000
CPU_SECONDS = 0.4
"""Limit per text: linear matching takes at most a fortieth of it, quadratic matching several times as long."""
BEGINNINGS = (
    *("", ";", ":", "[", '[a "', '[a "b"', "(;A[", "a", "a (", "1", "1-", "A1 -", '{"', "game", "game 1"),
    *("match", "match to", "7", "7 point", "money", "3) 31: ", "1) 31: 8/5 52: ", "bar/", "<"),
)
REPEATED = (" ", "[ ", '"', '" ', "a", "1", "1 ", "(", ":", "-", ";", ".", "\\", "A[")
LAST = "\x01"
BOUNDED = {
    "rules.board.notation._LOOSE_BLANKS": 200,
    "tournament.exports.table_writers.COULD_BEGIN_ONE_INSIDE": 500,
    "tournament.room.tables.RANGE": 60,
}
"""Patterns whose texts have a limited length: plays, stored names, names of tables."""
BEHIND_ANOTHER = {"rules.record.sgf.tree._PROPERTY", "rules.record.sgf.tree._VALUE"}
"""Patterns that are only used on matches of `_NODE` in the same module."""


class TooSlow(Exception):
    """A pattern used up its processor time."""


def test_no_pattern_repeats_a_group_possessively():
    """Before Python 3.11.5 such a group keeps the text of its last, failed repetition; `(?>…)` does not."""
    matches = [
        f"{place(path)}:{node.lineno}"
        for path in python_files(product_only=True)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if POSSESSIVE_GROUP.search(node.value)
    ]
    assert matches == []


@pytest.fixture
def no_garbage_collection():
    """A collection of all objects of the test run takes longer than any pattern may."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage_collection")
def test_no_hostile_text_makes_a_pattern_slow():
    assert [
        name for name, pattern in patterns() if name not in BEHIND_ANOTHER and is_slow(name, pattern)
    ] == []


def test_the_exceptions_are_patterns_that_exist():
    assert {name for name, _ in patterns()} >= {*BOUNDED, *BEHIND_ANOTHER}


def is_slow(name: str, pattern: re.Pattern) -> bool:
    used, length = methods(*name.rsplit(".", 1)), BOUNDED.get(name, LENGTH)
    beginnings = BEGINNINGS if used <= {"match", "fullmatch"} else ("",)
    texts = [first + more * (length // len(more)) + LAST for first, more in product(beginnings, REPEATED)]
    try:
        for method, text in product(used, texts):
            with processor_time(CPU_SECONDS):
                use(pattern, method, text.encode() if isinstance(pattern.pattern, bytes) else text)
    except TooSlow:
        return True
    return False


def use(pattern: re.Pattern, method: str, text: str | bytes) -> None:
    if method == "sub":
        pattern.sub(text[:0], text)
    elif method == "finditer":
        list(pattern.finditer(text))
    else:
        getattr(pattern, method)(text)


def patterns() -> Iterator[tuple[str, re.Pattern]]:
    """Returns every compiled pattern of the product, also those in tuples."""
    for path in python_files(product_only=True):
        if "re.compile(" in path.read_text() and "bench" not in path.parts:
            for name, value in vars(importlib.import_module(module(path))).items():
                for pattern in _flat(value):
                    yield f"{module(path)}.{name}", pattern


def _flat(value: object) -> Iterator[re.Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _flat(part)


def methods(place_of: str, name: str) -> frozenset[str]:
    """Returns the methods that the product calls on the pattern; for a tuple, all methods in its module."""
    own = {(name_used, method) for where, name_used, method in uses() if where == place_of}
    matches = own if name.startswith("_") else {(name_used, method) for _, name_used, method in uses()}
    return frozenset(
        {method for name_used, method in matches if name_used == name} or {method for _, method in own}
    )


@cache
def uses() -> frozenset[tuple[str, str, str]]:
    """Returns module, name and method of each call that looks like a use of a pattern."""
    return frozenset(
        (module(path), ast.unparse(node.value).rpartition(".")[2], node.attr)
        for path in python_files(product_only=True)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in METHODS
    )


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    def over(*_):
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
