"""In another language, no page, problem document or file shows a sentence that translators did not get."""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import models

from tests.tournament import stories
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, group_by_preparation, world
from tests.tournament.access.world import ROLES, STRANGER, Row, World
from tests.tournament.translation.pseudo_locale import pseudo_locale
from tests.tournament.translation.visible_text import visible_texts
from tournament.fees.amounts import current_currencies

__all__ = ["world"]

pytestmark = pytest.mark.django_db

WORD = re.compile(r"[A-Za-z]{2,}")
TOKEN = re.compile(r"[\w-]{22,}")
"""Tokens, hashes and ids. A token may begin with a hyphen."""
SAME_IN_EVERY_LANGUAGE = re.compile(
    r"""
    \{\w+\}                                             # placeholders that a script fills in
    | \b[A-Z]{3,5}-\d\b                                 # ids of rules
    | \b(?:\d+|bar)/off\b                                # notation of plays
    | \bRF\d\d(?:\ \d{1,4})+\b                         # references of payments
    | https?://\S+ | /\w+/                              # addresses
    | \b(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[\w/ -]+   # zones of time
    | \b(?:UTC|SHA-256|CSV|XLSX|JSON|API|ms)\b          # units and kinds of files
    """,
    re.VERBOSE,
)
CURRENCY = re.compile(rf"\b(?:{'|'.join(current_currencies())})\b(?: · .+)?")
"""The code of a currency, and its name, which Babel translates."""
SENT_BY_THE_TABLE = (
    "Ana Novice",
    "Open",
    "Friday night",
    "gnubg",
    "root",
    "Name",
    "New Goer",
    "New Comer",
    "Key",
)
"""Values of requests and of uploaded files that no row has when the page is read."""
MACHINE_ADDRESSES = {"healthz", "readyz", "robots-txt", "verify-script", "v1:schema", "v1:presets"}
"""Addresses for programs. Their sentences are English in every language."""


def test_every_sentence_of_every_address_is_translated(world, tmp_path):
    untranslated: dict[str, set[str]] = defaultdict(set)
    with pseudo_locale(tmp_path):
        for prepare, rows in group_by_preparation(
            [row for row in TABLE if row.name not in MACHINE_ADDRESSES]
        ):
            with stories.rolled_back():
                prepare(world)
                data, translated = stored_texts(), set[str]()
                for row in rows:
                    for text in untranslated_texts(world, row, data, translated):
                        untranslated[text].add(str(row))
    assert dict(untranslated) == {}


def untranslated_texts(world: World, row: Row, data: list[str], translated: set[str]) -> Iterator[str]:
    """Sends the request as the first role that may, and follows a form to the next page.

    `data` are the stored texts before the request. Those after it are read only if a text is left.
    `translated` are texts of earlier responses that need no second look. Adds those of this one.
    """
    world.role = next((role for role in ROLES if role in row.roles), STRANGER)
    with stories.rolled_back():
        response = ask(world, row)
        assert not row.roles or response.status_code == row.status(world), row
        responses = [response] if not response.streaming else []
        if response.status_code == 302 and row.verb == "POST":
            responses.append(world.browser.get(response["Location"]))
        texts = {text for response in responses for text in visible_texts(response)} - translated
        left = {text for text in texts if WORD.search(without_data(text, data))}
        translated |= texts - left
        if left:
            data = stored_texts()
            yield from (" ".join(text.split()) for text in left if WORD.search(without_data(text, data)))


def stored_texts() -> list[str]:
    """Returns names, notes and other texts that people wrote, the longest first."""
    texts = set(SENT_BY_THE_TABLE)
    for label in ("matches", "tournament", "auth"):
        for model in apps.get_app_config(label).get_models():
            fields = [
                field.name
                for field in model._meta.get_fields()
                if isinstance(field, models.CharField | models.TextField) and not field.choices
            ]
            for values in model.objects.values_list(*fields) if fields else ():
                texts |= {value for value in values if value and WORD.search(value)}
    return sorted(texts, key=len, reverse=True)


def without_data(text: str, data: list[str]) -> str:
    """Removes tokens first, because a short text may be a part of one."""
    text = CURRENCY.sub("", TOKEN.sub("", text))
    for value in data:
        text = text.replace(value, "")
    return SAME_IN_EVERY_LANGUAGE.sub("", text)
