"""The desk's page: what is playing, waiting, reported and disputed, kept fresh by itself; a result in a few keys."""

import uuid
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext

from matches.errors import CardConflict
from matches.keepers import Keeper
from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.brackets.states import current_results
from tournament.models import Pairing, Question, ResultKind
from tournament.pages.desk.forms import QuickForm, RulingForm
from tournament.pages.desk.match_search import Found, find
from tournament.pages.desk.posted import posted_message
from tournament.pages.desk.sections import DeskView, view_of
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import pairing_in
from tournament.queries.desk.desk import DeskPage, load_desk, match_id_of_row
from tournament.results import desk, questions, stale_decisions
from tournament.results.posting import load_pairing
from tournament.runtime.errors import NotFound, Refused
from tournament.web.refusals import referring_page


@page("GET", "POST")
def desk_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the desk; POST enters a final score for the player named."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    shown = load_desk(context.tournament)
    if request.method != "POST":
        return _shown(request, context, shown, QuickForm(initial={"key": uuid.uuid4()}))
    form = QuickForm(request.POST)
    done = submit(form, lambda: _enter(context, shown, form))
    if done is None:
        return _shown(request, context, shown, _with_a_new_key(form, request.POST))
    messages.success(request, posted_message(context, done.value))
    return redirect(f"{request.path}#quick")


@page("GET")
def desk_fragment(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """The part of the page that changes; 304 while it says the same."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    view = view_of(request, load_desk(context.tournament))
    etag = _etag(view)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = context.render(request, "desk_live.html", "desk", desk=view.desk, view=view)
    response["ETag"] = etag
    return response


@page("POST")
def question_close(request: HttpRequest, event: str, tournament: str, question: uuid.UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    found = (
        Question.objects.select_related("tournament")
        .filter(tournament=context.tournament, pk=question)
        .first()
    )
    if found is None:
        raise NotFound
    form = RulingForm(request.POST)
    ruling = form.cleaned_data["ruling"] if form.is_valid() else ""
    run(request, lambda: questions.close(found, ruling, context.actor), gettext("The question is closed."))
    return redirect(referring_page(request) or reverse("desk", args=context.slugs))


def _with_a_new_key(form: QuickForm, sent: QueryDict) -> QuickForm:
    """What was typed and what was wrong with it, ready to be sent again: nothing was written under the old key."""
    again = QuickForm({**sent.dict(), "key": uuid.uuid4()})
    if again.is_valid():
        again.add_error(None, form.non_field_errors())
    return again


def _enter(context: TournamentContext, shown: DeskPage, form: QuickForm) -> int:
    """Enters the score on the desk's card; returns the pairing."""
    line, side = _meant(shown, form)
    pairing = pairing_in(context, line.pairing.id)
    if pairing.match_id is None:
        raise Refused("no-match", "This match is not open yet.")
    try:
        writing = form.writing(pairing.match_id, side)
        desk.enter_at_desk(pairing, Keeper.DESK, writing, context.actor)
    except CardConflict:
        raise Refused(
            "desk-card-begun", "The desk has a card of this match already. Open the match and go on there."
        ) from None
    return pairing.pk


def _already_posted(pairing: Pairing) -> Refused | None:
    """Says what was posted and by whom; None where no result is posted."""
    result = current_results([pairing.pk]).get(pairing.pk)
    if result is None or result.kind == ResultKind.RETRACTED:
        return None
    return stale_decisions.posted_already(pairing, result)


def _meant(shown: DeskPage, form: QuickForm) -> Found:
    """The match meant: the one this very form has entered already, when it is sent again, else an open one."""
    who, entered = form.cleaned_data["who"], match_id_of_row(form.cleaned_data["key"])
    before = [line for line in shown.lines if entered is not None and line.pairing.match_id == entered]
    with suppress(Refused):
        return find(before, who)
    try:
        return find(shown.open_lines, who)
    except Refused:
        _refuse_posted(shown, who)
        raise


def _refuse_posted(shown: DeskPage, who: str) -> None:
    """Raises Refused with the posted result when the only match meant is decided already, perhaps just now."""
    decided = [line for line in shown.lines if line not in shown.open_lines]
    try:
        line, _side = find(decided, who)
    except Refused:
        return
    refusal = _already_posted(load_pairing(line.pairing.id))
    if refusal is not None:
        raise refusal


def _shown(
    request: HttpRequest, context: TournamentContext, shown: DeskPage, form: QuickForm
) -> HttpResponse:
    draw = advancing.current_draw(context.tournament)
    view = view_of(request, shown)
    more: dict[str, Any] = {"desk": shown, "view": view, "etag": _etag(view), "form": form, "draw": draw}
    return context.render(request, "desk.html", "desk", **more)


def _etag(view: DeskView) -> str:
    return f'W/"{view.etag}-{get_language()}"'
