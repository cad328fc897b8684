"""The entry list: adds players, marks them as arrived or paid, and shows the page of one entry."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.entries import reentry, registration
from tournament.entries.closed_entries import are_closed
from tournament.models import Entry
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.entries.forms import EntryForm, initial_of
from tournament.pages.phones.address import for_phones
from tournament.queries.entries.entry_list import (
    FILTERS,
    ORDERS,
    entry_list,
    find_entry_for_desk,
    list_links,
)
from tournament.queries.events.overview import count_entries
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import referring_page
from tournament.web.qr_codes import qr_picture
from tournament.web.sentences import refusal_sentence

LINES_PER_PAGE = 100
ORDER_SESSION_KEY = "entries-order"
ORDER_LABELS = {
    "name": gettext_lazy("Name"),
    "seed": gettext_lazy("Seed"),
    "rating": gettext_lazy("Rating"),
    "country": gettext_lazy("Country"),
    "entered": gettext_lazy("Time of entry"),
}
FILTER_LABELS = {
    "all": gettext_lazy("Everybody"),
    "not-arrived": gettext_lazy("Not arrived yet"),
    "unpaid": gettext_lazy("Not paid yet"),
    "no-phone": gettext_lazy("Without a phone"),
    "withdrawn": gettext_lazy("Withdrawn"),
}


@dataclass(frozen=True, slots=True)
class Action:
    """The work of one button of an entry, and the message after it."""

    work: Callable[[Entry, Actor, str], object]
    success: Promise


ACTIONS = {
    "check-in": Action(
        lambda entry, actor, _reason: registration.check_in(entry, actor, present=True),
        gettext_lazy("{name} is here."),
    ),
    "undo-check-in": Action(
        lambda entry, actor, _reason: registration.check_in(entry, actor, present=False),
        gettext_lazy("{name} is not here yet."),
    ),
    "paid": Action(
        lambda entry, actor, _reason: registration.mark_paid(entry, actor, paid=True),
        gettext_lazy("{name} has paid."),
    ),
    "unpaid": Action(
        lambda entry, actor, _reason: registration.mark_paid(entry, actor, paid=False),
        gettext_lazy("{name} has not paid yet."),
    ),
    "withdraw": Action(
        registration.withdraw,
        gettext_lazy("{name} is withdrawn. The page of the entry brings them back."),
    ),
    "unwithdraw": Action(registration.unwithdraw, gettext_lazy("{name} is back in.")),
    "remove": Action(
        lambda entry, actor, _reason: registration.remove(entry, actor), gettext_lazy("{name} is removed.")
    ),
}
LINK_ACTIONS = {"link": links.make_link, "reissue": links.reissue}
REQUIRED_CAPABILITIES = {"remove": Capability.DIRECT}


@page("GET", "POST")
def entries(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the list; POST enters one player and focuses the field of the next name."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    form = EntryForm(request.POST or None)
    if request.method == "POST":
        done = submit(form, lambda: registration.enter(context.tournament.pk, form.details(), context.actor))
        if done is not None:
            messages.success(request, _("{name} is entered.").format(name=done.value.name))
            return redirect(f"{request.path}?next#add")
    return _render_list(request, context, form)


@page("GET", "POST")
def entry_edit(request: HttpRequest, event: str, tournament: str, entry: UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    entry_row = entry_in_tournament(context, entry)
    form = EntryForm(request.POST or None, initial=initial_of(entry_row))
    if request.method == "POST" and submit(
        form, lambda: registration.change(entry_row, form.details(), context.actor)
    ):
        messages.success(request, _("{name} is changed.").format(name=form.cleaned_data["name"]))
        return redirect("entries", event, tournament)
    refusal = reentry.find_refusal(entry_row)
    return context.render(
        request,
        "entry.html",
        "entries",
        form=form,
        entry=entry_row,
        links=list_links(entry_row),
        reason_form=ReasonForm(),
        is_drawn=advancing.current_draw(context.tournament) is not None,
        has_groups=Format.from_json(context.tournament.format).kind is Kind.GROUPS,
        terms=reentry.terms_of(context.tournament),
        not_again=refusal_sentence(refusal) if refusal else "",
        would_wait=[] if refusal else _would_wait(entry_row),
        loser_is_out=not refusal and reentry.loser_would_be_out(entry_row),
    )


def _would_wait(entry: Entry) -> list[tuple[str, str]]:
    return list(dict.fromkeys(names_in(pairing) for pairing in reentry.matches_that_would_wait(entry)))


@page("POST")
def entry_action(request: HttpRequest, event: str, tournament: str, entry: UUID, action: str) -> HttpResponse:
    context = tournament_context(
        request, event, tournament, REQUIRED_CAPABILITIES.get(action, Capability.DESK)
    )
    entry_row = entry_in_tournament(context, entry)
    if action in LINK_ACTIONS:
        return _render_link(request, context, entry_row, LINK_ACTIONS[action](entry_row, context.actor))
    if action not in ACTIONS:
        raise NotFound
    reason = ReasonForm(request.POST)
    reason.is_valid()
    chosen, name = ACTIONS[action], entry_row.name
    success = str(chosen.success).format(name=name)
    run(
        request, lambda: chosen.work(entry_row, context.actor, reason.cleaned_data.get("reason", "")), success
    )
    return redirect(_back_to_list(request, context, action))


def entry_in_tournament(context: TournamentContext, pk: UUID) -> Entry:
    """Returns the entry of this tournament. Raises NotFound."""
    return find_entry_for_desk(context.tournament, pk)


def _render_list(request: HttpRequest, context: TournamentContext, form: BaseForm) -> HttpResponse:
    order, chosen_filter, words = _list_options(request)
    lines = entry_list(context.tournament, order, chosen_filter, words)
    counts = count_entries(context.tournament)
    total = counts.entered + counts.withdrawn
    count_text = ngettext("{count} entry shown", "{count} entries shown", len(lines)).format(count=len(lines))
    return context.render(
        request,
        "entries.html",
        "entries",
        form=form,
        lines=Paginator(lines, LINES_PER_PAGE).get_page(request.GET.get("page")),
        counts=counts,
        is_empty=total == 0,
        is_whole=total <= LINES_PER_PAGE,
        how_many=count_text,
        is_drawn=advancing.current_draw(context.tournament) is not None,
        is_closed=are_closed(context.tournament),
        chosen={"order": order, "wanted": chosen_filter, "words": words},
        here_too=urlencode({"show": chosen_filter, "order": order, "words": words}),
        orders=ORDER_LABELS,
        filters=FILTER_LABELS,
        wants_next="next" in request.GET,
    )


def _list_options(request: HttpRequest) -> tuple[str, str, str]:
    """Returns order, filter and search words. The session stores the order."""
    requested_order = request.GET.get("order", "")
    if requested_order in ORDERS and request.session.get(ORDER_SESSION_KEY) != requested_order:
        request.session[ORDER_SESSION_KEY] = requested_order
    order = request.session.get(ORDER_SESSION_KEY, "name")
    chosen_filter = request.GET.get("show", "all")
    return order, chosen_filter if chosen_filter in FILTERS else "all", request.GET.get("words", "")[:100]


def _back_to_list(request: HttpRequest, context: TournamentContext, action: str) -> str:
    """Returns the address of the page with the button; the entry list after a removal."""
    previous_page = referring_page(request)
    if previous_page and action != "remove":
        return previous_page
    return str(redirect("entries", *context.slugs)["Location"])


def _render_link(request: HttpRequest, context: TournamentContext, entry: Entry, token: str) -> HttpResponse:
    """Shows the link once: only its digest is stored."""
    address = for_phones(request, f"/p/{token}/")
    return context.render(
        request,
        "entry_link.html",
        "entries",
        entry=entry,
        address=address,
        picture=qr_picture(address),
    )
