"""Who runs an event: roles, and accounts for helpers who sign in by a link that works once."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament import directors, setup
from tournament.access import Capability
from tournament.errors import NotFound, Refused
from tournament.pages.director.doing import accepted, page, told
from tournament.pages.director.forms.event import HelperForm, RoleForm
from tournament.pages.director.phone_address import for_phones
from tournament.pages.director.place import Place, at_event
from tournament.pages.qr import qr_picture
from tournament.showing.overview import people_of


@page("GET", "POST")
def people(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows everybody; POST gives a role to somebody who has an account, or changes one."""
    place = at_event(request, event, Capability.OWN)
    form = RoleForm(request.POST or None)
    if request.method == "POST" and accepted(form, lambda: _give_role(place, form)):
        messages.success(request, _("{name} has the role now.").format(name=form.cleaned_data["user_name"]))
        return redirect("event-people", event)
    return _shown(request, place, form, HelperForm(prefix="helper"))


@page("POST")
def make_helper(request: HttpRequest, event: str) -> HttpResponse:
    """Answers with the page itself, because the link of the new account can be shown only now."""
    place = at_event(request, event, Capability.OWN)
    form = HelperForm(request.POST, prefix="helper")
    done = accepted(
        form,
        lambda: setup.make_helper(
            place.event, form.cleaned_data["user_name"], form.cleaned_data["role"], place.actor
        ),
    )
    if done is None:
        return _shown(request, place, RoleForm(), form)
    return _link_shown(request, place, form.cleaned_data["user_name"], done.value)


@page("POST")
def people_action(request: HttpRequest, event: str, user: int, action: str) -> HttpResponse:
    """Takes a role away, or lets a helper in again by another link."""
    place = at_event(request, event, Capability.OWN)
    member = User.objects.filter(pk=user, memberships__event=place.event).first()
    if member is None:
        raise NotFound
    if action == "let-in":
        return _link_shown(
            request, place, member.username, setup.let_in_again(place.event, member, place.actor)
        )
    success = _("{name} has no role here any more.").format(name=member.username)
    done = told(request, lambda: setup.take_role(place.event, member, place.actor), success)
    return redirect("home") if done and member == place.actor.user else redirect("event-people", event)


def _give_role(place: Place, form: BaseForm) -> None:
    name = form.cleaned_data["user_name"]
    user = directors.named(name)
    if user is None:
        raise Refused(
            "no-such-user", "Nobody has the user name “{name}”. Make a helper's account instead.", name=name
        )
    setup.give_role(place.event, user, form.cleaned_data["role"], place.actor)


def _shown(request: HttpRequest, place: Place, form: BaseForm, helper_form: BaseForm) -> HttpResponse:
    return place.shown(
        request,
        "people.html",
        "people",
        form=helper_form if helper_form.is_bound else form,
        role_form=form,
        helper_form=helper_form,
        people=people_of(place.event),
    )


def _link_shown(request: HttpRequest, place: Place, name: str, path: str) -> HttpResponse:
    address = for_phones(request, path)
    return place.shown(
        request, "sign_in_link_shown.html", "people", name=name, address=address, picture=qr_picture(address)
    )
