"""Decides which requests may share a response, and reduces them to what can change it."""

import re
from io import BytesIO
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.handlers.asgi import ASGIRequest
from django.utils.translation import get_language_from_request

from deploy.asgi_call import Scope

Key = tuple[object, ...]

MAX_QUERY = 200
ORIGIN_HEADERS = (b"host", b"x-forwarded-proto")
MAX_LENGTHS = {b"host": 200, b"x-forwarded-proto": 200, b"accept-language": 200}
"""Longer values would fill the cache."""
RELEVANT_HEADERS = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"accept-language",
        b"authorization",
        b"cookie",
        b"if-none-match",
        *ORIGIN_HEADERS,
    }
)
SESSION, LINK, MESSAGES, FOLLOWED = "sessionid", "link", "messages", "followed"
KEY_COOKIE, KEY_PARAMETER = "visibility", "key"
KEYS = re.compile("[0-9a-f]{32}(?:[.][0-9a-f]{32}){0,11}")
"""The cookie with keys of hidden events. Visitors with the same keys share responses."""
PARAMETERS = (
    "find", "page", "round", "part", "wall", "n", "side", "theme", "scale", "chance", "flags", "bracket", "cursor",
    "page_size", "format", "sort", "clock",
)  # fmt: skip
"""All query parameters that shared pages read. Other parameters do not change the response."""
INVALID_LINK = "-"
"""With this link Django renders the page with the menu of players, without the data of one player."""


class SharedPaths(NamedTuple):
    """A set of paths whose responses may be shared if Django allows it in the response.

    A request with one of `private_cookies` is never shared. With `shows_link`, a link cookie changes only the menu.
    Other cookies, except the one with keys, do not change the response. With `is_json`, only JSON responses are shared.
    """

    paths: re.Pattern[str]
    private_cookies: frozenset[str]
    shows_link: bool = False
    is_json: bool = False


SEGMENT = "[^/]+/"
TOURNAMENT_PAGES = "|".join(
    (
        "(?:standings|results|players|rules|draw-proof|print)/",
        f"bracket/{SEGMENT}(?:print/)?",
        f"(?:standings|players|draw-proof)/{SEGMENT}",
        f"match/{SEGMENT}(?:board/{SEGMENT})?",
        "(?:standings|results|bracket|bracket/[^/]+)[.][a-z]+",
    )
)
TOURNAMENT_API = f"(?:(?:entries|draws|brackets|standings|results|jackpots)/|brackets/{SEGMENT})?"
API = SharedPaths(
    re.compile(
        f"/api/v1/(?:events/(?:{SEGMENT}(?:tournaments/)?)?|tournaments/{SEGMENT}{TOURNAMENT_API}|matches/{SEGMENT})"
    ),
    frozenset({SESSION, LINK}),
    is_json=True,
)
LIVE_PARTS = SharedPaths(re.compile("/e/.+/fragment/|/[ds]/.+/deck/"), frozenset({SESSION}))
PAGES = SharedPaths(
    re.compile(f"/(?:e/{SEGMENT}(?:{SEGMENT}(?:{TOURNAMENT_PAGES})?)?)?"),
    frozenset({SESSION, MESSAGES, FOLLOWED}),
    shows_link=True,
)


class SharedRequest(NamedTuple):
    """`scope` is the request that Django answers for all clients with the same `key`. It has no data of the client."""

    key: Key
    scope: Scope
    is_from_player: bool
    if_none_match: str
    accepts_gzip: bool


def shared_request(scope: Scope) -> SharedRequest | None:
    """Returns None if the response must not be shared."""
    path: str = scope["path"]
    group = next((group for group in (API, LIVE_PARTS, PAGES) if group.paths.fullmatch(path)), None)
    request = _parse_request(scope) if group is not None else None
    if group is None or request is None or _has_own_response(group, request):
        return None
    is_from_player = bool(request.COOKIES.get(LINK))
    cookies = [f"{LINK}={INVALID_LINK}"] if group.shows_link and is_from_player else []
    if keys := request.COOKIES.get(KEY_COOKIE):
        cookies.append(f"{KEY_COOKIE}={keys}")
    origin = [header for header in scope["headers"] if header[0] in ORIGIN_HEADERS]
    query = urlencode([(name, value) for name in PARAMETERS for value in request.GET.getlist(name)])
    language = get_language_from_request(request)
    headers = [*origin, (b"accept-language", language.encode()), (b"accept-encoding", b"gzip")]
    if cookies:
        headers.append((b"cookie", "; ".join(cookies).encode()))
    return SharedRequest(
        key=(path, query, scope.get("scheme"), *headers),
        scope={
            **scope,
            "method": "GET",
            "query_string": query.encode(),
            "headers": headers,
            "client_headers": scope["headers"],
        },
        is_from_player=is_from_player,
        if_none_match=request.headers.get("If-None-Match", ""),
        accepts_gzip="gzip" in request.headers.get("Accept-Encoding", ""),
    )


def _parse_request(scope: Scope) -> ASGIRequest | None:
    """Returns the request with its relevant headers; None if it is unusual and Django must answer it."""
    relevant = [header for header in scope["headers"] if header[0] in RELEVANT_HEADERS]
    values = dict(relevant)
    if (
        scope["method"] not in ("GET", "HEAD")
        or len(values) < len(relevant)
        or len(scope["query_string"]) > MAX_QUERY
        or not scope["query_string"].isascii()
        or any(len(values.get(name, b"")) > most for name, most in MAX_LENGTHS.items())
    ):
        return None
    return ASGIRequest({**scope, "headers": relevant}, BytesIO())


def _has_own_response(group: SharedPaths, request: ASGIRequest) -> bool:
    """Django stores a key of the address in the browser's cookie, so its response is not shared."""
    keys = request.COOKIES.get(KEY_COOKIE)
    return (
        "Authorization" in request.headers
        or KEY_PARAMETER in request.GET
        or bool(keys and not KEYS.fullmatch(keys))
        or any(request.COOKIES.get(name) for name in group.private_cookies)
        or (group.is_json and not _accepts_json(request.headers.get("Accept", "")))
    )


def _accepts_json(accepted: str) -> bool:
    """Recognizes the usual Accept headers. Other requests go to Django."""
    return accepted in ("", "application/json") or ("*/*" in accepted and "indent" not in accepted)
