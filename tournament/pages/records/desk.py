"""The records of a match at the desk: bringing one, and the part of the match's page that tells of them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from matches.keepers import Keeper
from tournament.access.permissions import Capability
from tournament.pages.cards.forms import first_error
from tournament.pages.director.actions import REFUSALS, page, refusal_text
from tournament.pages.director.context import tournament_context
from tournament.pages.director.pairing import pairing_in
from tournament.pages.records.player import kept_message
from tournament.pages.records.records import etag_of, fresh_records
from tournament.queries.records import RecordsPage, load_records
from tournament.records import checking
from tournament.runtime.errors import NotFound
from tournament.web.uploads import GameRecordForm


@page("POST")
def desk_record(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    found = pairing_in(context, pairing)
    form = GameRecordForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, first_error(form))
    else:
        try:
            _record, is_new = checking.upload(found, Keeper.DESK, *form.uploaded_file(), context.actor)
            messages.success(request, kept_message(is_new=is_new))
        except REFUSALS as no:
            messages.error(request, refusal_text(no))
    return redirect(f"{reverse('desk-match', args=[*context.slugs, pairing])}#records")


@page("GET")
def desk_records_fragment(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    found = pairing_in(context, pairing)
    if found.match is None:
        raise NotFound
    shown = load_records(found.match)
    with timezone.override(context.event.time_zone):
        return fresh_records(request, shown, records_context(shown), "record/list.html")


def records_context(shown: RecordsPage) -> dict[str, Any]:
    return {"records": shown, "is_desk": True, "records_etag": etag_of(shown)}
