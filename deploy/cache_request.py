"""Decides whether the response to a request can be shared, and normalizes the request to its cache key.

The key contains only the path, parameters, cookies and headers that change the response.
"""

import re
from collections.abc import Iterable, MutableMapping
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

Scope = MutableMapping[str, Any]
Key = tuple[object, ...]

MAX_QUERY = MAX_LANGUAGES = MAX_ORIGIN = 200
PERSONAL_HEADERS = (b"if-none-match", b"cookie", b"accept-encoding")
BODY_HEADERS = (b"content-length", b"content-type", b"transfer-encoding", b"expect")
ORIGIN_HEADERS = (b"host", b"x-forwarded-proto")
RELEVANT_HEADERS = frozenset(
    {b"accept", b"accept-language", b"authorization", *ORIGIN_HEADERS, *PERSONAL_HEADERS}
)
SESSION, LINK, LANGUAGE, MESSAGES, FOLLOWED = (
    b"sessionid",
    b"link",
    b"django_language",
    b"messages",
    b"followed",
)
PARAMETERS = frozenset(
    name.encode()
    for name in [
        "find",
        "page",
        "round",
        "part",
        "wall",
        "n",
        "side",
        "theme",
        "scale",
        "chance",
        "flags",
        "bracket",
        "cursor",
        "page_size",
        "format",
    ]
)
"""All query parameters that shared pages read. Other parameters do not change the response."""
SAMPLE_LINK = b"link=-"
"""An invalid link: Django renders the page with the menu of players, without the data of one player."""


class SharedWith(IntEnum):
    """The readers who get the same response as strangers. Django sends this value with each response."""

    STRANGERS = 0
    PLAYERS = 1
    EVERYBODY = 2


class CachePolicy(NamedTuple):
    """A set of paths whose responses may be shared if Django allows it in the response.

    A request with one of `private_cookies` is never shared. With `shows_link`, a link cookie changes only the menu.
    Other cookies do not change the response. With `is_json`, only JSON responses are shared.
    """

    paths: re.Pattern[str]
    private_cookies: frozenset[bytes]
    shows_link: bool = False
    is_json: bool = False


SEGMENT = "[^/]+/"
TOURNAMENT_PAGES = "|".join(
    (
        "(?:standings|players|rules|draw-proof|print)/",
        f"bracket/{SEGMENT}(?:print/)?",
        f"(?:standings|players|draw-proof)/{SEGMENT}",
        f"match/{SEGMENT}(?:board/{SEGMENT})?",
        "(?:standings|results|bracket|bracket/[^/]+)[.][a-z]+",
    )
)
TOURNAMENT_API = f"(?:(?:entries|draws|brackets|standings|results|jackpots)/|brackets/{SEGMENT})?"
LIVE_PARTS = CachePolicy(re.compile("/e/.+/fragment/|/d/.+/deck/"), frozenset())
PAGES = CachePolicy(
    re.compile(f"/(?:e/{SEGMENT}(?:{SEGMENT}(?:{TOURNAMENT_PAGES})?)?)?"),
    frozenset({SESSION, MESSAGES, FOLLOWED}),
    shows_link=True,
)
API = CachePolicy(
    re.compile(
        f"/api/v1/(?:events/(?:{SEGMENT}(?:tournaments/)?)?|tournaments/{SEGMENT}{TOURNAMENT_API}|matches/{SEGMENT})"
    ),
    frozenset({SESSION, LINK}),
    is_json=True,
)


class CacheRequest(NamedTuple):
    """A shareable request: `key` and what differs between its clients (validators, gzip, reader).

    Django receives only `headers` and `query` when it answers for the cache. `is_plain` is True if the client sent
    nothing else, so its private response would be the same.
    """

    key: Key
    etags: bytes
    accepts_gzip: bool
    least_shared_with: SharedWith = SharedWith.STRANGERS
    headers: tuple[tuple[bytes, bytes], ...] = ()
    query: bytes = b""
    is_plain: bool = True

    def shared_scope(self, scope: Scope) -> Scope:
        """Returns the request that Django answers for the cache. It contains no data of the client."""
        shared_parts = {"method": "GET", "query_string": self.query, "headers": list(self.headers)}
        return {**scope, **shared_parts, "client_headers": scope["headers"]}


def cache_request(scope: Scope) -> CacheRequest | None:
    """Returns None if the response must not be shared."""
    path: str = scope["path"]
    kind = _policy(path) if scope["method"] in ("GET", "HEAD") else None
    if kind is None:
        return None
    headers_sent = _relevant_headers(scope["headers"])
    cookies, query = _cookies(headers_sent.get(b"cookie", b"")), _known_parameters(scope["query_string"])
    accepted, origin = (
        headers_sent.get(b"accept-language", b""),
        tuple(headers_sent.get(name, b"") for name in ORIGIN_HEADERS),
    )
    if b"authorization" in headers_sent or kind.private_cookies & cookies.keys():
        return None
    if len(query) > MAX_QUERY or len(accepted) > MAX_LANGUAGES or sum(map(len, origin)) > MAX_ORIGIN:
        return None
    if kind.is_json and not _accepts_json(headers_sent.get(b"accept", b"")):
        return None
    language = _language(accepted, cookies.get(LANGUAGE, b""))
    link = SAMPLE_LINK if kind.shows_link and LINK in cookies else b""
    headers = [(name, value) for name, value in zip(ORIGIN_HEADERS, origin, strict=True) if value]
    headers += [(b"accept-language", language.encode()), *([(b"cookie", link)] if link else [])]
    return CacheRequest(
        key=(path, query, *origin, scope.get("scheme"), language, link),
        etags=headers_sent.get(b"if-none-match", b""),
        accepts_gzip=b"gzip" in headers_sent.get(b"accept-encoding", b""),
        least_shared_with=_audience(cookies),
        headers=tuple(headers),
        query=query,
        is_plain=scope["method"] == "GET"
        and b"cookie" not in headers_sent
        and query == scope["query_string"],
    )


def anonymous_scope(scope: Scope) -> Scope:
    """Returns the request without cookies, validators, compression and body."""
    return {
        **scope,
        "headers": [
            header for header in scope["headers"] if header[0] not in PERSONAL_HEADERS + BODY_HEADERS
        ],
    }


def presented_credentials(scope: Scope) -> tuple[bytes, ...]:
    """Returns the session, link and token of the client; empty values if missing."""
    headers_sent = _relevant_headers(scope.get("client_headers", scope["headers"]))
    cookies = _cookies(headers_sent.get(b"cookie", b""))
    return cookies.get(SESSION, b""), cookies.get(LINK, b""), headers_sent.get(b"authorization", b"")


def _policy(path: str) -> CachePolicy | None:
    if path.startswith("/api/"):
        return API if API.paths.fullmatch(path) else None
    return next((kind for kind in (LIVE_PARTS, PAGES) if kind.paths.fullmatch(path)), None)


def _accepts_json(accepted: bytes) -> bool:
    """Recognizes the usual Accept headers. Other requests go to Django."""
    return accepted in (b"", b"application/json") or (b"*/*" in accepted and b"indent" not in accepted)


def _relevant_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Returns the headers that can change the response. Repeated headers are joined as HTTP requires."""
    joined: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in RELEVANT_HEADERS:
            joint = b";" if name == b"cookie" else b","
            joined[name] = joined[name] + joint + value if name in joined else value
    return joined


@lru_cache(maxsize=1000)
def _language(accepted: bytes, chosen: bytes) -> str:
    """Returns the language that Django would select."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = chosen.decode("latin-1")
    return get_language_from_request(request)


def _cookies(header: bytes) -> dict[bytes, bytes]:
    """Returns the cookies that have a value. The last of several with one name wins, as in Django."""
    pairs = (pair.partition(b"=")[::2] for pair in header.split(b";"))
    return {name.strip(): value for name, value in pairs if value.strip()}


def _audience(cookies: dict[bytes, bytes]) -> SharedWith:
    if SESSION in cookies:
        return SharedWith.EVERYBODY
    return SharedWith.PLAYERS if LINK in cookies else SharedWith.STRANGERS


def _known_parameters(query: bytes) -> bytes:
    """Keeps the known parameters, and names with escapes because only Django decodes them."""
    return b"&".join(piece for piece in query.split(b"&") if _is_known_parameter(piece.partition(b"=")[0]))


def _is_known_parameter(name: bytes) -> bool:
    return name in PARAMETERS or b"%" in name or b"+" in name
