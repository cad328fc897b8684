"""Phones at the desk: let in, turned down or shut out by one tap."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament import access, links
from tournament.access import Capability
from tournament.errors import NotFound
from tournament.models import PersonalLink
from tournament.pages.answers import back_from
from tournament.pages.director.doing import page, told
from tournament.pages.request import actor_of

WORK = {"approve": links.approve, "revoke": links.revoke}


@page("POST")
def link_action(request: HttpRequest, link: int, action: str) -> HttpResponse:
    actor = actor_of(request)
    access.require_user(actor)
    links_known = PersonalLink.objects.select_related("entry__player", "entry__tournament__event")
    found = links_known.filter(pk=link).first()
    if found is None or action not in WORK:
        raise NotFound
    tournament = found.entry.tournament
    access.require(actor, tournament.event, Capability.DESK)
    said = {"approve": _("The phone of {name} is let in."), "revoke": _("That phone of {name} is shut out.")}
    told(request, lambda: WORK[action](found, actor), said[action].format(name=found.entry.name))
    return redirect(
        back_from(request) or redirect("desk", tournament.event.slug, tournament.slug)["Location"]
    )
