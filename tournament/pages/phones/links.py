"""Approves and revokes links of phones at the desk."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access import permissions
from tournament.accounts import links
from tournament.pages.director.actions import page, run
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import referring_page
from tournament.web.request import actor_of

WORK = {"approve": links.approve, "revoke": links.revoke}


@page("POST")
def link_action(request: HttpRequest, link: int, action: str) -> HttpResponse:
    actor = actor_of(request)
    permissions.require_user(actor)
    if action not in WORK:
        raise NotFound
    link_row = permissions.link_for_desk(actor, link)
    tournament = link_row.entry.tournament
    success_texts = {
        "approve": _("The phone of {name} has been approved."),
        "revoke": _("The phone of {name} has been blocked."),
    }
    run(
        request, lambda: WORK[action](link_row, actor), success_texts[action].format(name=link_row.entry.name)
    )
    return redirect(
        referring_page(request) or redirect("desk", tournament.event.slug, tournament.slug)["Location"]
    )
