"""Parsers of request bodies that refuse long, deeply nested and unstorable content."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext, gettext_noop
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser

MAX_BYTES = 6 * 1024 * 1024
MAX_ITEMS = 5000
TOO_LARGE = gettext_noop("This is too long. Send 6 MB at most.")
# Lone surrogates and NUL: JSON can escape them, but no database stores them.
UNSTORABLE = re.compile("[\\x00\\ud800-\\udfff]")
Context = Mapping[str, Any] | None


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-long"


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None
    ) -> dict[str, Any]:
        """Returns the body. Raises BodyTooLarge or ParseError."""
        _check_length(parser_context)
        text = stream.read()
        try:
            body = super().parse(BytesIO(text), media_type, parser_context)
            _check_item_counts(body)
            if b"\\u" in text and any(UNSTORABLE.search(string) for string in _strings(body)):
                raise ParseError(gettext("A text in this JSON holds a character that nobody can write."))
        except RecursionError:
            raise ParseError(gettext("This JSON is nested too deeply.")) from None
        return body


class BoundedMultiPartParser(MultiPartParser):
    max_bytes = MAX_BYTES
    sentence = TOO_LARGE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None
    ) -> "DataAndFiles[Any, Any]":
        """Returns the fields and files. Raises BodyTooLarge or ParseError."""
        _check_length(parser_context, self.max_bytes, self.sentence)
        return super().parse(stream, media_type, parser_context)


def _strings(value: Any) -> Iterator[str]:
    """Yields every string in the body, including the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _check_item_counts(body: Any) -> None:
    """Checks the length of lists first, because serializers validate and report every item."""
    values = [body]
    while values:
        value = values.pop()
        if isinstance(value, list | dict):
            if len(value) > MAX_ITEMS:
                raise ParseError(gettext("A list in this JSON is too long. Send 5000 items at most."))
            values.extend(value.values() if isinstance(value, dict) else value)


def _check_length(context: Context, longest: int = MAX_BYTES, sentence: str = TOO_LARGE) -> None:
    request = (context or {}).get("request")
    length = request.META.get("CONTENT_LENGTH", "") if request is not None else ""
    if str(length).isdecimal() and int(length) > longest:
        raise BodyTooLarge(gettext(sentence))
