"""In another language, no page, problem document or file shows a sentence that translators did not get."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.apps import apps
from django.contrib.messages import get_messages
from django.db import models
from django.http import HttpResponse
from django.utils.html import conditional_escape

from tests.tournament import stories
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, group_by_preparation, world
from tests.tournament.access.world import ROLES, STRANGER, Row, World
from tests.tournament.translation.pseudo_locale import pseudo_locale
from tests.tournament.translation.visible_text import HtmlText, visible_texts
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
MACHINE_ADDRESSES = {"healthz", "readyz", "robots-txt", "verify-script"}
"""Addresses for programs. Their sentences are English in every language."""
API_ADDRESSES_WITH_SENTENCES = {
    f"v1:{name}"
    for name in (
        *("nowhere", "import", "record", "record-left", "money-file"),
        *("awards", "calcutta-awards", "take-over-undo"),
    )
}
"""The others answer these requests with data only. All refusals are in a catalogue that translators get."""


def test_every_sentence_of_every_address_is_translated(world, tmp_path):
    untranslated: dict[str, set[str]] = defaultdict(set)
    followed: set[str] = set()
    with pseudo_locale(tmp_path):
        for prepare, rows in group_by_preparation([row for row in TABLE if is_for_people(row)]):
            with stories.rolled_back():
                prepare(world)
                known = Known(stored_texts(), followed)
                for row in rows:
                    for text in untranslated_texts(world, row, known):
                        untranslated[text].add(str(row))
    assert dict(untranslated) == {}


def is_for_people(row: Row) -> bool:
    if row.name.startswith("v1:"):
        return row.name in API_ADDRESSES_WITH_SENTENCES
    return row.name not in MACHINE_ADDRESSES


@dataclass
class Known:
    """`data`: stored texts before each request. `followed`: addresses that were read after a form.

    `translated`: texts of earlier responses that need no second look.
    """

    data: list[str]
    followed: set[str]
    translated: set[str] = field(default_factory=set)


def untranslated_texts(world: World, row: Row, known: Known) -> Iterator[str]:
    """Sends the request as the first role that may. Reads the messages after a form, and each next page once.

    Stored texts after the request are read only if a text is left.
    """
    world.role = next((role for role in ROLES if role in row.roles), STRANGER)
    with stories.rolled_back():
        response = ask(world, row)
        assert not row.roles or response.status_code == row.status(world), row
        texts = {
            text for part in (response, *next_pages(world, row, response, known)) for text in texts_of(part)
        }
        texts -= known.translated
        left = {text for text in texts if WORD.search(without_data(text, known.data))}
        known.translated |= texts - left
        if left:
            data = stored_texts()
            yield from (" ".join(text.split()) for text in left if WORD.search(without_data(text, data)))


def texts_of(response: HttpResponse) -> Iterator[str]:
    """Returns the texts of a page, and of the messages that the next page shows."""
    if not response.streaming:
        yield from visible_texts(response)
    messages = HtmlText()
    for message in get_messages(response.wsgi_request):
        messages.feed(conditional_escape(message.message))
    yield from messages.spoken


def next_pages(world: World, row: Row, response: HttpResponse, known: Known) -> list[HttpResponse]:
    if response.status_code != 302 or row.verb != "POST" or response["Location"] in known.followed:
        return []
    known.followed.add(response["Location"])
    return [world.browser.get(response["Location"])]


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
