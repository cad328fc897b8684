"""Pages that a tablet at the door opens by the link of the kiosk: players find their name and check themselves in.

The link gives no other right, and the pages ignore sessions. They show names, tournaments and matches only.
"""

import uuid
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

from django import forms
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.entries import kiosk as kiosk_work
from tournament.models import Entry, Event, KioskLink
from tournament.queries.entries.path import load_path
from tournament.queries.events.ends import find_ends, mark_finished
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.name_search import has_words, sort_key, split_words
from tournament.web.lists import name_query
from tournament.web.page_rate_limits import too_many_requests, wait_after_wrong_link
from tournament.web.request import delete_tokens, tokens_of
from tournament.web.sentences import refusal_sentence

MOST_NAMES = 24
IDLE_SECONDS = 20
Rest = ParamSpec("Rest")


class EntryForm(forms.Form):
    entry = forms.UUIDField()


def kiosk_view(
    view: Callable[Concatenate[HttpRequest, KioskLink, Rest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorates a view of the kiosk: loads the link of the token and sets the time zone of its event."""

    @wraps(view)
    def wrapper(request: HttpRequest, /, token: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            link = kiosk_work.kiosk_by_token(token)
        except NotFound:
            seconds = wait_after_wrong_link(request)
            unknown = render(request, "kiosk/unknown.html", status=404)
            return too_many_requests(request, seconds) if seconds else unknown
        with timezone.override(link.event.time_zone):
            return view(request, link, *args, **kwargs)

    return never_cache(wrapper)


@require_safe
@kiosk_view
def kiosk(request: HttpRequest, link: KioskLink) -> HttpResponse:
    """Lists the names that match the search. A browser with rights of its own must give them up first."""
    token = _token(request)
    if request.user.is_authenticated or tokens_of(request):
        return render(request, "kiosk/lock.html", {"event": link.event, "token": token})
    return _render_names(request, link)


@require_POST
@kiosk_view
def kiosk_lock(request: HttpRequest, link: KioskLink) -> HttpResponse:  # noqa: ARG001
    """Signs the browser out and deletes its personal links, so that it can open nothing but the kiosk."""
    logout(request)
    response = redirect("kiosk", _token(request))
    delete_tokens(response)
    return response


@require_POST
@kiosk_view
def kiosk_check_in(request: HttpRequest, link: KioskLink) -> HttpResponse:
    form = EntryForm(request.POST)
    try:
        if not form.is_valid():
            raise NotFound
        entry = kiosk_work.check_in(link.event, form.cleaned_data["entry"])
    except NotFound:
        return _render_names(request, link, is_gone=True)
    return redirect("kiosk-entry", _token(request), entry.pk)


@require_safe
@kiosk_view
def kiosk_entry(request: HttpRequest, link: KioskLink, entry: uuid.UUID) -> HttpResponse:
    """Says that the player is checked in, and where and against whom they play."""
    return _render_entry(request, link, entry)


@require_POST
@kiosk_view
def kiosk_undo(request: HttpRequest, link: KioskLink, entry: uuid.UUID) -> HttpResponse:
    try:
        kiosk_work.undo_check_in(link.event, entry)
    except NotFound:
        return _render_names(request, link, is_gone=True)
    except Refused as refusal:
        return _render_entry(request, link, entry, refusal_sentence(refusal))
    return redirect("kiosk-entry", _token(request), entry)


def _render_names(request: HttpRequest, link: KioskLink, *, is_gone: bool = False) -> HttpResponse:
    name = name_query(request)
    entries = _find_entries(_entries_in_play(link.event), name)
    context = {
        "event": link.event,
        "token": _token(request),
        "name": name,
        "entries": entries,
        "idle_seconds": IDLE_SECONDS,
        "is_gone": is_gone,
    }
    return render(request, "kiosk/names.html", context, status=409 if is_gone else 200)


def _entries_in_play(event: Event) -> list[Entry]:
    """Leaves out tournaments that are over."""
    entries = list(kiosk_work.entries_at_kiosk(event))
    ends = find_ends(list({entry.tournament_id: entry.tournament for entry in entries}.values()))
    return [entry for entry in entries if not ends[entry.tournament_id].is_over]


def _find_entries(entries: Sequence[Entry], name: str) -> list[Entry]:
    """Returns the entries with these words, or all of a small event; never more than MOST_NAMES."""
    words = split_words(name)
    if not words and len(entries) > MOST_NAMES:
        return []
    matches = [entry for entry in entries if has_words(entry.name, words)]
    return sorted(matches, key=lambda entry: (sort_key(entry.name), entry.tournament.created_at))[:MOST_NAMES]


def _render_entry(
    request: HttpRequest, link: KioskLink, entry_id: uuid.UUID, problem: str = ""
) -> HttpResponse:
    try:
        entry = kiosk_work.entry_at_kiosk(link.event, entry_id)
    except NotFound:
        return _render_names(request, link, is_gone=True)
    context = {
        "event": link.event,
        "token": _token(request),
        "entry": entry,
        "path": mark_finished(load_path(entry, for_phone=True)),
        "may_undo": kiosk_work.may_undo(entry),
        "idle_seconds": IDLE_SECONDS,
        "problem": problem,
    }
    return render(request, "kiosk/entry.html", context, status=409 if problem else 200)


def _token(request: HttpRequest) -> str:
    """The token in the address of the request."""
    return str(request.resolver_match.kwargs["token"]) if request.resolver_match else ""
