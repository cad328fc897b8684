"""Only listed modules write to the database, imports are at the top, and no model overrides `save`."""

import ast
from pathlib import Path

from tests.house.tree import module, place, python_files, tree

WRITERS = {
    "tournament.events.cleanup",
    "deploy.archive.restore",
    "matches.game_records",
    "matches.miscounts",
    "matches.removal",
    "matches.scorecard",
    "tournament.accounts.activity",
    "tournament.accounts.lifecycle",
    "tournament.events.closing",
    "tournament.events.copying",
    "tournament.events.recycle_bin",
    "tournament.drawing.draw_secret",
    "tournament.corrections.making",
    "tournament.corrections.undoing",
    "tournament.drawing.draws",
    "tournament.brackets.storage",
    "tournament.brackets.former_draws",
    "tournament.entries.attendance",
    "tournament.entries.choices",
    "tournament.entries.importing",
    "tournament.events.visibility",
    "tournament.drawing.jackpots",
    "tournament.live.journal",
    "tournament.money.prize_structures",
    "tournament.ledger.accounts",
    "tournament.ledger.charging",
    "tournament.ledger.recording",
    "tournament.ledger.paid_marks",
    "tournament.money.fees",
    "tournament.money.awards",
    "tournament.money.bank_statement",
    "tournament.money.calcutta",
    "tournament.money.calcutta_awards",
    "tournament.money.payouts",
    "tournament.money.player_merging",
    "tournament.money.tills",
    "tournament.money.hedging",
    "tournament.money.settling",
    "tournament.money.rates",
    "tournament.money.receipts",
    "tournament.money.recorded_again",
    "tournament.money.reversals",
    "tournament.events.organizers",
    "tournament.accounts.links",
    "tournament.results.posting",
    "tournament.brackets.advancing",
    "tournament.results.questions",
    "tournament.entries.reentry",
    "tournament.corrections.repair",
    "tournament.entries.personal_data",
    "tournament.entries.player_names",
    "tournament.entries.registration",
    "tournament.entries.same_person",
    "tournament.room.calls",
    "tournament.occupancy.releasing",
    "tournament.occupancy.locking",
    "tournament.room.playing",
    "tournament.room.table_undo",
    "tournament.room.tables",
    "tournament.entries.kiosk",
    "tournament.screens.display_links",
    "tournament.screens.slides",
    "tournament.brackets.seat_changes",
    "tournament.brackets.second_chances",
    "tournament.accounts.roles",
    "tournament.drawing.rounds",
    "tournament.drawing.round_previews",
    "tournament.drawing.pair_rules",
    "tournament.drawing.round_release",
    "tournament.events.planned_times",
    "tournament.events.winner_pictures",
    "tournament.events.logos",
    "tournament.drawing.seeding",
    "tournament.accounts.second_factors",
    "tournament.accounts.session_store",
    "tournament.accounts.sessions",
    "tournament.events.setup",
    "tournament.accounts.directors",
    "tournament.results.disputes",
}
WRITES_ON_ROWS = {"save", "asave", "refresh_and_save"}
WRITES_ON_MANAGERS = {
    "create", "acreate", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "delete", "update",
}  # fmt: skip
FILES = {"book", "bare", "paper", "qr_code"}
"""Names of variables that hold workbooks and pictures, whose `save` writes a file."""
LAZY_IMPORTS = {
    "deploy.bootstrap": "an old Python could not read what it imports",
    "manage": "Django is installed by the line before",
    "rules.record.foreign.library": "the package that decodes .xg and .bgf files is optional",
    "tournament.entries.lists.workbook": "30 MB for spreadsheets, which few processes ever read",
    "tournament.exports.table_writers": "30 MB for spreadsheets, which few processes ever write",
}


def test_only_work_modules_write():
    violations = {}
    for path in python_files(product_only=True):
        if module(path) not in WRITERS:
            lines = [node.lineno for node in ast.walk(tree(path)) if _writes(node)]
            if lines:
                violations[str(place(path))] = lines
    assert violations == {}


def test_every_listed_writer_exists_and_writes():
    by_name = {module(path): path for path in python_files(product_only=True)}
    idle = {name for name in WRITERS if not _any_write(by_name.get(name))}
    assert idle == set()


def test_new_entries_are_stored_in_one_module():
    creators = {"Entry.objects.create", "Entry.objects.bulk_create", "Entry.objects.get_or_create"}
    modules = {
        module(path)
        for path in python_files(product_only=True)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in creators
    }
    assert modules == {"tournament.entries.registration"}


def test_imports_are_at_the_top_of_modules():
    violations = {}
    for path in python_files(product_only=True):
        lines = [
            node.lineno
            for node in _inside_functions(tree(path))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        if lines and module(path) not in LAZY_IMPORTS:
            violations[str(place(path))] = lines
    assert violations == {}


def test_no_model_writes_rows():
    models = [path for path in python_files(product_only=True) if "models" in module(path).split(".")]
    assert models
    violations = []
    for path in models:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                violations += [f"{place(path)}:{item.lineno}" for item in node.body if _overrides_save(item)]
    assert violations == []


def test_there_are_no_signals():
    violations = [
        str(place(path))
        for path in python_files(product_only=True)
        if any(
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("django")
            and "signals" in (node.module or "")
            for node in ast.walk(tree(path))
        )
    ]
    assert violations == []


def _any_write(path: Path | None) -> bool:
    return path is not None and any(_writes(node) for node in ast.walk(tree(path)))


def _writes(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    name, owner = node.func.attr, ast.unparse(node.func.value)
    if name in WRITES_ON_ROWS:
        return owner not in FILES
    return name in WRITES_ON_MANAGERS and any(word in owner for word in ("objects", "_manager", "filter("))


def _inside_functions(module_tree: ast.Module) -> list[ast.AST]:
    functions = [
        node for node in ast.walk(module_tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return [node for function in functions for node in ast.walk(function)]


def _overrides_save(item: ast.stmt) -> bool:
    return isinstance(item, ast.FunctionDef) and item.name in ("save", "delete")
