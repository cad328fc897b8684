"""What people send never makes the server ask another one: no page, task or rule opens a connection by itself."""

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
MAY = {
    "tournament.rehearsal.wire": "simulated players ask our own server over HTTP",
    "tournament.web.addresses": "reads which addresses this machine has",
}


def test_only_listed_modules_open_connections():
    found = {
        module(path)
        for path in python_files(product_only=True)
        if module(path).startswith(ROOMS) and imported(tree(path)) & WAYS_OUT
    }
    assert found == set(MAY)


def imported(node: ast.AST) -> set[str]:
    names: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Import):
            names |= {alias.name for alias in one.names}
        elif isinstance(one, ast.ImportFrom):
            names |= {one.module or "", *(f"{one.module}.{alias.name}" for alias in one.names)}
    return names
