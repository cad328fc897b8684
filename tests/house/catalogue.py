"""Extracts the sentences that translators get, as `manage.py makemessages` does, without the gettext programs.

A machine without them and without root can then run the checks.
"""

import re
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation import templatize

from tests.house.tree import files, place, python_files

KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
"""The translation functions of Django, with the places of singular, plural and context among their arguments."""


@cache
def catalogue() -> Catalog:
    """Returns all sentences of the product's modules and templates, without translations."""
    sentences = Catalog()
    for path in python_files(product_only=True):
        _add(sentences, path, path.read_text())
    for path in template_files():
        _add(sentences, path, _as_python(path))
    return sentences


@cache
def template_files() -> tuple[Path, ...]:
    return tuple(
        path for path in files() if place(path).parts[0] == "templates" and path.suffix in (".html", ".txt")
    )


def _add(sentences: Catalog, path: Path, source: str) -> None:
    for line, message, _comments, context in extract("python", BytesIO(source.encode()), KEYWORDS):
        sentences.add(message, locations=[(str(place(path)), line)], context=context)


def _as_python(path: Path) -> str:
    """Returns Django's translation of a template into calls, without the indentation that Python would read."""
    calls = templatize(path.read_text(), origin=str(place(path)))
    return re.sub(r"^\s+", "", calls, flags=re.MULTILINE)
