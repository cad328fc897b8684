"""Runs the WSGI application in threads, with one thread switch per request for bodies up to 1 MB.

a2wsgi passes each chunk of a request and response between threads, which costs a small request as much as Django's
work. It is still used for bodies that are too large to buffer.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from typing import Any

from a2wsgi.wsgi import WSGIMiddleware, build_environ

from deploy.cache_request import anonymous_scope

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

MAX_BUFFERED_BODY = 1024 * 1024
# These paths use no database and have their own threads, so they answer even if the database hangs. Their requests
# carry no cookies, because a 404 page would load the user's session.
INDEPENDENT_PATHS = ("/healthz", "/static/", "/worker.js", "/manifest.webmanifest")
INDEPENDENT_THREADS = 2


class WsgiAdapter:
    """ASGI application. Requires a Content-Length for every body, as `body_limits` provides."""

    def __init__(self, app: Any, threads: int) -> None:
        self._app = app
        self._streaming_adapter: Any = WSGIMiddleware(app, workers=threads)
        self._threads: ThreadPoolExecutor = self._streaming_adapter.executor
        self._independent_threads = ThreadPoolExecutor(INDEPENDENT_THREADS, thread_name_prefix="aside")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
        if length > MAX_BUFFERED_BODY:
            await self._streaming_adapter(scope, receive, send)
            return
        is_aside = scope["path"].startswith(INDEPENDENT_PATHS)
        django_scope = anonymous_scope(scope) if is_aside else scope
        environ = build_environ(django_scope, BytesIO(await _read_body(receive) if length else b""))  # type: ignore[arg-type]
        answering = partial(contextvars.copy_context().run, self._answer, environ)
        loop = asyncio.get_running_loop()
        threads = self._independent_threads if is_aside else self._threads
        status, headers, body = await loop.run_in_executor(threads, answering)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answer(self, environ: Any) -> Answer:
        started: list[tuple[str, list[tuple[str, str]]]] = []
        pieces = self._app(environ, lambda status, headers, _error=None: started.append((status, headers)))
        try:
            body = b"".join(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()
        status, headers = started[-1]
        in_bytes = [
            (name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers
        ]
        return int(status[:3]), in_bytes, body


async def _read_body(receive: Receive) -> bytes:
    pieces = []
    while True:
        message = await receive()
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)
