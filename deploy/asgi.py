"""The ASGI application: serves live streams itself and runs Django's WSGI application in threads.

Django's synchronous views run two to three times faster in threads than under Django's own ASGI handler, and a
stream needs no thread here.
"""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from deploy import database_timeouts, environment, release_guard, stream_auth
from deploy.address_quota import client_network
from deploy.body_limits import MAX_ADDRESS, BodyLimits, RequestRefused
from deploy.django_threads import DjangoThreads
from deploy.monitoring.http_metrics import LIVE_STREAMS, RequestMetrics, remove_dead_processes
from deploy.request_priority import RequestPriority
from deploy.response_cache import ResponseCache
from deploy.security_headers import ASGI_HEADERS
from deploy.shutdown import RefuseOnShutdown
from deploy.sse_stream import SseStream, raise_open_file_limit
from deploy.static_files import StaticFiles
from deploy.stream_hub import MAX_CHANNELS, STRANGER_LIMITS, TOTAL_LIMITS, Hub
from deploy.wsgi import application as django_application
from tournament.live.channels import PRIVATE_PREFIX
from tournament.runtime import queue
from tournament.runtime.publish import CHANNEL

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LIVE_PATH = "/live/"
CHANNEL_PATTERN = re.compile(rf"(?:{PRIVATE_PREFIX})?[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    *ASGI_HEADERS,
]


class AsgiApplication:
    """The ASGI application."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.request_priority = RequestPriority(DjangoThreads(django_application, environment.web_threads()))
        pages = ResponseCache(BodyLimits(self.request_priority), hub)
        self.django = RequestMetrics(RefuseOnShutdown(StaticFiles(pages)))
        self.live = RefuseOnShutdown(self._stream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"] == LIVE_PATH:
            await self.live(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == stream_auth.PATH:
            await _send_text(send, 404, b"There is nothing at this address.")
        elif scope["type"] == "http":
            await self.django(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                # os._exit, because uvicorn replaces any other exit during startup by its own exit code 3.
                await asyncio.to_thread(release_guard.check, os._exit)
                if problem := self._start():
                    await send({"type": "lifespan.startup.failed", "message": problem})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _start(self) -> str:
        """Returns an error message, or "". A process without a subscription must not serve pages."""
        try:
            raise_open_file_limit()
            database_timeouts.apply_timeouts()
            remove_dead_processes()
            queue.warm_up()
            self.hub.start()
        except Exception as error:  # noqa: BLE001 (the supervisor restarts the process after any error)
            return f"The web server cannot start ({type(error).__name__}: {error})."
        return ""

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope["query_string"]
        text = query.decode("latin-1") if len(query) <= MAX_ADDRESS else ""
        channels = parse_qs(text).get("bracket", [])
        address = client_network(scope)
        if scope["method"] != "GET" or not _are_channel_names(channels):
            await _send_text(send, 400, b"Name 1 to %d brackets: /live/?bracket=ID" % MAX_CHANNELS)
        elif await self._has_stream_room(address, len(channels), scope):
            with self.hub.place(address, len(channels)):
                await self._stream_events(channels, scope, receive, send)
        else:
            await _send_text(send, 503, b"Too many live pages are open. This page retries automatically.")

    async def _has_stream_room(self, address: str, channels: int, scope: Scope) -> bool:
        """Authenticates only when the places of strangers are full, because authentication costs a Django request."""
        if self.hub.has_room(address, channels, STRANGER_LIMITS):
            return True
        if not self.hub.has_room(address, channels, TOTAL_LIMITS):
            return False
        try:
            return bool((await stream_auth.authorize(self.request_priority, scope)).credentials)
        except (stream_auth.AuthUnavailable, RequestRefused):
            return False

    async def _stream_events(self, channels: list[str], scope: Scope, receive: Receive, send: Send) -> None:
        public = [channel for channel in channels if not channel.startswith(PRIVATE_PREFIX)]
        private = [channel for channel in channels if channel.startswith(PRIVATE_PREFIX)]
        revocations = self.hub.revocations
        try:
            access = await self._authorize(scope, private)
        except (stream_auth.AuthUnavailable, RequestRefused):
            message = b"Access cannot be checked at the moment. This page retries automatically."
            await _send_text(send, 503, message)
            return
        if not public and not access.channels:
            await _send_text(send, 403, b"You may not follow these pages. Open the page again.")
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        stream = SseStream(send)
        with (
            self.hub.subscribed([*public, *access.channels], stream.write),
            self.hub.closing_on_revocation(access.credentials if access.channels else (), stream.close),
            LIVE_STREAMS.track_inprogress(),
        ):
            # A credential may have been revoked between the check and the registration.
            if access.channels and revocations != self.hub.revocations:
                stream.close()
            async with asyncio.timeout(access.seconds if access.channels else None):
                await stream.wait_until_closed(receive)

    async def _authorize(self, scope: Scope, private: list[str]) -> stream_auth.StreamAccess:
        if not private:
            return stream_auth.NO_ACCESS
        return await stream_auth.authorize(self.request_priority, scope, private)


def _are_channel_names(names: list[str]) -> bool:
    """Returns True for 1 to MAX_CHANNELS well-formed channel names."""
    return 1 <= len(names) <= MAX_CHANNELS and all(CHANNEL_PATTERN.fullmatch(name) for name in names)


async def _send_text(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *ASGI_HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


application = AsgiApplication(Hub(settings.REDIS_URL, CHANNEL))
