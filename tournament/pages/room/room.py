"""The room page of the desk: tables as tiles, waiting matches, calls."""

import hashlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import parse_etags
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Call
from tournament.pages.director.actions import attempt, page, redirect_back, run
from tournament.pages.director.context import DirectorContext, event_context
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import RoomPage, call_in_room, room_page
from tournament.refusals.room import NO_MATCH_CHOSEN, NONE_TO_CALL
from tournament.room import calls, next_calls, permissions, playing
from tournament.room.table_assignment import CallReason
from tournament.runtime.errors import NotFound, Refused
from tournament.web.lists import name_query, wants_all
from tournament.web.sentences import refusal_sentence

REASONS = {
    CallReason.PINNED: _("It is pinned to this table."),
    CallReason.HOLDS_UP: _("It delays the event most."),
    CallReason.WAITS_LONGEST: _("It has waited longest."),
}
ACTIONS: Mapping[str, tuple[Callable[[uuid.UUID, Actor], Call], Promise]] = {
    "second": (calls.call_again, _("Second call.")),
    "playing": (calls.mark_playing, _("Marked as playing.")),
    "take-back": (calls.take_back, _("The call is taken back; the match waits again.")),
    "undo-second": (calls.undo_second_call, _("The second call is undone.")),
    "undo-playing": (calls.undo_playing, _("Marked as not playing yet.")),
    "restore": (calls.restore, _("The match is at its table again.")),
}
UNDO_ACTIONS: Mapping[str, str] = {
    "second": "undo-second",
    "playing": "undo-playing",
    "take-back": "restore",
}

AT_FIRST = 40
"""Matches of each kind without a call that the page shows at first."""
SHOW_ALL_SESSION_KEY = "room-whole"


@dataclass(frozen=True, slots=True)
class Filter:
    """Limits the matches without a call to at most `most`, with the words of `find` in a player's name."""

    most: int | None
    find: str

    @property
    def first(self) -> int:
        return AT_FIRST


@page("GET")
def room(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.CALLS)
    filter_ = _filter(request)
    data = room_page(context.event, filter_.most, filter_.find)
    etag = _etag(data, filter_)
    return context.render(
        request, "room.html", "room", room=data, filter=filter_, etag=etag, now=timezone.now()
    )


@page("GET")
def room_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """The part of the page that is refreshed automatically; 304 if unchanged."""
    context = event_context(request, event, Capability.CALLS)
    filter_ = _filter(request)
    data = room_page(context.event, filter_.most, filter_.find)
    etag = _etag(data, filter_)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = context.render(request, "room_live.html", "room", room=data, filter=filter_)
    response["ETag"] = etag
    return response


@page("POST")
def room_action(request: HttpRequest, event: str, action: str) -> HttpResponse:
    """Calls the chosen match to a table, calls the next match, fills every free table, or marks all as playing."""
    context = event_context(request, event, Capability.CALLS)
    if action not in ROOM_ACTIONS:
        raise NotFound
    try:
        ROOM_ACTIONS[action](request, context)
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
    return redirect_back(request, "room", event)


@page("POST")
def call_action(request: HttpRequest, event: str, call: uuid.UUID, action: str) -> HttpResponse:
    """Makes a second call, marks the match as playing, takes the call back, or undoes one of these."""
    context = event_context(request, event, Capability.CALLS)
    if action not in ACTIONS:
        raise NotFound
    _require_same_event(context, permissions.call_to_change(context.actor, call).room.event_id)
    work, message = ACTIONS[action]
    undo = reverse("call-action", args=[event, call, UNDO_ACTIONS[action]]) if action in UNDO_ACTIONS else ""
    run(request, lambda: work(call, context.actor), str(message), undo=undo)
    return redirect_back(request, "room", event)


@page("POST")
def call_move_undo(
    request: HttpRequest, event: str, call: uuid.UUID, moved_to: int, table: int
) -> HttpResponse:
    """Moves a called match back to this table; 0: no table."""
    context = event_context(request, event, Capability.CALLS)
    current = permissions.call_to_change(context.actor, call)
    _require_same_event(context, current.room.event_id)
    done = attempt(request, lambda: calls.undo_move(call, moved_to or None, table or None, context.actor))
    if done is not None:
        _announce_move(request, context, current, done.value)
    return redirect_back(request, "room", event)


def _place(request: HttpRequest, context: DirectorContext) -> None:
    """`what` is "p" and the id of a pairing, or "c" and the id of a call to move. `table` 0: without a table."""
    what, typed = request.POST.get("what", ""), request.POST.get("table", "")
    table = _number(typed)
    if what.startswith("p") and _number(what[1:]):
        pairing = permissions.pairing_to_call(context.actor, _number(what[1:]))
        _require_same_event(context, pairing.round.bracket.tournament.event_id)
        _announce_call(request, context, calls.call(pairing.pk, table or None, context.actor))
    elif what.startswith("c"):
        current = permissions.call_to_change(context.actor, _uuid(what[1:]))
        _require_same_event(context, current.room.event_id)
        _announce_move(request, context, current, calls.move(current.pk, table or None, context.actor))
    else:
        raise Refused(NO_MATCH_CHOSEN)


def _announce_call(request: HttpRequest, context: DirectorContext, call: Call, because: object = "") -> None:
    undo = reverse("call-action", args=[context.event.slug, call.pk, "take-back"])
    sentence = call_text(call_in_room(call))
    messages.success(request, f"{sentence} {because}".strip(), extra_tags=undo)


def _announce_move(request: HttpRequest, context: DirectorContext, before: Call, after: Call) -> None:
    tables = (after.table_id or 0, before.table_id or 0)
    undo = reverse("call-move-undo", args=[context.event.slug, after.pk, *tables])
    is_moved = after.table_id != before.table_id
    messages.success(request, call_text(call_in_room(after)), extra_tags=undo if is_moved else "")


def _next(request: HttpRequest, context: DirectorContext) -> None:
    new_call = next_calls.call_next(context.event.pk, context.actor)
    _announce_call(request, context, new_call.call, REASONS[new_call.because])


def _fill(request: HttpRequest, context: DirectorContext) -> None:
    new_calls = next_calls.call_to_free_tables(context.event.pk, context.actor)
    if not new_calls:
        raise Refused(NONE_TO_CALL)
    sentence = ngettext(
        "{count} match is called. Read it aloud.",
        "{count} matches are called. Read them aloud.",
        len(new_calls),
    )
    messages.success(request, sentence.format(count=len(new_calls)))


def _mark_all_playing(request: HttpRequest, context: DirectorContext) -> None:
    batch = uuid.uuid4()
    count = playing.mark_all_playing(context.event.pk, context.actor, batch)
    undo = reverse("calls-playing-undo", args=[context.event.slug, batch]) if count else ""
    sentence = ngettext(
        "{count} match is marked as playing.", "{count} matches are marked as playing.", count
    )
    messages.success(request, sentence.format(count=count), extra_tags=undo)


@page("POST")
def calls_playing_undo(request: HttpRequest, event: str, batch: uuid.UUID) -> HttpResponse:
    """Marks the matches as not playing that were marked together under this id."""
    context = event_context(request, event, Capability.CALLS)
    count = playing.undo_all_playing(context.event.pk, batch, context.actor)
    sentence = ngettext(
        "{count} match is marked as not playing yet.", "{count} matches are marked as not playing yet.", count
    )
    messages.success(request, sentence.format(count=count))
    return redirect_back(request, "room", event)


ROOM_ACTIONS: Mapping[str, Callable[[HttpRequest, DirectorContext], None]] = {
    "place": _place,
    "next": _next,
    "fill": _fill,
    "all-playing": _mark_all_playing,
}


def _require_same_event(context: DirectorContext, event_id: uuid.UUID) -> None:
    if event_id != context.event.pk:
        raise NotFound


def _number(typed: str) -> int:
    """Returns 0, which is no id, if the text is not a valid id."""
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 18 else 0


def _uuid(typed: str) -> uuid.UUID:
    try:
        return uuid.UUID(typed)
    except ValueError:
        raise NotFound from None


def _filter(request: HttpRequest) -> Filter:
    """Reads the filter from the address. The session remembers `?waiting=all`."""
    most = None if wants_all(request, "waiting", SHOW_ALL_SESSION_KEY) else AT_FIRST
    return Filter(most, name_query(request))


def _etag(data: RoomPage, filter_: Filter) -> str:
    digest = hashlib.sha256(repr((data, filter_)).encode()).hexdigest()[:32]
    return f'W/"{digest}-{get_language()}"'
