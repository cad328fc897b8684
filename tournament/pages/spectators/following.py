"""Whom a spectator follows: kept in a cookie of their own browser, and nowhere else.

The cookie holds ids of entries, which stand in public addresses; whatever else is in it is passed over.
"""

import uuid
from contextlib import suppress

from django.http import HttpRequest, HttpResponse

COOKIE = "followed"
LASTS = 120 * 24 * 60 * 60
MOST_FOLLOWED = 12
LENGTH = 32


def followed(request: HttpRequest) -> list[uuid.UUID]:
    """Whom this browser follows, the latest first."""
    found: dict[uuid.UUID, None] = {}
    for text in request.COOKIES.get(COOKIE, "").split(".")[: 2 * MOST_FOLLOWED]:
        if len(text) == LENGTH:
            with suppress(ValueError):
                found[uuid.UUID(hex=text)] = None
    return list(found)[:MOST_FOLLOWED]


def keep_following(request: HttpRequest, response: HttpResponse, entry: uuid.UUID) -> None:
    """Puts this entry first; the one followed longest falls out when there are too many."""
    others = [known for known in followed(request) if known != entry]
    _keep(request, response, [entry, *others][:MOST_FOLLOWED])


def stop_following(request: HttpRequest, response: HttpResponse, entry: uuid.UUID) -> None:
    _keep(request, response, [known for known in followed(request) if known != entry])


def _keep(request: HttpRequest, response: HttpResponse, entries: list[uuid.UUID]) -> None:
    if not entries:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE,
        ".".join(entry.hex for entry in entries),
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
