"""Refusals of requests before Django sees them: problem JSON under /api/, plain text elsewhere."""

import json
from typing import NamedTuple

from deploy.asgi_call import Scope, Send
from deploy.security_headers import ASGI_HEADERS


class Refusal(NamedTuple):
    """`code` is for programs; `seconds` is the value of Retry-After."""

    status: int
    code: str
    sentence: str
    seconds: int = 60


ADDRESS_TOO_LONG = Refusal(
    414, "address-too-long", "This address is too long. Go back and try a shorter one."
)
HEAD_TOO_LARGE = Refusal(
    431, "headers-too-large", "The headers are too large. Delete the cookies of this site."
)
UNREADABLE = Refusal(400, "parse-error", "The request cannot be read.")
TOO_SLOW = Refusal(408, "too-slow", "The upload was too slow. Send it again over a better connection.")
TOO_LONG = Refusal(413, "too-long", "This is too long. Send a smaller file.")
NOT_AUTHENTICATED = Refusal(
    413,
    "not-known",
    "Only players and staff may send large files. Open your link or sign in, then send it again.",
)
TOO_MANY = Refusal(
    503, "too-many-files", "Too many large files are being uploaded. Send yours again in a minute."
)
BUSY = Refusal(503, "not-now", "The server cannot accept this at the moment. Send it again in a minute.")


class RequestRefused(Exception):
    """Carries the Refusal to send."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


async def send_refusal(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Sends problem JSON under /api/ and plain text elsewhere, and closes the connection without reading the rest."""
    kind, text = b"text/plain; charset=utf-8", refusal.sentence
    if scope["path"].startswith("/api/"):
        kind = b"application/problem+json"
        problem = {"type": f"urn:problem:{refusal.code}", "title": refusal.code, "status": refusal.status}
        text = json.dumps({**problem, "code": refusal.code, "detail": refusal.sentence})
    body = text.encode()
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if refusal.status == 503:
        headers.append((b"retry-after", str(refusal.seconds).encode()))
    await send(
        {"type": "http.response.start", "status": refusal.status, "headers": [*headers, *ASGI_HEADERS]}
    )
    await send({"type": "http.response.body", "body": body})
