"""Pictures on the results page: upload, remove, restore, and the file itself."""

import uuid
from collections.abc import Callable, Mapping

from csp.constants import NONE
from csp.decorators import csp
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.events.winner_pictures import PictureUpload, remove_picture, restore_picture, store_picture
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.disputes.forms import PictureForm
from tournament.queries.events.winner_pictures import find_picture, winner_pictures, winners_of
from tournament.runtime.errors import NotFound
from tournament.web.downloads import photo_response
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of

WHOLE = "all"
"""Stands for the winners of the tournament in an address."""


class WinnerPictureForm(PictureForm):
    description = forms.CharField(
        label=gettext_lazy("What it shows"),
        max_length=120,
        help_text=gettext_lazy("Read aloud to people who do not see it, such as “Ana with the cup”."),
        error_messages={"required": gettext_lazy("Write what the picture shows.")},
    )
    is_permitted = forms.BooleanField(
        label=gettext_lazy("Everybody in the picture agrees that it is shown"), required=False
    )


@page("GET", "POST")
def winner_picture(request: HttpRequest, event: str, tournament: str, bracket: str) -> HttpResponse:
    """The form of one picture. `bracket` is the address of a side bracket, or `all`."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    key = "" if bracket == WHOLE else bracket.replace("-", " ")
    entries = winners_of(context.tournament, key)
    form = WinnerPictureForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and submit(
        form,
        lambda: store_picture(
            context.tournament.pk,
            PictureUpload(
                key,
                form.read_photo(),
                form.cleaned_data["description"],
                entries,
                form.cleaned_data["is_permitted"],
            ),
            context.actor,
        ),
    ):
        messages.success(request, _("Picture saved. It is on the results page and on the event page."))
        return redirect("results-page", *context.slugs)
    current = winner_pictures([context.tournament]).get((context.tournament.pk, key))
    return context.render(request, "winner_picture.html", "results", form=form, picture=current, key=key)


@page("POST")
def winner_picture_action(
    request: HttpRequest, event: str, tournament: str, picture: uuid.UUID, action: str
) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    if action not in ACTIONS:
        raise NotFound
    undo = reverse("winner-picture-action", args=(*context.slugs, picture, "restore"))
    success = _("Picture removed.") if action == "remove" else _("The picture is back.")
    run(
        request,
        lambda: ACTIONS[action](context.tournament.pk, picture, context.actor),
        success,
        undo=undo if action == "remove" else "",
    )
    return redirect("results-page", *context.slugs)


@cache_control(private=True, no_cache=True)
@require_safe
@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # it is typed for no arguments
@render_refusals
def winner_picture_file(
    request: HttpRequest, event: str, tournament: str, picture: uuid.UUID
) -> HttpResponse:
    """Everybody who sees the results sees the picture."""
    actor = actor_of(request)
    tournament_row = permissions.tournament_for(actor, event, tournament)
    if not permissions.may_see_draw(actor, tournament_row):
        raise NotFound
    return photo_response(find_picture(tournament_row, picture))


ACTIONS: Mapping[str, Callable[[uuid.UUID, uuid.UUID, Actor], None]] = {
    "remove": remove_picture,
    "restore": restore_picture,
}
