"""Reads bodies: not too long, not too deep, and with a sentence for what is neither."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser

MAX_BYTES = 6 * 1024 * 1024
MAX_ITEMS = 5000
TOO_LARGE = "This is too long. Send 6 MB at most."
# Half of a pair, or nothing at all: it can be escaped in JSON, and no database keeps it.
UNSTORABLE = re.compile("[\\x00\\ud800-\\udfff]")
Context = Mapping[str, Any] | None


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-long"


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None
    ) -> dict[str, Any]:
        """The body; raises TooLong and ParseError."""
        _check_length(parser_context)
        text = stream.read()
        try:
            body = super().parse(BytesIO(text), media_type, parser_context)
            _check_item_counts(body)
            if b"\\u" in text and any(UNSTORABLE.search(said) for said in _strings(body)):
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
        """The fields and files; raises TooLong and ParseError."""
        _check_length(parser_context, self.max_bytes, self.sentence)
        return super().parse(stream, media_type, parser_context)


def _strings(value: Any) -> Iterator[str]:
    """Every text in the body, the names of fields among them."""
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
    """Each item would be looked at and each wrong one told of, before anybody counts them."""
    inside = [body]
    while inside:
        value = inside.pop()
        if isinstance(value, list | dict):
            if len(value) > MAX_ITEMS:
                raise ParseError(gettext("A list in this JSON is too long. Send 5000 items at most."))
            inside.extend(value.values() if isinstance(value, dict) else value)


def _check_length(context: Context, longest: int = MAX_BYTES, sentence: str = TOO_LARGE) -> None:
    request = (context or {}).get("request")
    told = request.META.get("CONTENT_LENGTH", "") if request is not None else ""
    if str(told).isdecimal() and int(told) > longest:
        raise BodyTooLarge(gettext(sentence))
