"""What every endpoint shares: who asks, reading the body, an ETag, a page of a list."""

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
    """An endpoint. Its methods authorise through `access` and call one work function."""

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    def finalize_response(self, request: Request, response: Response, *args: Any, **more: Any) -> Response:
        """What one asker is told is nobody else's: no store on the way may keep it and give it on."""
        answer = super().finalize_response(request, response, *args, **more)
        answer.headers.setdefault("Cache-Control", NOT_SHARED)
        return answer

    def read(self, serializer: type[BaseSerializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """The body, checked; raises ValidationError."""
        try:
            return dict(_serializer((serializer, partial)).run_validation(self.request.data))
        except ValidationError as error:
            if isinstance(error.detail, list):  # of the body as a whole, such as null
                raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: error.detail}) from None
            raise

    def page(self, rows: Any, show: Any, ordering: tuple[str, ...]) -> Response:
        """One page of a list, with the cursors of its neighbours; `show` makes a plain dict of a row."""
        pages = CursorPages()
        pages.ordering = ordering
        found: list[Any] = pages.paginate_queryset(rows, self.request, view=self) or []
        return pages.get_paginated_response([show(row) for row in found])


@cache
def _serializer(asked: tuple[Callable[..., BaseSerializer[Any]], bool]) -> BaseSerializer[Any]:
    """A serializer copies all its fields when it is made, which takes longer than to read a game; it keeps nothing
    of what it reads."""
    serializer, partial = asked
    return serializer(partial=partial)


class CursorPages(CursorPagination):
    page_size = 100
    max_page_size = 500
    page_size_query_param = "page_size"
    ordering: Any = ("pk",)

    def _get_position_from_instance(self, instance: Any, ordering: Any) -> str:
        """Follows `player__name` to the player; the framework looks for a field of that name."""
        return str(reduce(getattr, ordering[0].lstrip("-").split("__"), instance))

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """A page; a cursor that is none of ours is answered as not there."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (DjangoValidationError, ValueError, OverflowError, DatabaseError) as error:
            if database_faults.classify(error):
                raise
            raise NotFound(self.invalid_cursor_message) from None


def with_etag(request: Request, stamp: str, body: Any) -> Response:
    """The body under its stamp, or 304 when the asker has it already. `body` is called only when it is needed."""
    etag = f'W/"{stamp}"'
    if etag in [part.strip() for part in request.headers.get("If-None-Match", "").split(",")]:
        return Response(status=304, headers={"ETag": etag})
    return Response(body(), headers={"ETag": etag, "Cache-Control": NOT_SHARED})
