"""The catalogue of refusals is complete, translatable and plain."""

import ast
import importlib
import re
from collections import Counter
from pathlib import Path
from string import Formatter

from matches.refusals import Refusal
from rules.problem import OFFERS
from rules.sentences import SENTENCES
from tests.house.catalogue import catalogue
from tests.house.tree import ROOT, module, place, python_files, tree
from tournament.draw.public_draw import verification

CATALOGUE = [ROOT / "matches" / "card_refusals.py", *sorted((ROOT / "tournament" / "refusals").glob("*.py"))]
OTHER_CATALOGUES = {"tournament.pages.entries.importing"}
"""Entry lists are read by pure modules, whose sentences are in `tournament.entries.lists.remarks`."""

SHARED_CODES = {
    "already-drawn", "called-already", "card-changed", "card-closed", "daily-limit", "draw-changed",
    "entered-already", "entries-open", "key-reused", "match-cancelled", "minutes-out-of-range", "name-taken",
    "no-draw", "no-lives", "no-match", "no-rounds", "not-a-picture", "not-out", "not-released",
    "not-found", "nothing-disputed", "own-account", "picture-too-large", "player-at-table", "player-removed",
    "posted-already", "reason-needed", "result-changed", "result-is-in", "round-has-begun", "ruling-wanted",
    "sign-in-first", "table-taken",
}  # fmt: skip
"""Codes of several refusals: one case for programs, several next steps for people."""

LONGEST = 200
TWO_PARTS = re.compile(r"\S[.:;] \S")


def constants() -> dict[str, Refusal]:
    """The refusals by constant. Names are unique in the whole catalogue."""
    named: dict[str, Refusal] = {}
    for path in CATALOGUE:
        for name, value in vars(importlib.import_module(module(path))).items():
            if isinstance(value, Refusal):
                assert name not in named, f"{name} is defined twice"
                named[name] = value
    return named


def calls(path: Path, *names: str) -> list[ast.Call]:
    nodes = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return [node for node in nodes if isinstance(node.func, ast.Name) and node.func.id in names]


def product_files() -> list[Path]:
    """Without `deploy`, which refuses requests before they reach the application."""
    paths = (path for path in python_files(product_only=True) if place(path).parts[0] != "deploy")
    return [path for path in paths if path not in CATALOGUE]


def test_each_code_has_one_refusal_unless_it_is_listed_as_shared():
    codes = Counter(refusal.code for refusal in constants().values())
    assert {code for code, times in codes.items() if times > 1} == SHARED_CODES


def test_each_sentence_says_what_happened_and_what_to_do_next():
    for name, refusal in constants().items():
        sentence = refusal.template
        assert TWO_PARTS.search(sentence) or sentence.endswith("{reason}"), f"{name}: one part only"
        assert sentence.endswith((".", "{reason}")), name
        assert len(sentence) <= LONGEST, f"{name}: {len(sentence)} characters"


def test_translators_get_the_sentences_of_refusals_rules_and_public_draws():
    rules = [sentence.template for sentence in SENTENCES.values()]
    templates = [refusal.template for refusal in constants().values()]
    extracted = {message.id for message in catalogue()}
    assert {*templates, *rules, *OFFERS.values(), *verification.SENTENCES.values()} - extracted == set()


def test_only_the_catalogue_defines_refusals():
    defining = {module(path) for path in product_files() if calls(path, "Refusal")}
    assert defining == OTHER_CATALOGUES


def test_each_refusal_is_raised_with_the_parameters_of_its_sentence():
    named = constants()
    for path in product_files():
        for call in calls(path, "Refused"):
            refusal = named.get(ast.unparse(call.args[0]))
            passed = {keyword.arg for keyword in call.keywords}
            if refusal is None or None in passed:  # chosen by a mapping, or parameters of a function
                continue
            fields = {field for _, field, _, _ in Formatter().parse(refusal.template) if field}
            assert passed == fields, f"{place(path)}:{call.lineno}"


def test_each_refusal_is_used():
    used = {
        node.id
        for path in [*product_files(), CATALOGUE[0]]
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    assert constants().keys() - used == set()
