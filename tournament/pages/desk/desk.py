"""The desk's page and its live part: matches by state, questions, phones, and a quick form for results.

In a large field the columns show the first matches; the director can search or show all.
"""

import hashlib
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext

from tournament.access.permissions import Capability
from tournament.brackets import advancing
from tournament.brackets.states import current_results
from tournament.pages.desk.forms import QuickForm, RulingForm
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.queries.desk.desk import DeskLine, DeskPage, find_question, load_desk
from tournament.queries.desk.match_search import find_match_to_enter
from tournament.results import desk, questions
from tournament.results.stale_decisions import result_parameters
from tournament.runtime.errors import NotFound
from tournament.runtime.name_search import has_words, split_words
from tournament.web.error_pages import referring_page
from tournament.web.lists import name_query, wants_all

AT_FIRST = 40
"""Matches in each column of a desk with more of them."""
MAX_LISTED_MATCHES = 64
"""A desk with at most this many matches needs no search."""
WHOLE_DESK_KEY = "desk-whole"


@dataclass(frozen=True, slots=True)
class DeskView:
    """`find` is the search text, `search_results` the first matches of that name or number, in any state."""

    desk: DeskPage
    is_whole: bool
    find: str
    search_results: tuple[DeskLine, ...]

    @property
    def finds_more(self) -> bool:
        """True if `search_results` may be incomplete."""
        return len(self.search_results) == MAX_LISTED_MATCHES

    @property
    def is_long(self) -> bool:
        return len(self.desk.lines) > MAX_LISTED_MATCHES

    @property
    def is_listed(self) -> bool:
        """True if the columns contain every match."""
        return self.is_whole or not self.is_long

    @property
    def cut(self) -> str:
        """The lines of each column, as an argument of the template filter `slice`."""
        return ":" if self.is_listed else f":{AT_FIRST}"

    @property
    def most(self) -> int:
        return len(self.desk.lines) + len(self.desk.phones) if self.is_listed else AT_FIRST

    @property
    def first(self) -> int:
        return AT_FIRST

    @property
    def etag(self) -> str:
        """A digest of everything that the live part shows."""
        desk = self.desk
        columns = (desk.playing, desk.ready, desk.reported, desk.phones)
        content = (
            [(len(column), column[: self.most]) for column in columns],
            (desk.questions, desk.decided, desk.brackets, desk.waiting, desk.end),
            (desk.broker_is_away, desk.is_late, desk.unmoved, self.is_listed, self.search_results),
        )
        return hashlib.sha256(repr(content).encode()).hexdigest()[:32]


@page("GET", "POST")
def desk_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the desk; POST enters a final score for the named player."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    desk_data = load_desk(context.tournament)
    if request.method != "POST":
        return _render(request, context, desk_data, QuickForm(initial={"key": uuid.uuid4()}))
    form = QuickForm(request.POST)
    done = submit(form, lambda: _enter_score(context, desk_data, form))
    if done is None:
        return _render(request, context, desk_data, _with_new_key(form, request.POST))
    messages.success(request, posted_message(context, done.value))
    return redirect(f"{request.path}#quick")


@page("GET")
def desk_fragment(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Returns the live part of the page, or 304 if it has not changed."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    view = view_for(request, load_desk(context.tournament))
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
    return redirect(referring_page(request) or reverse("desk", args=context.slugs))


def _with_new_key(form: QuickForm, sent: QueryDict) -> QuickForm:
    """Returns the sent form with its errors and a new key. Nothing was written under the old key."""
    renewed = QuickForm({**sent.dict(), "key": uuid.uuid4()})
    if renewed.is_valid():
        renewed.add_error(None, form.non_field_errors())
    return renewed


def _enter_score(context: TournamentContext, desk_data: DeskPage, form: QuickForm) -> int:
    """Enters the score on the desk's card; returns the pairing."""
    key = form.cleaned_data["key"]
    line, side = find_match_to_enter(desk_data, form.cleaned_data["who"], key)
    pairing = pairing_in(context, line.pairing.id)
    desk.enter_final_score(pairing, key, form.score(side), context.actor)
    return pairing.pk


def _render(
    request: HttpRequest, context: TournamentContext, desk_data: DeskPage, form: QuickForm
) -> HttpResponse:
    draw = advancing.current_draw(context.tournament)
    view = view_for(request, desk_data)
    more: dict[str, Any] = {"desk": desk_data, "view": view, "etag": _etag(view), "form": form, "draw": draw}
    return context.render(request, "desk.html", "desk", **more)


def _etag(view: DeskView) -> str:
    return f'W/"{view.etag}-{get_language()}"'


def view_for(request: HttpRequest, desk: DeskPage) -> DeskView:
    """Returns the view that the URL requests. The session remembers `?columns=`."""
    find = name_query(request)
    return DeskView(desk, wants_all(request, "columns", WHOLE_DESK_KEY), find, _search(desk, find))


def _search(desk: DeskPage, find: str) -> tuple[DeskLine, ...]:
    wanted_words, label = split_words(find), find.upper()
    if not wanted_words:
        return ()
    matching_lines = (
        line for line in desk.lines if line.pairing.called == label or has_words(line.players, wanted_words)
    )
    return tuple(matching_lines)[:MAX_LISTED_MATCHES]


def posted_message(context: TournamentContext, pairing_id: int, *, by_whom: bool = False) -> str:
    """Returns the current result with a link to the match. `by_whom` adds the author."""
    pairing = pairing_in(context, pairing_id)
    result = current_results([pairing_id]).get(pairing_id)
    names = names_in(pairing)
    if result is None or result.kind == "retracted" or result.left_points is None:
        sentence = gettext("Written: {left} – {right}").format(left=names[0], right=names[1])
    elif by_whom:
        sentence = gettext("{left} – {right}: {score}, posted by {who}.").format(
            **result_parameters(pairing, result)
        )
    else:
        sentence = gettext("Posted: {left} {left_points}–{right_points} {right}").format(
            left=names[0], right=names[1], left_points=result.left_points, right_points=result.right_points
        )
    address = reverse("desk-match", args=[*context.slugs, pairing_id])
    return format_html('{} <a href="{}">{}</a>', sentence, address, gettext("Look at it or take it back"))
