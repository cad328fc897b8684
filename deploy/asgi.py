"""The one port: answers live streams itself and hands everything else to Django in threads.

Django's synchronous views run two to three times faster in threads than under Django's own ASGI handler, and a
stream costs no thread here.
"""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from deploy import database_timeouts, environment, release_guard, stream_auth
from deploy.address_quota import client_of
from deploy.body_limits import LONGEST_ADDRESS, Intake, NotTaken
from deploy.monitoring.http_metrics import LIVE_STREAMS, Counted, forget_the_dead
from deploy.request_priority import Lanes
from deploy.response_cache import SharedLooks
from deploy.security_headers import IN_BYTES
from deploy.shutdown import UntilTheEnd
from deploy.sse_stream import Stream, allow_many_connections
from deploy.static_cache import KeptFiles
from deploy.stream_hub import FOR_ALL, FOR_STRANGERS, MOST_BRACKETS, Hub
from deploy.wsgi import application as django_application
from deploy.wsgi_adapter import Bridge
from tournament.live.channels import INSIDE
from tournament.runtime import queue
from tournament.runtime.publish import CHANNEL

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LIVE_PATH = "/live/"
CHANNEL_NAME = re.compile(rf"(?:{INSIDE})?[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
OUT_OF_FILES = (settings.STATIC_URL, "/worker.js")
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    *IN_BYTES,
]


class Front:
    """The ASGI application."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.lanes = Lanes(Bridge(django_application, environment.web_threads()))
        looks = SharedLooks(Intake(self.lanes), hub)
        self.django = Counted(UntilTheEnd(looks if settings.DEBUG else KeptFiles(looks, *OUT_OF_FILES)))
        self.live = UntilTheEnd(self._stream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live_and_die(receive, send)
        elif scope["type"] == "http" and scope["path"] == LIVE_PATH:
            await self.live(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == stream_auth.PATH:
            await _answer(send, 404, b"There is nothing at this address.")
        elif scope["type"] == "http":
            await self.django(_whole(scope), receive, send)

    async def _live_and_die(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                # uvicorn gives every other end at this moment an exit code of its own, 3.
                await asyncio.to_thread(release_guard.check, os._exit)
                if problem := self._begin():
                    await send({"type": "lifespan.startup.failed", "message": problem})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _begin(self) -> str:
        """The sentence to say when it cannot; whoever answered all the same would leave every live page untold."""
        try:
            allow_many_connections()
            database_timeouts.keep()
            forget_the_dead()
            queue.prepare()
            self.hub.start()
        except Exception as error:  # noqa: BLE001 whatever it was, the supervisor starts it again
            return f"The pages cannot start ({type(error).__name__}: {error})."
        return ""

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope["query_string"]
        named = query.decode("latin-1") if len(query) <= LONGEST_ADDRESS else ""
        brackets = parse_qs(named).get("bracket", [])
        address = client_of(scope)
        if scope["method"] != "GET" or not _are_channels(brackets):
            await _answer(send, 400, b"Name 1 to %d brackets: /live/?bracket=ID" % MOST_BRACKETS)
        elif await self._has_room_for(address, len(brackets), scope):
            with self.hub.place(address, len(brackets)):
                await self._tell(brackets, scope, receive, send)
        else:
            await _answer(send, 503, b"Too many live pages are open. This page asks again by itself.")

    async def _has_room_for(self, address: str, names: int, scope: Scope) -> bool:
        """Only where strangers have no room left is it asked who somebody is."""
        if self.hub.has_room_for(address, names, FOR_STRANGERS):
            return True
        if not self.hub.has_room_for(address, names, FOR_ALL):
            return False
        try:
            return bool((await stream_auth.ways_in(self.lanes, scope)).ways)
        except (stream_auth.NotSaid, NotTaken):
            return False

    async def _tell(self, brackets: list[str], scope: Scope, receive: Receive, send: Send) -> None:
        public = [one for one in brackets if not one.startswith(INSIDE)]
        inside = [one for one in brackets if one.startswith(INSIDE)]
        ended = self.hub.ended
        try:
            private = await stream_auth.ways_in(self.lanes, scope, inside) if inside else stream_auth.NONE
        except (stream_auth.NotSaid, NotTaken):
            await _answer(
                send, 503, b"Nobody can say just now who may listen. This page asks again by itself."
            )
            return
        if not public and not private.channels:
            await _answer(send, 403, b"This is for those inside. Open the page again.")
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        stream = Stream(send)
        with (
            self.hub.listening([*public, *private.channels], stream.write),
            self.hub.let_in_by(private.ways if private.channels else (), stream.hang_up),
            LIVE_STREAMS.track_inprogress(),
        ):
            if private.channels and ended != self.hub.ended:
                stream.hang_up()
            async with asyncio.timeout(private.seconds if private.channels else None):
                await stream.until_over(receive)


def _are_channels(names: list[str]) -> bool:
    """Whether one stream may follow these names."""
    return 1 <= len(names) <= MOST_BRACKETS and all(CHANNEL_NAME.fullmatch(name) for name in names)


def _whole(scope: Scope) -> Scope:
    """The request for the whole of it: parts of a file are never worth sending here, and a wrong range breaks them."""
    if all(name != b"range" for name, _ in scope["headers"]):
        return scope
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != b"range"]}


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *IN_BYTES,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


application = Front(Hub(settings.REDIS_URL, CHANNEL))
