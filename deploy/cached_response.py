"""An answer of Django as it is kept for many. Asks nobody and keeps nothing by itself."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from deploy.cache_request import Asker, Reader

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

LIVE_IDS = b"x-live-ids"
SHARED_WITH = b"x-shared-with"
OK, TOO_OFTEN, FAULT = 200, 429, 500
SMALL = 1024
# Quick rather than tight: it is done anew with every change, and a page is a tenth of its size either way.
LEVEL, TIGHT = 4, 9
OUR_OWN = (
    LIVE_IDS,
    SHARED_WITH,
    b"last-modified",
    b"content-length",
    b"content-encoding",
    b"vary",
    b"etag",
    b"cache-control",
)
NOTHING: Message = {"type": "http.response.body", "body": b""}


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
    def readers(self) -> Reader:
        """Up to whom the answer is the same as a stranger's."""
        said = dict(self.headers).get(SHARED_WITH, b"").decode("latin-1").upper()
        return Reader[said] if said in Reader.__members__ else Reader.STRANGERS

    @property
    def is_of_this_asker(self) -> bool:
        """A fault, or one who asks too often: that says nothing of what is there."""
        return self.status >= FAULT or self.status == TOO_OFTEN

    @property
    def is_immutable(self) -> bool:
        return b"immutable" in dict(self.headers).get(b"cache-control", b"")

    @property
    def size(self) -> int:
        packed = len(self._packed[1]["body"]) if self._packed else 0
        return len(self.body) + packed

    def make_ready(self) -> None:
        """Works out once what everybody gets: packed, as it is, or the word that nothing has changed."""
        told = dict(self.headers)
        self.live_ids = told[LIVE_IDS].decode("latin-1").split(",")
        self.etag = told.get(b"etag", b"") or self._etag_of_words
        headers = [
            (b"vary", b"Accept, Cookie, Accept-Language, Accept-Encoding"),
            (b"cache-control", b"no-cache, private"),
        ]
        self._make_all(headers, LEVEL)

    def last_for(self, told: bytes) -> None:
        self.headers = [one for one in self.headers if one[0] != b"cache-control"]
        self.headers.append((b"cache-control", told))

    def make_lasting(self) -> None:
        """The same for a file, which may be kept for as long as Django says."""
        self.etag = self._etag_of_words
        told = [one for one in self.headers if one[0] == b"cache-control"]
        self._make_all([(b"vary", b"Accept-Encoding"), *told], TIGHT)

    @property
    def _etag_of_words(self) -> bytes:
        return b'W/"%s"' % hashlib.sha256(self.body).hexdigest()[:20].encode()

    def _make_all(self, ours: list[tuple[bytes, bytes]], level: int) -> None:
        theirs = [one for one in self.headers if one[0] not in OUR_OWN]
        headers = [*theirs, *ours, (b"etag", self.etag)]
        self._unchanged = _start(304, headers)
        self._plain = _answer(headers, self.body)
        packed = gzip.compress(self.body, level) if len(self.body) > SMALL else self.body
        if len(packed) < len(self.body):
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


def _without_ids(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [one for one in headers if one[0].lower() not in (LIVE_IDS, SHARED_WITH)]


def _each(etags: bytes) -> set[bytes]:
    return {one.strip() for one in etags.split(b",")}


def _start(status: int, headers: list[tuple[bytes, bytes]]) -> Message:
    return {"type": "http.response.start", "status": status, "headers": headers}


def _answer(headers: list[tuple[bytes, bytes]], body: bytes) -> tuple[Message, Message]:
    length = (b"content-length", str(len(body)).encode())
    return _start(OK, [*headers, length]), {"type": "http.response.body", "body": body}
