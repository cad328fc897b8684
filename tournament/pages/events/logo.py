"""The logo of an event: upload, remove, restore, and the file itself."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.events import logos
from tournament.pages.director.actions import attempt, page, run
from tournament.pages.director.context import event_context
from tournament.pages.disputes.forms import PictureForm
from tournament.queries.events.logos import find_logo
from tournament.web.downloads import logo_response
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of


@page("POST")
def event_logo(request: HttpRequest, event: str) -> HttpResponse:
    """Stores a new logo. The message has an undo."""
    context = event_context(request, event, Capability.DIRECT)
    before = context.event.logo_id
    form = PictureForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, str(form.errors["photo"][0]))
        return _back(event)
    logo = attempt(request, lambda: logos.store_logo(context.event, form.read_photo(), context.actor))
    if logo is not None:
        undo = (
            _restore_url(event, before)
            if before
            else reverse("event-logo-remove", args=[event, logo.value.pk])
        )
        success = _("Logo saved. It is on the page of the event, on screens and on printed sheets.")
        messages.success(request, success, extra_tags=undo)
    return _back(event)


@page("POST")
def event_logo_remove(request: HttpRequest, event: str, logo: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    undo = _restore_url(event, logo)
    run(request, lambda: logos.remove_logo(context.event, logo, context.actor), _("Logo removed."), undo=undo)
    return _back(event)


@page("POST")
def event_logo_restore(request: HttpRequest, event: str, logo: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    run(request, lambda: logos.restore_logo(context.event, logo, context.actor), _("The logo is back."))
    return _back(event)


@require_safe
@render_refusals
def event_logo_file(request: HttpRequest, event: str, logo: uuid.UUID) -> HttpResponse:
    """Everybody who sees the event sees its logo."""
    return logo_response(find_logo(permissions.event_for(actor_of(request), event), logo))


def _restore_url(event: str, logo: uuid.UUID) -> str:
    return reverse("event-logo-restore", args=[event, logo])


def _back(event: str) -> HttpResponse:
    return redirect(f"{reverse('event-edit', args=[event])}#logo")
