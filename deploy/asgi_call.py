"""Calls an ASGI application and returns its complete response."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

OK, TOO_MANY_REQUESTS, SERVER_ERROR = 200, 429, 500


class Response(NamedTuple):
    """Names of headers are in lower case."""

    status: int
    headers: Headers
    body: bytes

    def header(self, name: bytes) -> bytes:
        """Returns the last value of this header, or nothing."""
        return dict(self.headers).get(name, b"")


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def call(app: App, scope: Scope, receive: Receive = _no_body) -> Response:
    """Sends a request, without a body unless `receive` is given."""
    status, headers, pieces = 0, [], []

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [(bytes(name).lower(), bytes(value)) for name, value in message["headers"]]
        else:
            pieces.append(message.get("body", b""))

    await app(scope, receive, send)
    return Response(status, headers, b"".join(pieces))
