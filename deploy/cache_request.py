"""A request that many may send: which addresses, cookies, headers and parameters make a difference to its answer."""

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

LONGEST_QUERY = LONGEST_LANGUAGES = LONGEST_PLACE = 200
OF_ONE_ASKER = (b"if-none-match", b"cookie", b"accept-encoding")
OF_A_BODY = (b"content-length", b"content-type", b"transfer-encoding", b"expect")
OF_A_PLACE = (b"host", b"x-forwarded-proto")
THAT_MATTER = frozenset({b"accept", b"accept-language", b"authorization", *OF_A_PLACE, *OF_ONE_ASKER})
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
"""Every query parameter that a shared address reads; any other makes no difference to its answer."""
ANY_LINK = b"link=-"
"""A link that opens nothing: the page as every phone of a player sees it."""


class Reader(IntEnum):
    """Django names the most privileged reader whose answer is the same as a stranger's."""

    STRANGERS = 0
    PLAYERS = 1
    EVERYBODY = 2


class Kind(NamedTuple):
    """Addresses whose answers may be shared: Django says so with each answer.

    `own` are the cookies that make an answer the asker's own; a link in `shows_link` changes the menu alone. Cookies
    that are not named here make no difference. Of the API's answers only JSON is kept.
    """

    addresses: re.Pattern[str]
    own: frozenset[bytes]
    shows_link: bool = False
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
LIVE_PARTS = Kind(re.compile("/e/.+/fragment/|/d/.+/deck/"), frozenset())
PAGES = Kind(
    re.compile(f"/(?:e/{ONE}(?:{ONE}(?:{IN_A_TOURNAMENT})?)?)?"),
    frozenset({SESSION, MESSAGES, FOLLOWED}),
    shows_link=True,
)
API = Kind(
    re.compile(
        f"/api/v1/(?:events/(?:{ONE}(?:tournaments/)?)?|tournaments/{ONE}{OF_A_TOURNAMENT}|matches/{ONE})"
    ),
    frozenset({SESSION, LINK}),
    is_json=True,
)


class Asker(NamedTuple):
    """A request that many may send: what the answer depends on, and what is this asker's own affair.

    `headers` and `query` are all that Django gets to see of it when it answers for many. `is_plain`: nothing else was
    sent, so that an answer for this asker alone would be the same.
    """

    key: Key
    etags: bytes
    takes_gzip: bool
    reader: Reader = Reader.STRANGERS
    headers: tuple[tuple[bytes, bytes], ...] = ()
    query: bytes = b""
    is_plain: bool = True

    def request(self, scope: Scope) -> Scope:
        """The request that Django answers for many. Nothing in it belongs to one asker."""
        asked = {"method": "GET", "query_string": self.query, "headers": list(self.headers)}
        return {**scope, **asked, "asked_by": scope["headers"]}


def asker_of(scope: Scope) -> Asker | None:
    """The asker, when many may ask the same; None for a request that only Django can answer."""
    path: str = scope["path"]
    kind = _kind(path) if scope["method"] in ("GET", "HEAD") else None
    if kind is None:
        return None
    said = _said(scope["headers"])
    cookies, query = _cookies(said.get(b"cookie", b"")), _known(scope["query_string"])
    accepted, place = said.get(b"accept-language", b""), tuple(said.get(name, b"") for name in OF_A_PLACE)
    if b"authorization" in said or kind.own & cookies.keys():
        return None
    if (
        len(query) > LONGEST_QUERY
        or len(accepted) > LONGEST_LANGUAGES
        or sum(map(len, place)) > LONGEST_PLACE
    ):
        return None
    if kind.is_json and not _takes_json(said.get(b"accept", b"")):
        return None
    language = _language(accepted, cookies.get(LANGUAGE, b""))
    link = ANY_LINK if kind.shows_link and LINK in cookies else b""
    headers = [(name, value) for name, value in zip(OF_A_PLACE, place, strict=True) if value]
    headers += [(b"accept-language", language.encode()), *([(b"cookie", link)] if link else [])]
    return Asker(
        key=(path, query, *place, scope.get("scheme"), language, link),
        etags=said.get(b"if-none-match", b""),
        takes_gzip=b"gzip" in said.get(b"accept-encoding", b""),
        reader=_reader(cookies),
        headers=tuple(headers),
        query=query,
        is_plain=scope["method"] == "GET" and b"cookie" not in said and query == scope["query_string"],
    )


def asker_of_a_file(scope: Scope) -> Asker:
    """Whoever asks, a file is the same."""
    said = _said(scope["headers"])
    takes_gzip = b"gzip" in said.get(b"accept-encoding", b"")
    return Asker((scope["path"],), said.get(b"if-none-match", b""), takes_gzip)


def as_nobody(scope: Scope) -> Scope:
    """The request of somebody who has nothing yet, and takes nothing packed."""
    return {**scope, "headers": [one for one in scope["headers"] if one[0] not in OF_ONE_ASKER + OF_A_BODY]}


def credentials(scope: Scope) -> tuple[bytes, ...]:
    """The session, link and token that were shown by the one for whom this is asked; empty where there is none."""
    said = _said(scope.get("asked_by", scope["headers"]))
    cookies = _cookies(said.get(b"cookie", b""))
    return cookies.get(SESSION, b""), cookies.get(LINK, b""), said.get(b"authorization", b"")


def _kind(path: str) -> Kind | None:
    if path.startswith("/api/"):
        return API if API.addresses.fullmatch(path) else None
    return next((kind for kind in (LIVE_PARTS, PAGES) if kind.addresses.fullmatch(path)), None)


def _takes_json(accepted: bytes) -> bool:
    """As it is usually written; whoever wants it otherwise gets it from Django."""
    return accepted in (b"", b"application/json") or (b"*/*" in accepted and b"indent" not in accepted)


def _said(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """What of the request may make a difference; what is said twice is joined as HTTP has it."""
    said: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in THAT_MATTER:
            joint = b";" if name == b"cookie" else b","
            said[name] = said[name] + joint + value if name in said else value
    return said


@lru_cache(maxsize=1000)
def _language(accepted: bytes, chosen: bytes) -> str:
    """The one of our languages that Django would answer in."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin-1")
    request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = chosen.decode("latin-1")
    return get_language_from_request(request)


def _cookies(said: bytes) -> dict[bytes, bytes]:
    """Those with a value; of two with one name the later counts, as for Django."""
    pairs = (one.partition(b"=")[::2] for one in said.split(b";"))
    return {name.strip(): value for name, value in pairs if value.strip()}


def _reader(cookies: dict[bytes, bytes]) -> Reader:
    if SESSION in cookies:
        return Reader.EVERYBODY
    return Reader.PLAYERS if LINK in cookies else Reader.STRANGERS


def _known(query: bytes) -> bytes:
    """The parameters that may matter: those that are known, and names written so that only Django can read them."""
    return b"&".join(piece for piece in query.split(b"&") if _is_known(piece.partition(b"=")[0]))


def _is_known(name: bytes) -> bool:
    return name in PARAMETERS or b"%" in name or b"+" in name
