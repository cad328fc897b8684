"""Input from clients never makes the server open a connection: only listed modules import network code."""

import ast

from tests.house.tree import module, python_files, tree

ROOMS = ("tournament", "matches", "rules")
WAYS_OUT = {
    "urllib.request",
    "http.client",
    "socket",
    "ssl",
    "requests",
    "httpx",
    "aiohttp",
    "smtplib",
    "ftplib",
}
ALLOWED = {
    "tournament.rehearsal.wire": "simulated players ask our own server over HTTP",
    "tournament.web.addresses": "reads which addresses this machine has",
}


def test_only_listed_modules_open_connections():
    modules = {
        module(path)
        for path in python_files(product_only=True)
        if module(path).startswith(ROOMS) and imported(tree(path)) & WAYS_OUT
    }
    assert modules == set(ALLOWED)


def imported(node: ast.AST) -> set[str]:
    names: set[str] = set()
    for statement in ast.walk(node):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            names |= {
                statement.module or "",
                *(f"{statement.module}.{alias.name}" for alias in statement.names),
            }
    return names
