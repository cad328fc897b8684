"""The base class of API views: actor, validated body, pagination, ETags."""

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DatabaseError
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from tournament.access.actors import Actor
from tournament.api.authentication import actor_of
from tournament.runtime import database_faults

NOT_SHARED = "private, no-cache"


class ApiView(APIView):
    """Base class of endpoints. Methods authorize through `access` and call one work function."""

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Forbids shared caching, because a response depends on the actor."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", NOT_SHARED)
        return final

    def read(self, serializer: type[BaseSerializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """Returns the validated body. Raises ValidationError."""
        try:
            return dict(_serializer((serializer, partial)).run_validation(self.request.data))
        except ValidationError as error:
            if isinstance(error.detail, list):  # an error of the whole body, such as null
                raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: error.detail}) from None
            raise

    def page(self, rows: Any, serialize: Any, ordering: tuple[str, ...]) -> Response:
        """Returns one page of a list, with cursors of the next and previous page. `serialize` makes a dict of a row."""
        pages = CursorPages()
        pages.ordering = ordering
        page: list[Any] = pages.paginate_queryset(rows, self.request, view=self) or []
        return pages.get_paginated_response([serialize(row) for row in page])


@cache
def _serializer(options: tuple[Callable[..., BaseSerializer[Any]], bool]) -> BaseSerializer[Any]:
    """Returns a cached serializer. Creating one copies all its fields, and validation stores nothing in it."""
    serializer, partial = options
    return serializer(partial=partial)


class CursorPages(CursorPagination):
    page_size = 100
    max_page_size = 500
    page_size_query_param = "page_size"
    ordering: Any = ("pk",)

    def _get_position_from_instance(self, instance: Any, ordering: Any) -> str:
        """Follows lookups such as `player__name`, where the framework expects a field of the row."""
        return str(reduce(getattr, ordering[0].lstrip("-").split("__"), instance))

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Raises NotFound for an invalid cursor."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (DjangoValidationError, ValueError, OverflowError, DatabaseError) as error:
            if database_faults.classify(error):
                raise
            raise NotFound(self.invalid_cursor_message) from None


def with_etag(request: Request, stamp: str, body: Any) -> Response:
    """Returns the body with an ETag, or 304 without calling `body` if the client has the current one."""
    etag = f'W/"{stamp}"'
    if etag in [part.strip() for part in request.headers.get("If-None-Match", "").split(",")]:
        return Response(status=304, headers={"ETag": etag})
    return Response(body(), headers={"ETag": etag, "Cache-Control": NOT_SHARED})
