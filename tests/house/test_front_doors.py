"""Work packages know no HTTP, and front doors fetch rows through `access` and `queries` only."""

import ast
from collections.abc import Iterator

from tests.house.tree import module, place, python_files, tree

FRONT_DOORS = {"api", "pages", "web", "templatetags", "tasks", "management", "rehearsal", "demo", "apps"}
WITHOUT_MANAGERS = {"api", "pages", "templatetags", "tasks", "management"}
HTTP = ("django.http", "django.shortcuts", "django.views", "django.middleware", "rest_framework")


def test_work_packages_do_not_import_http():
    violations = [
        f"{place(path)}: {name}"
        for path in python_files(product_only=True)
        if module(path).split(".")[0] in {"tournament", "matches"}
        if not FRONT_DOORS & set(module(path).split(".")[1:2])
        for name in imported_modules(tree(path))
        if name.startswith(HTTP)
    ]
    assert violations == []


def test_front_doors_do_not_use_model_managers():
    violations = [
        f"{place(path)}:{node.lineno}"
        for path in python_files(product_only=True)
        if module(path).split(".")[0] == "tournament" and set(module(path).split(".")[1:2]) & WITHOUT_MANAGERS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}
    ]
    assert violations == []


def imported_modules(parsed: ast.Module) -> Iterator[str]:
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
