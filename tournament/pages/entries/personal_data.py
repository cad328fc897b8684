"""Exports and permanently removes the personal data of a player, for the owner of the events."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.entries import personal_data
from tournament.models import Entry, Player
from tournament.pages.director.actions import page, run
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.entries.entry import entry_in_tournament
from tournament.queries.entries import personal_data as stored
from tournament.queries.events.events import owned_events
from tournament.web import recent_sign_in
from tournament.web.downloads import json_attachment


@page("GET", "POST")
def person(request: HttpRequest, event: str, tournament: str, entry: UUID) -> HttpResponse:
    """GET explains the removal; POST removes the data if the user signed in recently."""
    context = tournament_context(request, event, tournament, Capability.OWN)
    entry_row = entry_in_tournament(context, entry)
    rows = _rows(context, entry_row)
    if request.method == "POST":
        if not recent_sign_in.is_recent(request):
            return redirect(recent_sign_in.confirm_address(request.path))
        success = ngettext(
            "The personal data are removed from {count} event. Results stay.",
            "The personal data are removed from {count} events. Results stay.",
            len(rows),
        ).format(count=len(rows))
        run(request, lambda: personal_data.remove(rows, context.actor), success)
        return redirect("entry-edit", event, tournament, entry)
    return context.render(
        request,
        "person.html",
        "entries",
        entry=entry_row,
        events=[row.event for row in rows],
        confirm="" if recent_sign_in.is_recent(request) else recent_sign_in.confirm_address(request.path),
    )


@page("GET")
def person_file(request: HttpRequest, event: str, tournament: str, entry: UUID) -> HttpResponse:
    """Returns all stored data of the person in the events of this owner, as JSON."""
    context = tournament_context(request, event, tournament, Capability.OWN)
    entry_row = entry_in_tournament(context, entry)
    data = stored.personal_data(_rows(context, entry_row))
    return json_attachment(data, slugify(entry_row.registered_name) or "person")


def _rows(context: TournamentContext, entry: Entry) -> list[Player]:
    """Returns the person's rows in all events that this user owns."""
    own_events = owned_events(permissions.roles_by_event(context.actor))
    return personal_data.rows_of_person(entry.player, own_events)
