"""The home page, and the sample event."""

from random import Random
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access import account_permissions, permissions
from tournament.demo import weekend
from tournament.live.channels import ANY_EVENT, event_channel
from tournament.pages.director.actions import attempt, page
from tournament.queries.accounts.activity import invitations_of
from tournament.queries.events.events import event_lines, split_by_role
from tournament.queries.events.recycle_bin import may_restore
from tournament.web.conditional import vary_by_channels
from tournament.web.lists import ListPage, search_list
from tournament.web.request import actor_of


@page("POST")
def event_sample(request: HttpRequest) -> HttpResponse:
    """Opens the sample event of the signed-in user, and creates it first if there is none."""
    actor = actor_of(request)
    account_permissions.require_event_right(actor)
    done = attempt(request, lambda: weekend.open_sample(actor, Random()))  # noqa: S311 (invented games)
    if done is None:
        return redirect("home")
    messages.success(request, _("This is a sample event. Try everything; nobody else sees it."))
    return redirect("event-overview", done.value.slug)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Lists the actor's own events and all other events. One search filters both lists."""
    actor = actor_of(request)
    roles = permissions.roles_by_event(actor)
    own, others = split_by_role(roles)
    # A stranger's page is cached, and the cache key has the parameter `page` but not `own`.
    other_events, own_events = (
        search_list(request, events, lambda event: f"{event.name} {event.venue}", query_name)
        for events, query_name in ((others, "page"), (own, "own" if roles else "page"))
    )
    context: dict[str, Any] = {
        "own": event_lines(own_events.page, roles),
        "others": event_lines(other_events.page, roles),
        "list_page": other_events,
        "own_list_page": own_events,
        "channel": ANY_EVENT,
    }
    if not (other_events.is_whole and own_events.is_whole):
        rows = own_events.page if context["own"] else other_events.page
        context["searched"] = ListPage(rows, other_events.name, is_whole=False)
    context["may_create_events"] = account_permissions.may_create_events(actor)
    context["needs_password"] = account_permissions.needs_password(actor)
    context["has_bin"] = actor.user is not None and may_restore(actor)
    context["invitations"] = invitations_of(actor.user)
    return vary_by_channels(render(request, "public/home.html", context), [event_channel(ANY_EVENT)])
