"""The page of one entry, and the buttons that change it."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.entries import attendance, reentry, registration
from tournament.entries.same_person import other_tournaments
from tournament.fees.schedule import SidePool
from tournament.ledger.charging import reentry_price, schedule_of
from tournament.models import Entry
from tournament.money.player_merging import capability_to_split, split_off_entry
from tournament.money.withdrawals import withdrawal_today
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.entries.forms import EntryForm, initial_of
from tournament.pages.phones.address import for_phones
from tournament.queries.entries.entry_list import entry_line, find_entry_for_desk, list_links
from tournament.queries.entries.path import load_path
from tournament.queries.events.overview import count_entries
from tournament.queries.money.cash_desk import last_payments
from tournament.queries.standings.standings import standings_of_path
from tournament.runtime.errors import NotFound
from tournament.web.error_pages import referring_page
from tournament.web.qr_codes import qr_picture
from tournament.web.sentences import refusal_sentence


@dataclass(frozen=True, slots=True)
class Action:
    """The work of one button of an entry, the message after it, and the action that undoes it."""

    work: Callable[[Entry, Actor, str], object]
    success: Promise
    undo: str = ""


ACTIONS = {
    "check-in": Action(
        lambda entry, actor, _reason: attendance.check_in(entry, actor, present=True),
        gettext_lazy("{name} has arrived."),
        "undo-check-in",
    ),
    "undo-check-in": Action(
        lambda entry, actor, _reason: attendance.check_in(entry, actor, present=False),
        gettext_lazy("{name} has not arrived yet."),
        "check-in",
    ),
    "paid": Action(
        lambda entry, actor, _reason: attendance.mark_paid(entry, actor, paid=True),
        gettext_lazy("{name} has paid."),
        "unpaid",
    ),
    "unpaid": Action(
        lambda entry, actor, _reason: attendance.mark_paid(entry, actor, paid=False),
        gettext_lazy("{name} has not paid yet."),
        "paid",
    ),
    "withdraw": Action(
        registration.withdraw,
        gettext_lazy("{name} has been withdrawn."),
        "unwithdraw",
    ),
    "unwithdraw": Action(
        registration.unwithdraw, gettext_lazy("{name} is back in the tournament."), "withdraw"
    ),
    "split": Action(
        split_off_entry,
        gettext_lazy("{name} is now a separate player in this tournament."),
    ),
    "remove": Action(
        lambda entry, actor, _reason: registration.remove(entry, actor),
        gettext_lazy("{name} has been removed."),
    ),
}
LIST_ACTIONS = ("check-in", "undo-check-in", "paid", "unpaid")
"""Actions of one tap in a line of the entry list. The line itself shows their success."""
LINK_ACTIONS = {"link": links.make_link, "reissue": links.reissue}
REQUIRED_CAPABILITIES = {"remove": Capability.DIRECT}


@page("GET", "POST")
def entry_edit(request: HttpRequest, event: str, tournament: str, entry: UUID) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    entry_row = entry_in_tournament(context, entry)
    form = EntryForm(request.POST or None, initial=initial_of(entry_row), tournament=context.tournament)
    if request.method == "POST" and submit(
        form, lambda: registration.change(entry_row, form.details(), context.actor)
    ):
        messages.success(request, _("{name} has been saved.").format(name=form.cleaned_data["name"]))
        return redirect("entries", event, tournament)
    refusal, path = reentry.find_refusal(entry_row), load_path(entry_row, live=True)
    return context.render(
        request,
        "entry.html",
        "entries",
        form=form,
        entry=entry_row,
        other_tournaments=other_tournaments(entry_row.player_id, context.tournament),
        may_split=permissions.may(context.actor, context.event, capability_to_split(entry_row)),
        path=path,
        standings=standings_of_path(path) if path.meetings else [],
        links=list_links(entry_row),
        reason_form=ReasonForm(),
        is_drawn=advancing.current_draw(context.tournament) is not None,
        has_groups=Format.from_json(context.tournament.format).kind is Kind.GROUPS,
        terms=reentry.terms_of(context.tournament),
        not_again=refusal_sentence(refusal) if refusal else "",
        would_wait=[] if refusal else _would_wait(entry_row),
        reentry_price=reentry_price(entry_row),
        pools=_joined_pools(entry_row),
        withdrawal=withdrawal_today(entry_row) if context.permissions.money else None,
        loser_is_out=not refusal and reentry.loser_would_be_out(entry_row),
    )


def _joined_pools(entry: Entry) -> list[SidePool]:
    schedule = schedule_of(entry.tournament)
    return [pool for pool in schedule.pools if pool.key in entry.pools] if schedule else []


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
    former = entry_row.player_id
    done = _run(request, context, entry_row, action)
    if (
        done
        and action == "split"
        and context.permissions.money
        and last_payments(context.event, 1, player=former)
    ):
        stays = _("Payments stayed with the former player. Use “Move” for those of the new player.")
        messages.info(request, stays)
        return redirect("player-money", event, former)
    if done and "X-Live" in request.headers:
        return _render_line(request, context, entry)
    return redirect(_back_to_list(request, context, entry, action))


def _run(request: HttpRequest, context: TournamentContext, entry: Entry, action: str) -> bool:
    """Returns False, with a message for the next page, if the action was refused."""
    reason = ReasonForm(request.POST)
    reason.is_valid()
    chosen, text = ACTIONS[action], reason.cleaned_data.get("reason", "")
    success = "" if action in LIST_ACTIONS else str(chosen.success).format(name=entry.name)
    undo = reverse("entry-action", args=[*context.slugs, entry.pk, chosen.undo]) if chosen.undo else ""
    return run(request, lambda: chosen.work(entry, context.actor, text), success, undo=undo)


def _render_line(request: HttpRequest, context: TournamentContext, entry: UUID) -> HttpResponse:
    """Renders the line of the list and the counts. The script of the list replaces them in the open page."""
    line, counts = entry_line(context.tournament, entry), count_entries(context.tournament)
    return context.render(request, "entry_line_answer.html", "entries", line=line, counts=counts)


def entry_in_tournament(context: TournamentContext, pk: UUID) -> Entry:
    """Returns the entry of this tournament. Raises NotFound."""
    return find_entry_for_desk(context.tournament, pk)


def _back_to_list(request: HttpRequest, context: TournamentContext, entry: UUID, action: str) -> str:
    """Returns the address of the page with the button, at the line of the entry; the entry list after a removal."""
    entry_list = reverse("entries", args=context.slugs)
    return entry_list if action == "remove" else f"{referring_page(request) or entry_list}#e-{entry}"


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
