"""Collects what people read or hear of a response: text, labels, hints, words for scripts, sentences of problems."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse

SPOKEN_ATTRIBUTES = {
    "title",
    "aria-label",
    "aria-description",
    "aria-roledescription",
    "placeholder",
    "alt",
    "label",
}
BUTTONS = {"submit", "button", "reset"}
DESCRIPTIONS = {"description", "og:title", "og:description"}
MACHINE_TEXT = {"script", "style", "code", "kbd"}
MACHINE_DATA = {"data-kinds", "data-stamp", "data-part", "data-played"}
SENTENCE_KEYS = {"detail", "sentence", "offer"}


class HtmlText(HTMLParser):
    """Puts into `spoken` what people read or hear of a page, in the order of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.spoken: list[str] = []
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in MACHINE_TEXT or values.get("translate") == "no":
            self._skipped.append(tag)
        self.spoken += [value for name, value in values.items() if name in SPOKEN_ATTRIBUTES]
        for name, value in values.items():
            if name.startswith("data-") and name not in MACHINE_DATA:
                self.spoken += words_for_scripts(value)
        if tag == "input" and values.get("type") in BUTTONS:
            self.spoken.append(values.get("value", ""))
        if tag == "meta" and {values.get("name"), values.get("property")} & DESCRIPTIONS:
            self.spoken.append(values.get("content", ""))

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and self._skipped[-1] == tag:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.spoken.append(data)


def words_for_scripts(value: str) -> Iterator[str]:
    """Returns the sentences of a data attribute, which are text or the strings of a JSON object."""
    texts = strings(json.loads(value)) if value.startswith('{"') else [value]
    yield from (text for text in texts if " " in text.strip())


def visible_texts(response: HttpResponse) -> Iterator[str]:
    kind = response.headers.get("Content-Type", "")
    content = response.content.decode(errors="replace")
    if "json" in kind:
        yield from sentences(json.loads(content))
    elif "html" in kind or "svg" in kind:
        text = HtmlText()
        text.feed(content)
        yield from text.spoken
    elif kind.startswith(("text/plain", "text/csv")):
        yield from content.split("\n")


def strings(value: Any) -> Iterator[str]:
    """Returns every string of a JSON value."""
    if isinstance(value, str):
        yield value
    for part in parts_of(value):
        yield from strings(part)


def sentences(value: Any) -> Iterator[str]:
    """Returns the strings of a JSON value that are for people."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from strings(part) if key in SENTENCE_KEYS else sentences(part)
    elif isinstance(value, list):
        for part in value:
            yield from sentences(part)


def parts_of(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
