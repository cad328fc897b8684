"""Reads JSON bodies: not too long, not too deep, and with a sentence for what is neither."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

LONGEST = 6 * 1024 * 1024


class TooLong(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-long"


class BoundedJSONParser(JSONParser):
    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The body; raises TooLong and ParseError."""
        request = (parser_context or {}).get("request")
        if request is not None and int(request.META.get("CONTENT_LENGTH") or 0) > LONGEST:
            raise TooLong(gettext("This is too long. Send 6 MB at most."))
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(gettext("This JSON is nested too deeply.")) from None
