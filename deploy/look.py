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
LONGEST_QUERY = LONGEST_LANGUAGES = LONGEST_PLACE = 200
OK, TOO_OFTEN, FAULT = 200, 429, 500
SMALL = 1024
# Quick rather than tight: it is done anew with every change, and a page is a tenth of its size either way.
LEVEL, TIGHT = 4, 9
OF_ONE_ASKER = (b"if-none-match", b"cookie", b"accept-encoding")
OF_A_BODY = (b"content-length", b"content-type", b"transfer-encoding", b"expect")
THAT_MATTER = frozenset(
    {b"host", b"accept", b"accept-language", b"x-forwarded-proto", b"authorization", *OF_ONE_ASKER}
)
OUR_OWN = (
    LIVE_IDS,
    b"last-modified",
    b"content-length",
    b"content-encoding",
    b"vary",
    b"etag",
    b"cache-control",
)
NOTHING: Message = {"type": "http.response.body", "body": b""}


class Kind(NamedTuple):
    """Addresses whose answers may be for many: Django says so with each answer. What makes no difference there is
    passed over: the names of cookies; and of the API's answers, which programs ask for, nothing but JSON is kept."""

    addresses: re.Pattern[str]
    without_meaning: frozenset[bytes]
    is_json: bool = False


ONE = "[^/]+/"
IN_A_TOURNAMENT = "|".join(
    (
        "(?:standings|players|rules|draw-proof|print)/",
        f"bracket/{ONE}(?:print/)?",
        f"(?:standings|players|draw-proof)/{ONE}",
        f"match/{ONE}(?:board/{ONE})?",
        "(?:standings|results|bracket|bracket/[^/]+)[.][a-z]+",
    )
)
OF_A_TOURNAMENT = f"(?:(?:entries|draws|brackets|standings|results|jackpots)/|brackets/{ONE})?"
# A live part shows nobody whom they follow; a page does.
LIVE_PARTS = Kind(re.compile("/e/.+/fragment/|/d/.+/deck/"), frozenset({b"csrftoken", b"followed"}))
PAGES = Kind(re.compile(f"/(?:e/{ONE}(?:{ONE}(?:{IN_A_TOURNAMENT})?)?)?"), frozenset({b"csrftoken"}))
API = Kind(
    re.compile(
        f"/api/v1/(?:events/(?:{ONE}(?:tournaments/)?)?|tournaments/{ONE}{OF_A_TOURNAMENT}|matches/{ONE})"
    ),
    frozenset({b"csrftoken", b"followed"}),
    is_json=True,
)


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


def asker_of(scope: Scope) -> Asker | None:
    """Who asks, when many may ask the same; None for a request that only Django can answer."""
    path: str = scope["path"]
    query: bytes = scope["query_string"]
    kind = _kind(path) if scope["method"] == "GET" else None
    if kind is None or len(query) > LONGEST_QUERY:
        return None
    said = _said(scope["headers"])
    cookies, languages = said.get(b"cookie", b""), said.get(b"accept-language", b"")
    if b"authorization" in said or len(languages) > LONGEST_LANGUAGES:
        return None
    if cookies and _names(cookies) - kind.without_meaning:
        return None
    if kind.is_json and not _takes_json(said.get(b"accept", b"")):
        return None
    host, proto = said.get(b"host", b""), said.get(b"x-forwarded-proto", b"")
    if len(host) + len(proto) > LONGEST_PLACE:
        return None
    takes_gzip = b"gzip" in said.get(b"accept-encoding", b"")
    key = (path, query, host, scope.get("scheme"), proto, _language(languages))
    return Asker(key, said.get(b"if-none-match", b""), takes_gzip, bool(cookies))


def asker_of_a_file(scope: Scope) -> Asker:
    """Whoever asks, a file is the same."""
    said = _said(scope["headers"])
    takes_gzip = b"gzip" in said.get(b"accept-encoding", b"")
    return Asker((scope["path"],), said.get(b"if-none-match", b""), takes_gzip, has_cookies=False)


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


def _kind(path: str) -> Kind | None:
    if path.startswith("/api/"):
        return API if API.addresses.fullmatch(path) else None
    return next((kind for kind in (LIVE_PARTS, PAGES) if kind.addresses.fullmatch(path)), None)


def _takes_json(accepted: bytes) -> bool:
    """As it is usually written; whoever wants it otherwise gets it from Django."""
    return accepted in (b"", b"application/json") or (b"*/*" in accepted and b"indent" not in accepted)


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
