"""The activity page of an account: invitations and the activity log."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournament.access import account_permissions, permissions
from tournament.accounts import activity as account_log
from tournament.accounts import roles
from tournament.pages.director.actions import page, run
from tournament.queries.accounts.activity import activity_of, invitations_of
from tournament.runtime.errors import NotFound
from tournament.web.request import actor_of

LINES = 100


@page("GET")
def activity(request: HttpRequest) -> HttpResponse:
    """Shows the log and clears the notice about unread activity."""
    user = permissions.require_user(actor_of(request))
    account_log.mark_as_seen(user)
    lines = Paginator(activity_of(user), LINES).get_page(request.GET.get("page"))
    context = {"lines": lines, "invitations": invitations_of(user), "current_tab": "activity"}
    return render(request, "director/account_activity.html", context)


@page("POST")
def invitation_action(request: HttpRequest, invitation: int, action: str) -> HttpResponse:
    """Accepts or declines a role."""
    actor = actor_of(request)
    offer = account_permissions.invitation_for(actor, invitation)
    name = offer.event.name
    if action == "accept":
        success = _("You have a role in “{event}” now.").format(event=name)
        run(request, lambda: roles.accept(offer, actor), success)
    elif action == "decline":
        run(
            request,
            lambda: roles.decline(offer, actor),
            _("You declined the role in “{event}”.").format(event=name),
        )
    else:
        raise NotFound
    return redirect("home")
