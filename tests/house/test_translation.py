"""Translators get every sentence that people read, with named placeholders."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.jslexer import tokenize

from tests.house.catalogue import KEYWORDS, catalogue, template_files
from tests.house.tree import files, place, python_files, tree
from tests.tournament.translation.visible_text import HtmlText

TEMPLATE_CODE = re.compile(
    r"\{%\s*comment\b.*?endcomment\s*%\}|\{%\s*(blocktrans(?:late)?)\b.*?\{%\s*end\1\s*%\}"
    r"|\{%\s*block (?:page|body)_class\s*%\}.*?\{%\s*endblock\s*%\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}",
    re.DOTALL,
)
WORD = re.compile(r"[A-Za-z]{2,}")
CODES = re.compile(r"\b(?:[A-Z]{3,5}-\d+|SHA-256|CSV|XLSX|JSON|UTC|verify_draw\.py)\b")
"""Rules' ids, kinds of files and proper names, which are the same in every language."""
SENTENCE_IN_SCRIPT = re.compile(r"""^["'`][A-Z][a-z]+ |[a-z]{2,}[.!?]["'`]$""")


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody waits to be called.",  # a template
        "Play continues: the match is open again",  # a choice of a form
        "Read aloud",  # a heading
        "All sent, {time}",  # words for a script
        "to be played",  # a label of a query
        "Director",  # a choice of a model
    ],
)
def test_the_catalogue_has_sentences_of_every_kind(sentence):
    assert sentence in {form for message in catalogue() for form in forms_of(message.id)}


def test_every_placeholder_has_a_name():
    positional = re.compile(r"%[sd]|\{\d*\}")
    assert [form for message in catalogue() for form in forms_of(message.id) if positional.search(form)] == []


def test_sentences_have_no_spaces_around_them():
    assert [form for message in catalogue() for form in forms_of(message.id) if form != form.strip()] == []


def test_no_sentence_is_put_together_before_its_translation():
    """Extraction cannot read a sum of texts or a text with values inside it. A name stands for a marked sentence."""
    assert [
        f"{place(path)}:{call.lineno}"
        for path in python_files(product_only=True)
        for call in translation_calls(path)
        if isinstance(call.args[0], ast.BinOp | ast.JoinedStr)
    ] == []


def test_all_words_of_templates_are_marked():
    words = [(str(place(path)), words) for path in template_files() for words in unmarked_words(path)]
    assert len(template_files()) > 200
    assert words == []


def unmarked_words(path: Path) -> list[str]:
    text = HtmlText()
    text.feed(TEMPLATE_CODE.sub("", path.read_text()))
    return [words for words in text.spoken if WORD.search(CODES.sub("", words))]


def test_scripts_hold_no_sentences():
    """They get their words from the page, which is translated."""
    scripts = [path for path in files() if place(path).match("templates/static/*.js")]
    sentences = [
        (path.name, token.value)
        for path in scripts
        for token in tokenize(path.read_text())
        if token.type in ("string", "template_string") and SENTENCE_IN_SCRIPT.search(token.value)
    ]
    assert len(scripts) > 10
    assert sentences == []


def forms_of(message_id: str | tuple[str, ...] | list[str]) -> Iterator[str]:
    yield from [message_id] if isinstance(message_id, str) else message_id


def translation_calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            yield node
