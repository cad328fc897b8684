"""Code about money: whole numbers only, every amount with a currency, every transfer from one module."""

import ast
from collections.abc import Iterator

from tests.house.tree import module, place, python_files, tree

PACKAGES = (
    "tournament.fees",
    "tournament.prizes",
    "tournament.ledger",
    "tournament.money",
    "tournament.pages.money",
    "tournament.queries.money",
    "tournament.api",
    "tournament.exports.money_tables",
    "tournament.exports.player_statements",
    "tournament.templatetags",
    "tournament.web.payment_ways",
    "tournament.queries.corrections.money_changes",
    "tournament.queries.standings.prizes",
    "tournament.drawing.jackpots",
    "tournament.demo.money",
    "tournament.rehearsal.cash_desk",
)
WITHOUT_AMOUNTS = {"tournament.api.rate_limits", "tournament.money.win_chances", "tournament.prizes.worth"}
"""Seconds, ratings and random numbers are fractions; the amounts made of them are not."""
ROWS = ("Transfer", "LedgerTransaction")


def test_money_is_never_a_float():
    violations = {
        f"{place(path)}:{node.lineno}"
        for path in python_files(product_only=True)
        if module(path).startswith(PACKAGES) and module(path) not in WITHOUT_AMOUNTS
        for node in ast.walk(tree(path))
        if _is_float(node) or (_is_division(node) and "Fraction" not in _imported_names(tree(path)))
    }
    assert violations == set()


def test_every_amount_has_a_currency_that_is_not_written_in_the_code():
    violations = [
        f"{place(path)}:{call.lineno}"
        for path in python_files(product_only=True)
        for call in _calls(tree(path), "Amount")
        if len(call.args) + len(call.keywords) != 2 or any(map(_is_text, call.args))
    ]
    assert violations == []


def test_transfers_and_transactions_are_written_in_one_module():
    writers = {
        module(path)
        for path in python_files(product_only=True)
        for name in ROWS
        for call in _calls(tree(path), name, f"{name}.objects.create", f"{name}.objects.bulk_create")
    }
    assert writers == {"tournament.ledger.recording"}


def _is_float(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    return isinstance(node, ast.Name) and node.id == "float"


def _is_division(node: ast.AST) -> bool:
    """True for `/`, which makes a float of two whole numbers; a `Decimal(...)` that is divided stays one."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return False
    return not ast.unparse(node.left).startswith("Decimal(")


def _imported_names(parsed: ast.Module) -> set[str]:
    return {
        alias.name for node in ast.walk(parsed) if isinstance(node, ast.ImportFrom) for alias in node.names
    }


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 0


def _calls(parsed: ast.Module, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(parsed):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            yield node
