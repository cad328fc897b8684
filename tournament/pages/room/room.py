"""The room: tables as tiles, matches that wait, calls. A tap on a match, then on a table; all else is one tap."""

import hashlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Call
from tournament.pages.director.actions import page, run
from tournament.pages.director.context import DirectorContext, event_context
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import RoomShown, call_shown, room_shown
from tournament.room import calls, next_calls, permissions
from tournament.room.assignment import Because
from tournament.runtime.errors import NotFound, Refused
from tournament.web.lists import name_query, wants_all

WHY = {
    Because.PINNED: _("It is pinned to this table."),
    Because.HOLDS_UP: _("It holds the event up most."),
    Because.WAITS_LONGEST: _("It waits longest."),
}
DEEDS: Mapping[str, tuple[Callable[[uuid.UUID, Actor], Call], Promise]] = {
    "second": (calls.call_again, _("Second call.")),
    "playing": (calls.see_playing, _("They play.")),
    "take-back": (calls.take_back, _("The call is taken back; the match waits again.")),
}

AT_FIRST = 40
"""Matches that wait for a call, and likewise those that play without one, where there are more."""
WHOLE_KEPT = "room-whole"


@dataclass(frozen=True, slots=True)
class Wish:
    """Of the matches without a call, so many at `most`, those in which somebody has the words of `find` in the name."""

    most: int | None
    find: str

    @property
    def first(self) -> int:
        return AT_FIRST


@page("GET")
def room(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.CALLS)
    wish = _wish(request)
    shown = room_shown(context.event, wish.most, wish.find)
    etag = _etag(shown, wish)
    return context.render(request, "room.html", "room", room=shown, wish=wish, etag=etag, now=timezone.now())


@page("GET")
def room_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """The part of the page that changes; 304 while it says the same."""
    context = event_context(request, event, Capability.CALLS)
    wish = _wish(request)
    shown = room_shown(context.event, wish.most, wish.find)
    etag = _etag(shown, wish)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = context.render(request, "room_live.html", "room", room=shown, wish=wish)
    response["ETag"] = etag
    return response


@page("POST")
def room_action(request: HttpRequest, event: str, action: str) -> HttpResponse:
    """Puts the match that was chosen at a table, calls the next one, or fills every free table."""
    context = event_context(request, event, Capability.CALLS)
    if action not in ("place", "next", "fill"):
        raise NotFound
    try:
        {"place": _place, "next": _next, "fill": _fill}[action](request, context)
    except Refused as no:
        messages.error(request, gettext(no.template).format(**no.params))
    return redirect("room", event)


@page("POST")
def call_action(request: HttpRequest, event: str, call: uuid.UUID, action: str) -> HttpResponse:
    """Second call, playing, or taken back."""
    context = event_context(request, event, Capability.CALLS)
    if action not in DEEDS:
        raise NotFound
    found = permissions.call_to_change(context.actor, call)
    if found.room.event_id != context.event.pk:
        raise NotFound
    deed, said = DEEDS[action]
    run(request, lambda: deed(call, context.actor), str(said))
    return redirect("room", event)


def _place(request: HttpRequest, context: DirectorContext) -> None:
    """`what` is a match that waits (p and its pairing) or a call to be moved (c and its id); `table` 0: without one."""
    what, typed = request.POST.get("what", ""), request.POST.get("table", "")
    table = _number(typed)
    if what.startswith("p") and _number(what[1:]):
        pairing = permissions.pairing_to_call(context.actor, _number(what[1:]))
        _in_here(context, pairing.round.bracket.tournament.event_id)
        made = calls.call(pairing.pk, table or None, context.actor)
    elif what.startswith("c"):
        found = permissions.call_to_change(context.actor, _uuid(what[1:]))
        _in_here(context, found.room.event_id)
        made = calls.move(found.pk, table or None, context.actor)
    else:
        raise Refused("choose-a-match", "Choose a match first, then a table.")
    messages.success(request, call_text(call_shown(made)))


def _next(request: HttpRequest, context: DirectorContext) -> None:
    made = next_calls.call_next(context.event.pk, context.actor)
    messages.success(request, f"{call_text(call_shown(made.call))} {WHY[made.because]}")


def _fill(request: HttpRequest, context: DirectorContext) -> None:
    made = next_calls.fill(context.event.pk, context.actor)
    if not made:
        raise Refused("nobody-to-call", "Nobody can be called now.")
    said = gettext("{count} matches are called. Read them aloud below.").format(count=len(made))
    messages.success(request, said)


def _in_here(context: DirectorContext, event_id: uuid.UUID) -> None:
    if event_id != context.event.pk:
        raise NotFound


def _number(typed: str) -> int:
    """0, which names nothing, for whatever is no number of ours."""
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 18 else 0


def _uuid(typed: str) -> uuid.UUID:
    try:
        return uuid.UUID(typed)
    except ValueError:
        raise NotFound from None


def _wish(request: HttpRequest) -> Wish:
    """What the address asks for; `?waiting=` all or first is remembered."""
    most = None if wants_all(request, "waiting", WHOLE_KEPT) else AT_FIRST
    return Wish(most, name_query(request))


def _etag(shown: RoomShown, wish: Wish) -> str:
    said = hashlib.sha256(repr((shown, wish)).encode()).hexdigest()[:32]
    return f'W/"{said}-{get_language()}"'
