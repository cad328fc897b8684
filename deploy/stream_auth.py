"""Asks Django which credentials of a request are valid and which private channels it may follow. Caches nothing."""

import json
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from deploy.asgi_call import OK, App, Scope, call

PATH = "/live/stream-auth/"
CREDENTIAL_HEADERS = (b"cookie", b"authorization")
ORIGIN_HEADERS = (b"host", b"x-forwarded-proto")


class AuthUnavailable(Exception):
    """Django could not check the credentials, for example because the database is down."""


class StreamAccess(NamedTuple):
    """`credentials` name what can be revoked, such as a link; `channels` are the permitted ones; `seconds` is the
    remaining lifetime of an API token, else None."""

    credentials: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    seconds: float | None = None


NO_ACCESS = StreamAccess()


async def authorize(app: App, scope: Scope, channels: Sequence[str] = ()) -> StreamAccess:
    """Raises AuthUnavailable."""
    credential_headers = [header for header in scope["headers"] if header[0] in CREDENTIAL_HEADERS]
    if not credential_headers:
        return NO_ACCESS
    query = urlencode([("bracket", name) for name in channels]).encode()
    headers = [*credential_headers, *(header for header in scope["headers"] if header[0] in ORIGIN_HEADERS)]
    auth_scope = {**scope, "method": "GET", "path": PATH, "raw_path": PATH.encode(), "query_string": query}
    response = await call(app, {**auth_scope, "headers": headers})
    if response.status != OK:
        raise AuthUnavailable
    answer = json.loads(response.body)
    return StreamAccess(tuple(answer["ways"]), tuple(answer["channels"]), answer["seconds"])
