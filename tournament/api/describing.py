"""Decorators that describe operations for the OpenAPI document: name, responses, problems."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers

from tournament.api.problem_serializers import ProblemDocument

PROBLEMS = {
    400: "The request cannot be read.",
    401: "Nobody said who they are, or the token is not good.",
    403: "Not yours to do.",
    404: "Not there, or not for you to see.",
    406: "Ask for JSON.",
    409: "It cannot be done now; the sentence says why and what to do.",
    413: "Too much at once.",
    415: "Send JSON.",
    422: "A rule of backgammon forbids it; `rule` names it.",
    429: "Too many requests with this token, or from this address without one; wait for `Retry-After` seconds.",
    503: "Not just now; `Retry-After` tells when to send the same again.",
}
COMMON_PROBLEMS = (401, 403, 404, 406, 429, 503)
BODY_PROBLEMS = (400, 413, 415)
PAGING = [
    OpenApiParameter("cursor", str, description="From `next` or `previous` of another page."),
    OpenApiParameter("page_size", int, description="Lines on a page: 1 to 500, by default 100."),
]
WAITING = OpenApiParameter(
    "Retry-After", int, OpenApiParameter.HEADER, response=[429, 503], description="Seconds to wait."
)
EVERYBODY: list[dict[str, list[str]]] = [{}, {"token": []}, {"phone": []}, {"session": []}]
Method = TypeVar("Method", bound=Callable[..., Any])


def describes(name: str, answers: dict[Any, Any], *refusals: int, **more: Any) -> Callable[[Method], Method]:
    """Describes an operation: its name, its responses, and its problems besides the common ones."""
    body_problems = BODY_PROBLEMS if more.get("request") is not None else ()
    responses: dict[Any, Any] = dict(answers)
    for status in sorted({*COMMON_PROBLEMS, *body_problems, *refusals}):
        responses[status, "application/problem+json"] = OpenApiResponse(ProblemDocument, PROBLEMS[status])
    more["parameters"] = [*more.get("parameters", ()), WAITING]
    decorate: Callable[[Method], Method] = extend_schema(operation_id=name, responses=responses, **more)
    return decorate


def word_parameter(name: str, words: Iterable[str]) -> OpenApiParameter:
    """Describes a path parameter that is one of these words."""
    return OpenApiParameter(name, str, OpenApiParameter.PATH, enum=list(words))


def describes_list(
    name: str, document: type[serializers.Serializer[Any]], *refusals: int, **more: Any
) -> Callable[[Method], Method]:
    """Describes an operation that returns a page of a list. `next` and `previous` are null at the ends.

    Public lists also support If-None-Match.
    """
    page = inline_serializer(
        document.__name__.replace("Document", "Page"),
        {
            "next": serializers.CharField(allow_null=True),
            "previous": serializers.CharField(allow_null=True),
            "results": document(many=True),
        },
    )
    answers = {200: page, 304: None} if more.get("auth") == EVERYBODY else {200: page}
    return describes(name, answers, *refusals, parameters=PAGING, **more)
