"""Asks Django what lets somebody in, with the cookies or the token they brought. Knows nobody, keeps nothing."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from deploy.cached_response import OK, Look, Message, Scope, Send, into, nothing_more

App = Callable[[Scope, Callable[[], Awaitable[Message]], Send], Awaitable[None]]

PATH = "/live/ways-in/"
SAYS_WHO = (b"cookie", b"authorization")
ALSO_ASKED_FOR = (b"host", b"x-forwarded-proto")


class NotSaid(Exception):
    """Django could not say just now."""


class WaysIn(NamedTuple):
    """`ways` are what may end, such as a link; `channels` are those to follow; `seconds` is how long an API token
    lasts, None for everything that has no such end."""

    ways: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    seconds: float | None = None


NONE = WaysIn()


async def ways_in(app: App, scope: Scope, names: Sequence[str] = ()) -> WaysIn:
    """Of whoever sent this request. Raises NotSaid."""
    said = [one for one in scope["headers"] if one[0] in SAYS_WHO]
    if not said:
        return NONE
    query = urlencode([("bracket", name) for name in names]).encode()
    headers = [*said, *(one for one in scope["headers"] if one[0] in ALSO_ASKED_FOR)]
    asked = {**scope, "method": "GET", "path": PATH, "raw_path": PATH.encode(), "query_string": query}
    look = Look(0, 0.0)
    await app({**asked, "headers": headers}, nothing_more, into(look))
    if look.status != OK:
        raise NotSaid
    told = json.loads(look.body)
    return WaysIn(tuple(told["ways"]), tuple(told["channels"]), told["seconds"])
