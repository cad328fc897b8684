"""Serves the OpenAPI document. Rendering takes a second, so each process renders it once per language."""

import hashlib
import threading
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.views import ApiView

_render_lock = threading.Lock()


@extend_schema(exclude=True)
class SchemaView(ApiView):
    renderer_classes = (OpenApiJsonRenderer, JSONRenderer)

    def get(self, request: Request) -> HttpResponseBase:
        """Returns the document, or 304 if the client has the current one."""
        with _render_lock:
            text = rendered_schema(get_language() or "")
        etag = f'W/"{hashlib.sha256(text).hexdigest()[:20]}"'
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        if etag in [part.strip() for part in request.headers.get("If-None-Match", "").split(",")]:
            return Response(status=304, headers=headers)
        return HttpResponse(text, content_type=OpenApiJsonRenderer.media_type, headers=headers)


@cache
def rendered_schema(language: str) -> bytes:  # noqa: ARG001 (part of the cache key: the active language is the one that is rendered)
    """Returns the document in the active language, as bytes."""
    generator: Any = SchemaGenerator
    document = generator(api_version="v1").get_schema(public=True)
    text: bytes = OpenApiJsonRenderer().render(document, renderer_context={})
    return text
