"""Who runs an event: roles, and accounts for helpers who sign in by a link that works once."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Q
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.accounts import roles
from tournament.models import Invitation
from tournament.pages.director.actions import accepted, page, told
from tournament.pages.director.context import Place, at_event
from tournament.pages.events.forms import HelperForm, RoleForm
from tournament.pages.phones.address import for_staff
from tournament.queries.events.overview import former_helpers_of, people_of
from tournament.runtime.errors import NotFound
from tournament.web.qr_codes import qr_picture


@page("GET", "POST")
def people(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows everybody; POST changes a member's role, or invites somebody who has an account."""
    place = at_event(request, event, Capability.OWN)
    form = RoleForm(request.POST or None)
    if request.method == "POST" and (done := accepted(form, lambda: _set_role(place, form))):
        changed = _("{name} has the role now.")
        invited = _(
            "Invitation saved. {name} accepts it on the first page after signing in. "
            "Check the spelling: an invitation to a name that does not exist waits for ever."
        )
        messages.success(
            request, (changed if done.value else invited).format(name=form.cleaned_data["user_name"])
        )
        return redirect("event-people", event)
    return _shown(request, place, form, HelperForm(prefix="helper"))


@page("POST")
def invitation_withdraw(request: HttpRequest, event: str, invitation: int) -> HttpResponse:
    place = at_event(request, event, Capability.OWN)
    offered = Invitation.objects.select_related("event").filter(pk=invitation, event=place.event).first()
    if offered is None:
        raise NotFound
    success = _("The invitation of {name} is withdrawn.").format(name=offered.user_name)
    told(request, lambda: roles.withdraw(offered, place.actor), success)
    return redirect("event-people", event)


@page("POST")
def make_helper(request: HttpRequest, event: str) -> HttpResponse:
    """Answers with the page itself, because the link of the new account can be shown only now."""
    place = at_event(request, event, Capability.OWN)
    form = HelperForm(request.POST, prefix="helper")
    done = accepted(
        form,
        lambda: roles.make_helper(
            place.event, form.cleaned_data["user_name"], form.cleaned_data["role"], place.actor
        ),
    )
    if done is None:
        return _shown(request, place, RoleForm(), form)
    return _link_shown(request, place, form.cleaned_data["user_name"], done.value)


@page("POST")
def people_action(request: HttpRequest, event: str, user: int, action: str) -> HttpResponse:
    """Ends a role, issues another sign-in link for a helper, or closes a helper's account."""
    place = at_event(request, event, Capability.OWN)
    known = Q(memberships__event=place.event) | Q(account__made_by=place.event, is_active=True)
    member = User.objects.filter(known, pk=user).distinct().first()
    if member is None:
        raise NotFound
    if action == "close":
        success = _("The account {name} is closed. An administrator can reopen it.").format(
            name=member.username
        )
        told(request, lambda: roles.close_helper(place.event, member, place.actor), success)
        return redirect("event-people", event)
    if action == "let-in":
        return _link_shown(
            request, place, member.username, roles.let_in_again(place.event, member, place.actor)
        )
    success = _("{name} has no role here any more.").format(name=member.username)
    done = told(request, lambda: roles.take_role(place.event, member, place.actor), success)
    return redirect("home") if done and member == place.actor.user else redirect("event-people", event)


def _set_role(place: Place, form: BaseForm) -> bool:
    return roles.set_role(place.event, form.cleaned_data["user_name"], form.cleaned_data["role"], place.actor)


def _shown(request: HttpRequest, place: Place, form: BaseForm, helper_form: BaseForm) -> HttpResponse:
    return place.shown(
        request,
        "people.html",
        "people",
        form=helper_form if helper_form.is_bound else form,
        role_form=form,
        helper_form=helper_form,
        people=people_of(place.event),
        former_helpers=former_helpers_of(place.event),
        invitations=Invitation.objects.filter(event=place.event),
    )


def _link_shown(request: HttpRequest, place: Place, name: str, path: str) -> HttpResponse:
    address = for_staff(request, path)
    return place.shown(
        request, "sign_in_link_shown.html", "people", name=name, address=address, picture=qr_picture(address)
    )
