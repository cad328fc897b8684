"""Runs the WSGI application in threads.

A response is complete before it is sent, and is sent in one piece. Otherwise a slow reader would hold a thread, and a
place in the queue of `request_priority`.
"""

from typing import Any

from a2wsgi import WSGIMiddleware

from deploy.asgi_call import Receive, Scope, Send, call

# These paths use no database and have their own threads, so they answer even if the database hangs. Their requests
# carry no cookies, because a 404 page would load the user's session.
INDEPENDENT_PATHS = ("/healthz", "/worker.js", "/manifest.webmanifest")
INDEPENDENT_THREADS = 2
PERSONAL_HEADERS = frozenset({b"if-none-match", b"cookie", b"accept-encoding"})
BODY_HEADERS = frozenset({b"content-length", b"content-type", b"transfer-encoding", b"expect"})
NO_LIMIT = 0


class DjangoThreads:
    """ASGI application. Requires a Content-Length for every body, as `body_limits` provides."""

    def __init__(self, application: Any, threads: int) -> None:
        self._threads: Any = WSGIMiddleware(application, threads, send_queue_size=NO_LIMIT)
        self._independent_threads: Any = WSGIMiddleware(
            application, INDEPENDENT_THREADS, send_queue_size=NO_LIMIT
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(INDEPENDENT_PATHS):
            response = await call(self._independent_threads, _anonymous_scope(scope), receive)
        else:
            response = await call(self._threads, scope, receive)
        await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
        await send({"type": "http.response.body", "body": response.body})


def _anonymous_scope(scope: Scope) -> Scope:
    """Returns the request without cookies, validators, compression and body."""
    dropped = PERSONAL_HEADERS | BODY_HEADERS
    return {**scope, "headers": [header for header in scope["headers"] if header[0] not in dropped]}
