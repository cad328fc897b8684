"""Stores the players that a spectator follows, in a cookie of the browser and nowhere else.

The cookie has ids of entries, which are also in public addresses. Invalid ids are ignored.
"""

import uuid
from contextlib import suppress

from django.http import HttpRequest, HttpResponse

COOKIE = "followed"
MAX_AGE = 120 * 24 * 60 * 60
MOST_FOLLOWED = 12
ID_LENGTH = 32


def followed(request: HttpRequest) -> list[uuid.UUID]:
    """Returns the ids of the followed entries, latest first."""
    entry_ids: dict[uuid.UUID, None] = {}
    for text in request.COOKIES.get(COOKIE, "").split(".")[: 2 * MOST_FOLLOWED]:
        if len(text) == ID_LENGTH:
            with suppress(ValueError):
                entry_ids[uuid.UUID(hex=text)] = None
    return list(entry_ids)[:MOST_FOLLOWED]


def start_following(request: HttpRequest, response: HttpResponse, entry: uuid.UUID) -> None:
    """Puts this entry first, and drops the oldest entry above MOST_FOLLOWED."""
    others = [entry_id for entry_id in followed(request) if entry_id != entry]
    _store(request, response, [entry, *others][:MOST_FOLLOWED])


def stop_following(request: HttpRequest, response: HttpResponse, entry: uuid.UUID) -> None:
    _store(request, response, [entry_id for entry_id in followed(request) if entry_id != entry])


def _store(request: HttpRequest, response: HttpResponse, entries: list[uuid.UUID]) -> None:
    if not entries:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE,
        ".".join(entry.hex for entry in entries),
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
