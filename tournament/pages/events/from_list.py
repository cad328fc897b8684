"""The page that imports a list of players into a new event."""

from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access import account_permissions
from tournament.entries.importing import ImportCounts
from tournament.entries.lists import Listing
from tournament.entries.lists.comparison import Preview
from tournament.events import from_list
from tournament.models import Tournament
from tournament.pages.director.actions import page, status_of
from tournament.pages.entries.import_review import Review
from tournament.pages.entries.importing import ListImport, run_import
from tournament.web.request import actor_of


@page("GET", "POST")
def event_from_list(request: HttpRequest) -> HttpResponse:
    """The event is created by the import. A new event has no players, so the preview asks no questions."""
    actor = actor_of(request)
    account_permissions.require_event_right(actor)

    def preview(listing: Listing, _review: Review) -> Preview:
        return from_list.preview(listing)

    def apply(listing: Listing, digest: str, _review: Review) -> tuple[Tournament, ImportCounts]:
        done = from_list.create_event_from_list(_("New event"), _("Open"), listing, digest, actor)
        text = _("Event created with one tournament. Change its name and date under Event details.")
        messages.success(request, text)
        return done

    return run_import(request, ListImport(actor, reverse("event-from-list"), _render, preview, apply))


def _render(request: HttpRequest, template: str, **variables: Any) -> HttpResponse:
    form = variables.get("form")
    status = status_of(form) if isinstance(form, BaseForm) else 200
    context = {"frame": "director/new_event_frame.html", **variables}
    return render(request, f"director/{template}", context, status=status)
