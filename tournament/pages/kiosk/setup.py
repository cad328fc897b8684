"""The director's page of the kiosk: turns it on and off."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.entries import kiosk as kiosk_work
from tournament.pages.director.actions import page, run
from tournament.pages.director.context import event_context
from tournament.pages.phones.address import for_phones
from tournament.web.qr_codes import qr_picture


@page("GET", "POST")
def kiosk_setup(request: HttpRequest, event: str) -> HttpResponse:
    """GET says whether the kiosk is on. POST makes a link and renders it at once: it cannot be shown later."""
    context = event_context(request, event, Capability.DIRECT)
    more = {}
    if request.method == "POST":
        token = kiosk_work.turn_on(context.event, context.actor)
        address = for_phones(request, reverse("kiosk", args=[token]))
        more = {"token": token, "address": address, "picture": qr_picture(address)}
    kiosk = kiosk_work.kiosk_of_event(context.event)
    return context.render(request, "kiosk.html", "kiosk", kiosk=kiosk, **more)


@page("POST")
def kiosk_off(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.DIRECT)
    run(
        request,
        lambda: kiosk_work.turn_off(context.event, context.actor),
        _("The kiosk is off. Its link no longer works."),
    )
    return redirect("kiosk-setup", event)
