"""Serves the collected static files: compressed, and under names with a digest that browsers cache for ever.

A page of another release may ask for another version of a file. It gets the current one, cached for a minute.
"""

import re
from collections.abc import Iterable
from io import BytesIO
from typing import Any
from wsgiref.headers import Headers

from a2wsgi.wsgi import build_environ
from django.conf import settings
from whitenoise import WhiteNoise

from deploy.asgi_call import App, Receive, Scope, Send
from deploy.security_headers import SECURITY_HEADERS

VERSIONED = re.compile(r"(.+)\.[0-9a-f]{12}(\.\w+)")
MAX_AGE_SECONDS = 60
NOT_FOUND = "404 Not Found"


class StaticFiles:
    """ASGI middleware. Uses no thread, because the files are small."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._files = WhiteNoise(
            _not_found,
            autorefresh=settings.DEBUG,
            max_age=0 if settings.DEBUG else MAX_AGE_SECONDS,
            immutable_file_test=VERSIONED.pattern,
            allow_all_origins=False,
            add_headers_function=_add_security_headers,
        )
        # With DEBUG, files come from the source folders under their plain names, so that changes are visible at once.
        for folder in settings.STATICFILES_DIRS if settings.DEBUG else [settings.STATIC_ROOT]:
            self._files.add_files(folder, prefix=settings.STATIC_URL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if not path.startswith(settings.STATIC_URL):
            await self._app(scope, receive, send)
            return
        status, headers, body = self._response(scope, path)
        if status == NOT_FOUND and (versioned := VERSIONED.fullmatch(path)):
            status, headers, body = self._response(scope, versioned[1] + versioned[2])
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        await send({"type": "http.response.start", "status": int(status[:3]), "headers": encoded})
        await send({"type": "http.response.body", "body": body})

    def _response(self, scope: Scope, path: str) -> tuple[str, list[tuple[str, str]], bytes]:
        file_scope: Any = {**scope, "path": path, "query_string": b""}
        environ: Any = build_environ(file_scope, BytesIO())  # type: ignore[arg-type]
        started: list[tuple[str, list[tuple[str, str]]]] = []
        pieces = self._files(environ, lambda status, headers: started.append((status, headers)))
        try:
            return *started[-1], b"".join(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()


def _not_found(_environ: Any, start_response: Any) -> Iterable[bytes]:
    body = b"There is no such file."
    headers = Headers([("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))])
    _add_security_headers(headers)
    start_response(NOT_FOUND, headers.items())
    return [body]


def _add_security_headers(headers: Headers, _path: str = "", _url: str = "") -> None:
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
