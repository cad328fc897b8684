"""The desk of an event and of each of its tournaments: what needs it now, all matches, and a quick form for results."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import parse_etags
from django.utils.translation import gettext, ngettext

from matches.keepers import Keeper
from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.brackets.states import current_results
from tournament.models import Event, Pairing, Tournament
from tournament.pages.desk.desk_view import DeskView, desk_view
from tournament.pages.desk.forms import QuickForm, RulingForm, selected_matches
from tournament.pages.director.actions import page, redirect_back, run, submit
from tournament.pages.director.context import (
    DirectorContext,
    TournamentContext,
    event_context,
    tournament_context,
)
from tournament.pages.director.pairing import names_in
from tournament.queries.desk.desk import DeskPage, find_question, load_desk
from tournament.queries.desk.match_search import SeveralFit, find_match_to_enter
from tournament.queries.desk.urgent import count_urgent
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import call_in_room
from tournament.refusals.desk import NO_REPORT_SELECTED
from tournament.refusals.room import NO_MATCH_CHOSEN, NONE_TO_CALL
from tournament.results import desk, questions
from tournament.results.stale_decisions import result_parameters
from tournament.room import next_calls
from tournament.runtime.errors import NotFound, Refused
from tournament.web.sentences import refusal_sentence

Selected = Mapping[int, uuid.UUID | None]
"""Selected pairings, each with the last row of its reported card."""


@page("GET", "POST")
def event_desk(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows the desk of all tournaments; POST enters a final score for the named player."""
    context = event_context(request, event, Capability.DESK)
    return _desk(request, context, context.event)


@page("GET", "POST")
def desk_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Like `event_desk`, for one tournament."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    return _desk(request, context, context.tournament)


@page("GET")
def event_desk_fragment(request: HttpRequest, event: str) -> HttpResponse:
    """Returns the live part of the page, or 304 if it has not changed."""
    context = event_context(request, event, Capability.DESK)
    return _fragment(request, context, context.event)


@page("GET")
def desk_fragment(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    return _fragment(request, context, context.tournament)


@page("GET")
def desk_count(request: HttpRequest, event: str) -> HttpResponse:
    """Returns the number of urgent items, for the badge of pages that stay open."""
    context = event_context(request, event, Capability.DESK)
    return HttpResponse(
        str(count_urgent(context.event, with_money=context.permissions.money)), content_type="text/plain"
    )


@page("POST")
def desk_selected(request: HttpRequest, event: str, action: str) -> HttpResponse:
    """Calls the selected matches to free tables, confirms their reports, or fills all free tables."""
    context = event_context(request, event, Capability.DESK)
    if action not in SELECTED_ACTIONS:
        raise NotFound
    try:
        SELECTED_ACTIONS[action](request, context, selected_matches(request.POST))
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
    return redirect_back(request, "event-desk", event)


@page("POST")
def question_close(request: HttpRequest, event: str, tournament: str, question: uuid.UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    question_row = find_question(context.tournament, question)
    if question_row is None:
        raise NotFound
    form = RulingForm(request.POST)
    ruling = form.cleaned_data["ruling"] if form.is_valid() else ""
    run(
        request,
        lambda: questions.close(question_row, ruling, context.actor),
        gettext("The question is closed."),
    )
    return redirect_back(request, "desk", *context.slugs)


def _desk(request: HttpRequest, context: DirectorContext, place: Event | Tournament) -> HttpResponse:
    data = load_desk(place, with_money=context.permissions.money)
    if request.method != "POST":
        view = _view(request, context, data, place)
        numbered = view.match_filter.by_number(data.lines) if "open" in request.GET else []
        if len(numbered) == 1:
            line = numbered[0]
            return redirect("desk-match", context.event.slug, line.tournament.slug, line.pairing.id)
        form = QuickForm(initial={"key": uuid.uuid4()})
        entered = _entered_message(context, data, request.GET.get("entered", ""))
        if entered:
            form.focus()
        return _render(request, context, view, form, entered=entered)
    form = QuickForm(request.POST)
    try:
        done = submit(form, lambda: _enter_score(context, data, form))
    except SeveralFit as several:
        view = _view(request, context, data, place)
        return _render(request, context, view, form, candidates=several.candidates)
    if done is not None:
        return redirect(f"{request.path}?entered={done.value.pk}")
    renewed = _with_new_key(form, request.POST)
    renewed.focus()
    return _render(request, context, _view(request, context, data, place), renewed)


def _fragment(request: HttpRequest, context: DirectorContext, place: Event | Tournament) -> HttpResponse:
    data = load_desk(place, with_money=context.permissions.money)
    view = _view(request, context, data, place)
    if view.etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = context.render(request, "desk_live.html", "desk", desk=view.desk, view=view)
    response["ETag"] = view.etag
    return response


def _view(
    request: HttpRequest, context: DirectorContext, data: DeskPage, place: Event | Tournament
) -> DeskView:
    path = (
        reverse("desk", args=[context.event.slug, place.slug])
        if isinstance(place, Tournament)
        else reverse("event-desk", args=[context.event.slug])
    )
    return desk_view(request, data, context.event, context.permissions, path)


def _render(
    request: HttpRequest, context: DirectorContext, view: DeskView, form: QuickForm, **variables: Any
) -> HttpResponse:
    more: dict[str, Any] = {
        **variables,
        "desk": view.desk,
        "view": view,
        "form": form,
        "urgent_count": view.desk.urgent_in_event,
        "frame": "director/event_frame.html",
    }
    if isinstance(context, TournamentContext):
        more["frame"] = "director/tournament_frame.html"
    return context.render(request, "desk.html", "desk", **more)


def _with_new_key(form: QuickForm, sent: QueryDict) -> QuickForm:
    """Returns the sent form with its errors and a new key. Nothing was written under the old key."""
    renewed = QuickForm({**sent.dict(), "key": uuid.uuid4()})
    if renewed.is_valid():
        renewed.add_error(None, form.non_field_errors())
    return renewed


def _enter_score(context: DirectorContext, data: DeskPage, form: QuickForm) -> Pairing:
    """Enters the score on the desk's card."""
    key = form.cleaned_data["key"]
    typed, chosen = form.cleaned_data["who"], form.cleaned_data["which"]
    line, side = find_match_to_enter(data, typed, chosen, key)
    pairing = _pairing(context, line.tournament.slug, line.pairing.id)
    desk.enter_final_score(pairing, key, form.score(side), context.actor)
    return pairing


def _entered_message(context: DirectorContext, data: DeskPage, entered: str) -> str:
    """Returns the message about the result that was entered last; empty if it was taken back."""
    for line in data.lines:
        if str(line.pairing.id) == entered and line.state == "decided":
            return posted_message(_pairing(context, line.tournament.slug, line.pairing.id))
    return ""


def _pairing(context: DirectorContext, slug: str, pk: int) -> Pairing:
    tournament = permissions.tournament_for(context.actor, context.event.slug, slug, Capability.DESK)
    return permissions.pairing_of_tournament(tournament, pk)


def _call_selected(request: HttpRequest, context: DirectorContext, selected: Selected) -> None:
    if not selected:
        raise Refused(NO_MATCH_CHOSEN)
    new_calls = next_calls.call_selected(context.event.pk, selected, context.actor)
    _announce(request, new_calls)
    if waiting := len(selected) - len(new_calls):
        sentence = ngettext(
            "{count} selected match waits: no table is free for it, or a player is busy.",
            "{count} selected matches wait: no table is free for them, or a player is busy.",
            waiting,
        )
        messages.warning(request, sentence.format(count=waiting))


def _fill_tables(request: HttpRequest, context: DirectorContext, _selected: Selected) -> None:
    new_calls = next_calls.call_to_free_tables(context.event.pk, context.actor)
    if not new_calls:
        raise Refused(NONE_TO_CALL)
    _announce(request, new_calls)


def _announce(request: HttpRequest, new_calls: list[next_calls.NewCall]) -> None:
    for new_call in new_calls:
        call = call_in_room(new_call.call)
        undo = reverse("call-action", args=[call.at.event, call.id, "take-back"])
        messages.success(request, call_text(call), extra_tags=undo)


def _confirm_selected(request: HttpRequest, context: DirectorContext, selected: Selected) -> None:
    """Confirms each selected report that has not changed since the page was loaded."""
    reports = {pk: tail for pk, tail in selected.items() if tail is not None}
    if not reports:
        raise Refused(NO_REPORT_SELECTED)
    confirmed = 0
    for pk, tail in reports.items():
        names: dict[str, str] = {}
        try:
            pairing = permissions.pairing_of_event(context.event, pk)
            names = dict(zip(("left", "right"), names_in(pairing), strict=True))
            desk.confirm(pairing, Keeper.DESK, tail, context.actor)
        except NotFound:
            messages.error(
                request, gettext("A selected match is no longer in the draw. Load the page again.")
            )
        except Refused as refused:
            sentence = gettext("{left} – {right}: {reason}").format(**names, reason=refusal_sentence(refused))
            messages.error(request, sentence)
        else:
            confirmed += 1
    if confirmed:
        sentence = ngettext("{count} result confirmed.", "{count} results confirmed.", confirmed)
        messages.success(request, sentence.format(count=confirmed))


SELECTED_ACTIONS: Mapping[str, Callable[[HttpRequest, DirectorContext, Selected], None]] = {
    "call": _call_selected,
    "confirm": _confirm_selected,
    "fill": _fill_tables,
}


def posted_message(pairing: Pairing, *, by_whom: bool = False) -> str:
    """Returns the current result with a link to the match. `by_whom` adds the author."""
    result = current_results([pairing.pk]).get(pairing.pk)
    names = names_in(pairing)
    if result is None or result.kind == "retracted" or result.left_points is None:
        sentence = gettext("Saved: {left} – {right}").format(left=names[0], right=names[1])
    elif by_whom:
        sentence = gettext("{left} – {right}: {score}, posted by {who}.").format(
            **result_parameters(pairing, result)
        )
    else:
        sentence = gettext("Posted: {left} {left_points}–{right_points} {right}").format(
            left=names[0], right=names[1], left_points=result.left_points, right_points=result.right_points
        )
    tournament = pairing.round.bracket.tournament
    address = reverse("desk-match", args=[tournament.event.slug, tournament.slug, pairing.pk])
    return format_html('{} <a href="{}">{}</a>', sentence, address, gettext("Look at it or take it back"))
