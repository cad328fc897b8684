"""The activity of an account: roles offered to it, and what happened to it."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournament import access, account_access, account_log, roles
from tournament.errors import NotFound
from tournament.pages.director.doing import page, told
from tournament.pages.request import actor_of
from tournament.showing.account_activity import activity_of, invitations_of

LINES = 100


@page("GET")
def activity(request: HttpRequest) -> HttpResponse:
    """Looking at the page ends the notice about news."""
    user = access.require_user(actor_of(request))
    account_log.mark_as_seen(user)
    lines = Paginator(activity_of(user), LINES).get_page(request.GET.get("page"))
    context = {"lines": lines, "invitations": invitations_of(user), "here": "activity"}
    return render(request, "director/account_activity.html", context)


@page("POST")
def invitation_action(request: HttpRequest, invitation: int, action: str) -> HttpResponse:
    """Accepts or declines a role."""
    actor = actor_of(request)
    offered = account_access.invitation_for(actor, invitation)
    name = offered.event.name
    if action == "accept":
        success = _("You have a role in “{event}” now.").format(event=name)
        told(request, lambda: roles.accept(offered, actor), success)
    elif action == "decline":
        told(
            request,
            lambda: roles.decline(offered, actor),
            _("You declined the role in “{event}”.").format(event=name),
        )
    else:
        raise NotFound
    return redirect("home")
