"""One look for many: what Django answered to one stranger about a live part of a page is given to all who ask the same.

A thousand spectators ask at the same moment, because all are told of the same change. The first asks Django, the
others wait for that answer. It is given out until something that it tells of changes, and never for longer than a
breath. Whoever carries a cookie that could make a difference is always answered by Django itself.
"""

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from deploy.streams import Hub

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Key = tuple[bytes, ...]

LIVE_IDS = b"x-live-ids"
BREATH_SECONDS = 2.0
MOST_KEPT, LONGEST_KEPT, LONGEST_QUERY = 300, 1024 * 1024, 200
WITHOUT_MEANING = {b"csrftoken", b"followed"}
OF_ONE_ASKER = (b"if-none-match", b"cookie", b"accept-encoding")
OUR_OWN = (LIVE_IDS, b"content-length", b"content-encoding", b"vary")
SMALL = 1024


@dataclass
class Look:
    """An answer of Django, whole. `heard` is how much the hub had heard when it was asked for."""

    heard: int
    at: float
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    @property
    def live_ids(self) -> list[str]:
        return _header(self.headers, LIVE_IDS).decode("latin-1").split(",")

    @property
    def may_be_shared(self) -> bool:
        """Django says so by naming what it tells of; and it gives nobody a cookie."""
        names = {name for name, _ in self.headers}
        return self.status == 200 and LIVE_IDS in names and b"set-cookie" not in names

    @property
    def etag(self) -> bytes:
        return _header(self.headers, b"etag")

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.body, 6) if len(self.body) > SMALL else b""


class SharedLooks:
    """Stands before Django; asks the hub what changed meanwhile."""

    def __init__(self, app: App, hub: Hub) -> None:
        self._app, self._hub = app, hub
        self._kept: OrderedDict[Key, Look] = OrderedDict()
        self._asking: dict[Key, asyncio.Future[Look]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _key(scope) if self._hub.is_told else None
        if key is None:
            await self._app(scope, receive, send)
            return
        came = self._hub.heard
        look = self._found(key)
        while look is None:
            asked = self._asking.get(key)
            if asked is None:
                look = await self._ask(key, scope, receive)
            else:
                answer = await asyncio.shield(asked)
                is_as_new = answer.heard >= came or self._is_good(answer)
                look = answer if answer.may_be_shared and is_as_new else None
        await _give(look, scope, send)

    def _found(self, key: Key) -> Look | None:
        look = self._kept.get(key)
        return look if look is not None and self._is_good(look) else None

    def _is_good(self, look: Look) -> bool:
        is_young = time.monotonic() - look.at < BREATH_SECONDS
        return is_young and all(self._hub.last_heard(one) <= look.heard for one in look.live_ids)

    async def _ask(self, key: Key, scope: Scope, receive: Receive) -> Look:
        """Asks for the whole answer, whatever this asker has already; others who want the same wait meanwhile.

        For whoever came before it was asked for, it is as new as a look of their own, whatever changed since.
        """
        waiting = self._asking[key] = asyncio.get_running_loop().create_future()
        look = Look(self._hub.heard, time.monotonic())
        try:
            await self._app(_whole(scope), receive, _into(look))
        finally:
            del self._asking[key]
            waiting.set_result(look)
        if look.may_be_shared and len(look.body) < LONGEST_KEPT:
            self._kept[key] = look
            self._kept.move_to_end(key)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return look


def _key(scope: Scope) -> Key | None:
    """What an answer to this request depends on; None for a request that is not for many."""
    path: str = scope["path"]
    is_live = (path.startswith("/e/") and path.endswith("/fragment/")) or (
        path.startswith("/d/") and path.endswith("/deck/")
    )
    if scope["method"] != "GET" or not is_live or len(scope["query_string"]) > LONGEST_QUERY:
        return None
    cookies = _header(scope["headers"], b"cookie")
    names = {one.partition(b"=")[0].strip() for one in cookies.split(b";") if one.strip()}
    if names - WITHOUT_MEANING or _header(scope["headers"], b"authorization"):
        return None
    told = (_header(scope["headers"], name) for name in (b"host", b"accept-language", b"x-forwarded-proto"))
    return (path.encode(), scope["query_string"], *told)


def _whole(scope: Scope) -> Scope:
    """The request of somebody who has nothing yet, and takes nothing packed."""
    return {**scope, "headers": [one for one in scope["headers"] if one[0] not in OF_ONE_ASKER]}


def _into(look: Look) -> Send:
    async def take(message: Message) -> None:
        if message["type"] == "http.response.start":
            look.status = message["status"]
            look.headers = [(bytes(name).lower(), bytes(value)) for name, value in message["headers"]]
        else:
            look.body += message.get("body", b"")

    return take


async def _give(look: Look, scope: Scope, send: Send) -> None:
    headers = [one for one in look.headers if one[0] not in OUR_OWN]
    headers.append((b"vary", b"Cookie, Accept-Language, Accept-Encoding"))
    known = {one.strip() for one in _header(scope["headers"], b"if-none-match").split(b",")}
    status, body = look.status, look.body
    if status == 200 and look.etag and look.etag in known:
        status, body = 304, b""
    elif look.packed and b"gzip" in _header(scope["headers"], b"accept-encoding"):
        headers.append((b"content-encoding", b"gzip"))
        body = look.packed
    if status != 304:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _header(headers: list[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    return b", ".join(value for name, value in headers if name == wanted)
