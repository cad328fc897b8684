"""The wall poster's pages: a player chooses a name, requests a link, and waits until the desk approves it."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from tournament.access import permissions
from tournament.accounts import links
from tournament.live.channels import event_channel
from tournament.models import Event
from tournament.pages.cards.forms import first_error
from tournament.queries.entries.names import find_selectable_entry, list_selectable_entries
from tournament.runtime import rate_limiter
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.lists import search_list
from tournament.web.origin_check import check_origin
from tournament.web.page_rate_limits import (
    LINK_REQUESTS,
    LINK_REQUESTS_FOR_ENTRY,
    client_network,
    too_many_requests,
)
from tournament.web.request import actor_of, players_of, store_token, tokens_of

LOOK_AGAIN_SECONDS = 3


class NameForm(forms.Form):
    entry = forms.UUIDField(error_messages={"required": _("Choose your name first.")})


@csrf_exempt
@check_origin
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@render_refusals
def poster(request: HttpRequest, event: str) -> HttpResponse:
    event_row = permissions.event_for(actor_of(request), event)
    if request.method != "POST":
        return vary_by_channels(_names(request, event_row), [event_channel(event_row.pk)])
    form = NameForm(request.POST)
    if not form.is_valid():
        return _names(request, event_row, problem=first_error(form), status=422)
    entry = find_selectable_entry(event_row, form.cleaned_data["entry"])
    if entry is None:
        problem = gettext("This name is no longer on the list. Choose again, or ask at the desk.")
        return _names(request, event_row, problem=problem, status=409)
    if any(player.entry == entry for player in players_of(request)):
        return redirect("my-matches")
    address = client_network(request)
    seconds = rate_limiter.seconds_to_wait(
        (LINK_REQUESTS, address), (LINK_REQUESTS_FOR_ENTRY, f"{address} {entry.pk}")
    )
    if seconds:
        return too_many_requests(request, seconds)
    token = links.request_link(entry)
    response = redirect("poster-wait", event)
    store_token(request, response, token)
    return response


@never_cache
@require_safe
@render_refusals
def poster_wait(request: HttpRequest, event: str) -> HttpResponse:
    """Refreshes automatically, with or without scripts, until the desk has approved or revoked the link."""
    event_row = permissions.event_for(actor_of(request), event)
    event_links = [
        link
        for link in permissions.any_links(tokens_of(request))
        if link.entry.tournament.event_id == event_row.pk
    ]
    if not event_links:
        raise NotFound
    link = event_links[0]
    if link.is_open:
        return redirect("my-matches")
    response = render(request, "public/poster_wait.html", {"event": event_row, "link": link})
    if link.is_waiting:
        response["Refresh"] = str(LOOK_AGAIN_SECONDS)
    return response


def _names(request: HttpRequest, event: Event, problem: str = "", status: int = 200) -> HttpResponse:
    names = search_list(
        request, list_selectable_entries(event), lambda entry: f"{entry.player.name} {entry.public_club}"
    )
    context = {"event": event, "list_page": names, "problem": problem}
    return render(request, "public/poster.html", context, status=status)
