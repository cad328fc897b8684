"""An answer of Django as it is kept for many, and who may have it. Asks nobody and keeps nothing by itself."""

import gzip
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import get_language_from_request

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Key = tuple[object, ...]

LIVE_IDS = b"x-live-ids"
LONGEST_QUERY = LONGEST_LANGUAGES = 200
OK, FAULT = 200, 500
SMALL = 1024
# Quick rather than tight: it is done anew with every change, and a page is a tenth of its size either way.
LEVEL = 4
LIVE_PARTS = re.compile(r"/e/.+/fragment/|/d/.+/deck/")
PAGES = re.compile(r"/e/[^/]+/(?:[^/]+/(?:(?:(?:bracket|standings)/[^/]+|standings|players|rules)/)?)?")
# A live part shows nobody whom they follow; a page does.
WITHOUT_MEANING = {LIVE_PARTS: {b"csrftoken", b"followed"}, PAGES: {b"csrftoken"}}
OF_ONE_ASKER = (b"if-none-match", b"cookie", b"accept-encoding")
OF_A_BODY = (b"content-length", b"content-type", b"transfer-encoding", b"expect")
THAT_MATTER = frozenset({b"host", b"accept-language", b"x-forwarded-proto", b"authorization", *OF_ONE_ASKER})
OUR_OWN = (LIVE_IDS, b"content-length", b"content-encoding", b"vary", b"etag", b"cache-control")
NOTHING: Message = {"type": "http.response.body", "body": b""}


class Asker(NamedTuple):
    """A request that many may send: what the answer depends on, and what is this asker's own affair."""

    key: Key
    etags: bytes
    takes_gzip: bool
    has_cookies: bool


@dataclass(slots=True)
class Look:
    """An answer of Django, whole. `heard` is how much the hub had heard when it was asked for."""

    heard: int
    at: float
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    live_ids: list[str] = field(default_factory=list)
    still_good: int = 0
    etag: bytes = b""
    _unchanged: Message = field(default_factory=dict)
    _plain: tuple[Message, Message] = (NOTHING, NOTHING)
    _packed: tuple[Message, Message] | None = None

    @property
    def may_be_shared(self) -> bool:
        """Django says so by naming what it tells of; and it gives nobody a cookie, nor a word that holds once."""
        told = dict(self.headers)
        policy = told.get(b"content-security-policy", b"")
        return (
            self.status == OK and LIVE_IDS in told and b"set-cookie" not in told and b"'nonce-" not in policy
        )

    @property
    def size(self) -> int:
        packed = len(self._packed[1]["body"]) if self._packed else 0
        return len(self.body) + packed

    def make_ready(self) -> None:
        """Works out once what everybody gets: packed, as it is, or the word that nothing has changed."""
        told = dict(self.headers)
        self.live_ids = told[LIVE_IDS].decode("latin-1").split(",")
        self.etag = told.get(b"etag", b"") or b'W/"%s"' % hashlib.sha256(self.body).hexdigest()[:20].encode()
        headers = [one for one in self.headers if one[0] not in OUR_OWN]
        headers += [
            (b"vary", b"Cookie, Accept-Language, Accept-Encoding"),
            (b"cache-control", b"no-cache, private"),
            (b"etag", self.etag),
        ]
        self._unchanged = _start(304, headers)
        self._plain = _answer(headers, self.body)
        if len(self.body) > SMALL:
            packed = gzip.compress(self.body, LEVEL)
            self._packed = _answer([*headers, (b"content-encoding", b"gzip")], packed)

    def pass_on(self) -> None:
        """What is for this asker alone is given as Django sent it."""
        headers = _without_ids(self.headers)
        self._plain = _start(self.status, headers), {"type": "http.response.body", "body": self.body}

    async def give(self, asker: Asker, send: Send) -> None:
        if asker.etags and self.etag and (asker.etags == self.etag or self.etag in _each(asker.etags)):
            await send(self._unchanged)
            await send(NOTHING)
            return
        start, body = self._packed if self._packed and asker.takes_gzip else self._plain
        await send(start)
        await send(body)


def asker_of(scope: Scope) -> Asker | None:
    """Who asks, when many may ask the same; None for a request that only Django can answer."""
    path: str = scope["path"]
    query: bytes = scope["query_string"]
    kind = _kind(path)
    if kind is None or scope["method"] != "GET" or len(query) > LONGEST_QUERY:
        return None
    said = _said(scope["headers"])
    cookies, languages = said.get(b"cookie", b""), said.get(b"accept-language", b"")
    if b"authorization" in said or len(languages) > LONGEST_LANGUAGES:
        return None
    if cookies and _names(cookies) - WITHOUT_MEANING[kind]:
        return None
    place = said.get(b"host"), scope.get("scheme"), said.get(b"x-forwarded-proto")
    takes_gzip = b"gzip" in said.get(b"accept-encoding", b"")
    key = (path, query, place, _language(languages))
    return Asker(key, said.get(b"if-none-match", b""), takes_gzip, bool(cookies))


def as_nobody(scope: Scope) -> Scope:
    """The request of somebody who has nothing yet, and takes nothing packed."""
    return {**scope, "headers": [one for one in scope["headers"] if one[0] not in OF_ONE_ASKER + OF_A_BODY]}


async def nothing_more() -> Message:
    """What comes after the head of such a request, for as long as anybody asks."""
    return {"type": "http.request", "body": b"", "more_body": False}


def into(look: Look) -> Send:
    """What Django sends becomes the look."""
    pieces: list[bytes] = []

    async def take(message: Message) -> None:
        if message["type"] == "http.response.start":
            look.status = message["status"]
            look.headers = [(bytes(name).lower(), bytes(value)) for name, value in message["headers"]]
            return
        pieces.append(message.get("body", b""))
        if not message.get("more_body"):
            look.body = b"".join(pieces)

    return take


def to_one(send: Send) -> Send:
    """To somebody whom Django itself answers. Which ids that tells of stays here: a hidden draw has some too."""

    async def pass_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _without_ids(message["headers"])}
        await send(message)

    return pass_on


def _kind(path: str) -> re.Pattern[str] | None:
    if path[:3] not in ("/e/", "/d/"):
        return None
    return LIVE_PARTS if LIVE_PARTS.fullmatch(path) else PAGES if PAGES.fullmatch(path) else None


def _without_ids(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [one for one in headers if one[0].lower() != LIVE_IDS]


def _said(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """What of the request may make a difference; what is said twice is joined as HTTP has it."""
    said: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in THAT_MATTER:
            joint = b";" if name == b"cookie" else b","
            said[name] = said[name] + joint + value if name in said else value
    return said


@lru_cache(maxsize=1000)
def _language(accepted: bytes) -> str:
    """The one of our languages that Django would answer in."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    return get_language_from_request(request)


def _names(cookies: bytes) -> set[bytes]:
    return {one.partition(b"=")[0].strip() for one in cookies.split(b";") if one.strip()}


def _each(etags: bytes) -> set[bytes]:
    return {one.strip() for one in etags.split(b",")}


def _start(status: int, headers: list[tuple[bytes, bytes]]) -> Message:
    return {"type": "http.response.start", "status": status, "headers": headers}


def _answer(headers: list[tuple[bytes, bytes]], body: bytes) -> tuple[Message, Message]:
    length = (b"content-length", str(len(body)).encode())
    return _start(OK, [*headers, length]), {"type": "http.response.body", "body": body}
