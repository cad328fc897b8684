"""The address of live streams, /live/?bracket=ID: counts streams, checks permissions and serves the stream."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qs

from deploy import stream_auth
from deploy.address_quota import client_network
from deploy.asgi_call import App, Receive, Scope, Send
from deploy.body_limits import MAX_ADDRESS
from deploy.monitoring.http_metrics import LIVE_STREAMS
from deploy.request_refusals import RequestRefused
from deploy.security_headers import ASGI_HEADERS
from deploy.sse_stream import SseStream
from deploy.stream_auth import NO_ACCESS, AuthUnavailable, StreamAccess
from deploy.stream_hub import MAX_CHANNELS, STRANGER_LIMITS, TOTAL_LIMITS, Hub
from tournament.runtime.publish import PRIVATE_PREFIX

PREFIX = "/live/"
CHANNEL_PATTERN = re.compile(rf"(?:{PRIVATE_PREFIX})?[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    *ASGI_HEADERS,
]


class _Refusal(NamedTuple):
    status: int
    sentence: bytes


NOT_FOUND = _Refusal(404, b"There is nothing at this address.")
BAD_CHANNELS = _Refusal(400, b"Name 1 to %d brackets: /live/?bracket=ID" % MAX_CHANNELS)
NO_ROOM = _Refusal(503, b"Too many live pages are open. This page retries automatically.")
CANNOT_CHECK = _Refusal(503, b"Access cannot be checked at the moment. This page retries automatically.")
NO_PERMISSION = _Refusal(403, b"You may not follow these pages. Open the page again.")


class LiveEndpoint:
    """ASGI application. Django's application `django` checks credentials."""

    def __init__(self, hub: Hub, django: App) -> None:
        self._hub = hub
        self.django = django

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        channels, address = _requested_channels(scope), client_network(scope)
        if scope["path"] != PREFIX:
            await _refuse(send, NOT_FOUND)
        elif scope["method"] != "GET" or not _are_channel_names(channels):
            await _refuse(send, BAD_CHANNELS)
        elif await self._has_room(address, len(channels), scope):
            with self._hub.place(address, len(channels)):
                await self._serve(channels, scope, receive, send)
        else:
            await _refuse(send, NO_ROOM)

    async def _has_room(self, address: str, channels: int, scope: Scope) -> bool:
        """Authenticates only when the places of strangers are full, because authentication costs a Django request."""
        if self._hub.has_room(address, channels, STRANGER_LIMITS):
            return True
        if not self._hub.has_room(address, channels, TOTAL_LIMITS):
            return False
        try:
            return bool((await stream_auth.authorize(self.django, scope)).credentials)
        except (AuthUnavailable, RequestRefused):
            return False

    async def _serve(self, channels: Sequence[str], scope: Scope, receive: Receive, send: Send) -> None:
        public = [channel for channel in channels if not channel.startswith(PRIVATE_PREFIX)]
        private = [channel for channel in channels if channel.startswith(PRIVATE_PREFIX)]
        revocations = self._hub.revocations
        try:
            access = await self._authorize(scope, private)
        except (AuthUnavailable, RequestRefused):
            await _refuse(send, CANNOT_CHECK)
            return
        if not public and not access.channels:
            await _refuse(send, NO_PERMISSION)
            return
        stream = SseStream([*public, *access.channels])
        with self._hub.subscribed(stream, access.credentials), LIVE_STREAMS.track_inprogress():
            # A credential may have been revoked between the check and the registration.
            if access.credentials and revocations != self._hub.revocations:
                stream.close()
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await stream.serve(receive, send, access.seconds)

    async def _authorize(self, scope: Scope, private: Sequence[str]) -> StreamAccess:
        """Returns NO_ACCESS if no private channel is permitted: then nothing can be revoked either."""
        if not private:
            return NO_ACCESS
        access = await stream_auth.authorize(self.django, scope, private)
        return access if access.channels else NO_ACCESS


def _requested_channels(scope: Scope) -> list[str]:
    query = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("bracket", []) if len(query) <= MAX_ADDRESS else []


def _are_channel_names(names: Sequence[str]) -> bool:
    """Returns True for 1 to MAX_CHANNELS well-formed channel names."""
    return 1 <= len(names) <= MAX_CHANNELS and all(CHANNEL_PATTERN.fullmatch(name) for name in names)


async def _refuse(send: Send, refusal: _Refusal) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(refusal.sentence)).encode()),
        *ASGI_HEADERS,
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": refusal.sentence})
