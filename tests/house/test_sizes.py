"""Modules and functions stay small, and every module has a docstring."""

import ast

from tests.house.tree import place, python_files, tree

LONGEST_MODULE, LONGEST_TEST_MODULE, LONGEST_FUNCTION = 400, 600, 40
ONE_FILE = {"docs/verify_draw.py": 450}
"""Downloaded as a single file, so it cannot be split."""
SHORT_ENOUGH_TO_SPEAK_FOR_ITSELF = 15


def test_modules_stay_short():
    long = {}
    for path in python_files():
        usual = LONGEST_TEST_MODULE if place(path).parts[0] == "tests" else LONGEST_MODULE
        most = ONE_FILE.get(str(place(path)), usual)
        lines = path.read_text().count("\n")
        if lines > most:
            long[str(place(path))] = lines
    assert long == {}


def test_functions_stay_short():
    long = {}
    for path in python_files(product_only=True):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long[f"{place(path)}:{node.lineno} {node.name}"] = lines
    assert long == {}


def test_every_module_has_a_docstring():
    silent = [
        str(place(path))
        for path in python_files(product_only=True)
        if path.read_text().count("\n") > SHORT_ENOUGH_TO_SPEAK_FOR_ITSELF
        and not ast.get_docstring(tree(path))
    ]
    assert silent == []


def test_no_module_has_a_vague_name():
    """Django requires the module name `base` for a database backend."""
    nothing = {"services", "utils", "helpers", "common", "base", "managers", "misc"}
    named = [str(place(path)) for path in python_files() if path.stem in nothing]
    assert [path for path in named if path != "deploy/sqlite/base.py"] == []
