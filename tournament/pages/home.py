"""The first page and the page of one event: what there is to look at."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament import access, account_access
from tournament.access import Capability
from tournament.insiders import ANYWHERE, deeds
from tournament.pages.answers import answering
from tournament.pages.finding import Found, found_in
from tournament.pages.following import followed
from tournament.pages.fresh import telling_of
from tournament.pages.request import actor_of
from tournament.showing.account_activity import invitations_of
from tournament.showing.bracket_list import brackets_in, released_brackets_in
from tournament.showing.events import calendar, own_and_others
from tournament.showing.followed import followed_in
from tournament.showing.overview import event_overview


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Of those one runs, and of all others, as many as fit; one search for both."""
    actor = actor_of(request)
    roles = access.role_in_each(actor)
    own, others = own_and_others(roles)
    # The page of a stranger is shared, and reads nothing of its address that is not passed on.
    found, found_own = (
        found_in(request, events, lambda event: f"{event.name} {event.venue}", asks)
        for events, asks in ((others, "page"), (own, "own" if roles else "page"))
    )
    context: dict[str, Any] = {
        "own": calendar(found_own.page, roles),
        "others": calendar(found.page, roles),
        "found": found,
        "found_own": found_own,
    }
    if not (found.is_whole and found_own.is_whole):
        page = found_own.page if context["own"] else found.page
        context["searched"] = Found(page, found.name, is_whole=False)
    context["may_create_events"] = account_access.may_create_events(actor)
    context["invitations"] = invitations_of(actor.user)
    return telling_of(render(request, "public/home.html", context), [deeds(ANYWHERE)])


@require_safe
@answering
def event_page(request: HttpRequest, event: str) -> HttpResponse:
    actor = actor_of(request)
    found = access.event_for(actor, event)
    context = {
        "event": found,
        "overview": event_overview(found),
        "following": followed_in(found, followed(request)),
        "listens": released_brackets_in(found),
        "can_desk": access.may(actor, found, Capability.DESK),
        "can_direct": access.may(actor, found, Capability.DIRECT),
    }
    response = render(request, "public/event.html", context)
    return telling_of(response, [deeds(found.pk), *brackets_in(found)])
