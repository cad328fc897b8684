"""Patterns mean the same on every Python the product runs on."""

import ast
import re

from tests.house.tree import place, python_files, tree

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")


def test_no_pattern_repeats_a_group_possessively():
    """Before Python 3.11.5 such a group keeps what its last, failed round has eaten; `(?>…)` does not."""
    found = [
        f"{place(path)}:{node.lineno}"
        for path in python_files(product_only=True)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if POSSESSIVE_GROUP.search(node.value)
    ]
    assert found == []
