"""Roles of an event, and accounts for helpers, who sign in with a link that works once."""

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.accounts import roles
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.events.forms import HelperForm, RoleForm
from tournament.pages.phones.address import for_staff
from tournament.queries.events.overview import (
    find_invitation,
    find_member,
    list_former_helpers,
    list_invitations,
    list_members,
)
from tournament.web.qr_codes import qr_picture


@page("GET", "POST")
def people(request: HttpRequest, event: str) -> HttpResponse:
    """GET lists all members; POST changes a member's role or invites a user who has an account."""
    context = event_context(request, event, Capability.OWN)
    form = RoleForm(request.POST or None)
    if request.method == "POST" and (done := submit(form, lambda: _set_role(context, form))):
        changed = _("{name} has the role now.")
        invited = _(
            "Invitation saved. {name} accepts it on the first page after signing in. "
            "Check the spelling: an invitation to a name that does not exist waits for ever."
        )
        messages.success(
            request, (changed if done.value else invited).format(name=form.cleaned_data["user_name"])
        )
        return redirect("event-people", event)
    return _render_people(request, context, form, HelperForm(prefix="helper"))


@page("POST")
def invitation_withdraw(request: HttpRequest, event: str, invitation: int) -> HttpResponse:
    context = event_context(request, event, Capability.OWN)
    invitation_row = find_invitation(context.event, invitation)
    success = _("The invitation of {name} is withdrawn.").format(name=invitation_row.user_name)
    run(request, lambda: roles.withdraw(invitation_row, context.actor), success)
    return redirect("event-people", event)


@page("POST")
def make_helper(request: HttpRequest, event: str) -> HttpResponse:
    """Renders a page instead of a redirect, because the link of the new account is shown only once."""
    context = event_context(request, event, Capability.OWN)
    form = HelperForm(request.POST, prefix="helper")
    done = submit(
        form,
        lambda: roles.make_helper(
            context.event, form.cleaned_data["user_name"], form.cleaned_data["role"], context.actor
        ),
    )
    if done is None:
        return _render_people(request, context, RoleForm(), form)
    return _render_link(request, context, form.cleaned_data["user_name"], done.value)


@page("POST")
def people_action(request: HttpRequest, event: str, user: int, action: str) -> HttpResponse:
    """Removes a role, issues a new sign-in link for a helper, or closes a helper's account."""
    context = event_context(request, event, Capability.OWN)
    member = find_member(context.event, user)
    if action == "close":
        success = _("The account {name} is closed. An administrator can reopen it.").format(
            name=member.username
        )
        run(request, lambda: roles.close_helper(context.event, member, context.actor), success)
        return redirect("event-people", event)
    if action == "let-in":
        return _render_link(
            request,
            context,
            member.username,
            roles.reissue_sign_in_link(context.event, member, context.actor),
        )
    success = _("{name} has no role here any more.").format(name=member.username)
    done = run(request, lambda: roles.remove_role(context.event, member, context.actor), success)
    return redirect("home") if done and member == context.actor.user else redirect("event-people", event)


def _set_role(context: DirectorContext, form: BaseForm) -> bool:
    return roles.set_role(
        context.event, form.cleaned_data["user_name"], form.cleaned_data["role"], context.actor
    )


def _render_people(
    request: HttpRequest, context: DirectorContext, form: BaseForm, helper_form: BaseForm
) -> HttpResponse:
    return context.render(
        request,
        "people.html",
        "people",
        form=helper_form if helper_form.is_bound else form,
        role_form=form,
        helper_form=helper_form,
        people=list_members(context.event),
        former_helpers=list_former_helpers(context.event),
        invitations=list_invitations(context.event),
    )


def _render_link(request: HttpRequest, context: DirectorContext, name: str, path: str) -> HttpResponse:
    address = for_staff(request, path)
    return context.render(
        request, "sign_in_link.html", "people", name=name, address=address, picture=qr_picture(address)
    )
