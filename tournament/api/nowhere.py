"""Answers unknown API addresses with a problem document instead of a page."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.views import ApiView
from tournament.runtime.errors import NotFound


@extend_schema(exclude=True)
class UnknownAddressView(ApiView):
    def get(self, request: Request, rest: str) -> Response:  # noqa: ARG002
        raise NotFound

    post = put = patch = delete = get
