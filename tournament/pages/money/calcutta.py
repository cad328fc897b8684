"""The auction of players: the page of the desk, and the public list of lots and buyers."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.money import calcutta as auctions
from tournament.money.calcutta import Terms
from tournament.money.calcutta_awards import award_owners
from tournament.pages.director.actions import page, redirect_back, run, status_of, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.money.calcutta_forms import LotForm, NewLotForm, TermsForm
from tournament.pages.money.fee_confirmation import revision_for_form
from tournament.queries.money.calcutta import Auction, load_auction, people_of
from tournament.queries.money.prize_steps import prize_steps
from tournament.queries.money.prizes import tournament_currency
from tournament.runtime.errors import NotFound
from tournament.runtime.revisions import revision_of
from tournament.web.request import actor_of

LOT_NUMBER = re.compile(r"[0-9]{1,6}")
DONE = {
    "bid": gettext_lazy("Bid recorded."),
    "sell": gettext_lazy("Lot sold to the last bidder."),
    "undo": gettext_lazy("Last step undone."),
    "remove": gettext_lazy("Lot removed."),
    "share": gettext_lazy("Share saved."),
    "buy-back": gettext_lazy("Half bought back."),
}


@page("GET")
def calcutta(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    return _render(request, tournament_context(request, event, tournament, Capability.MONEY))


@page("POST")
def calcutta_terms(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    auction = load_auction(context.tournament)
    form = _terms_form(context, auction, request)
    revision = revision_for_form(request, _settings(auction), is_saved=form.is_valid())
    if submit(
        form,
        lambda: auctions.set_terms(
            context.tournament.pk, _terms(form), context.actor, revision=request.POST.get("revision", "")
        ),
    ):
        messages.success(request, _("The terms of the auction are saved."))
        return redirect("calcutta", *context.slugs)
    return _render(request, context, form, revision)


@page("POST")
def calcutta_off(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    run(
        request,
        lambda: auctions.switch_off(context.tournament.pk, context.actor),
        _("The auction is removed."),
    )
    return redirect("calcutta", *context.slugs)


@page("POST")
def calcutta_lots(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Adds a lot, or one for each player without a lot."""
    context = tournament_context(request, event, tournament, Capability.MONEY)
    auction = load_auction(context.tournament)
    if auction is None:
        raise NotFound
    form = NewLotForm([(str(row.pk), row.registered_name) for row in auction.free], request.POST)
    if form.is_valid():
        data = form.cleaned_data
        lots = (
            [[row.pk] for row in auction.free] if data["each"] else [[] if data["field"] else data["entries"]]
        )
        run(
            request,
            lambda: auctions.add_lots(context.tournament.pk, lots, context.actor, is_field=data["field"]),
            ngettext("{count} lot is added.", "{count} lots are added.", len(lots)).format(count=len(lots)),
        )
    else:
        messages.error(request, _("These players have a lot already. Load the page again."))
    return redirect("calcutta", *context.slugs)


@page("POST")
def calcutta_lot(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """A bid on a lot, its sale, its owners, or undoing the last of these."""
    context = tournament_context(request, event, tournament, Capability.MONEY)
    auction = load_auction(context.tournament)
    if auction is None:
        raise NotFound
    form = LotForm(auction.calcutta.currency, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for texts in form.errors.values() for text in texts))
    else:
        run(request, _deed(context, form), str(DONE[form.cleaned_data["deed"]]))
    line = next((line for line in auction.lots if str(line.lot.pk) == request.POST.get("lot")), None)
    stays = line is not None and form.data.get("deed") not in ("sell", "remove")
    lot = f"?lot={line.lot.number}#lot" if line and stays else ""
    return redirect(reverse("calcutta", args=context.slugs) + lot)


@page("POST")
def calcutta_award(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.MONEY)
    run(
        request,
        lambda: award_owners(context.tournament.pk, context.actor),
        _("The owners are awarded. Pay them under Payouts."),
    )
    return redirect_back(request, "calcutta", *context.slugs)


@page("GET")
def auction_page(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """The lots and their buyers for everybody, if the director wants it."""
    row = permissions.tournament_for(actor_of(request), event, tournament)
    auction = load_auction(row)
    if auction is None or not auction.calcutta.is_public:
        raise NotFound
    context = {"event": row.event, "tournament": row, "auction": auction, "current_tab": "auction"}
    return render(request, "public/auction.html", context)


def _deed(context: TournamentContext, form: LotForm) -> Callable[[], None]:
    pk, actor, data = context.tournament.pk, context.actor, form.cleaned_data
    deeds: dict[str, Callable[[], None]] = {
        "bid": lambda: auctions.bid(pk, form.expected, form.buyer, form.minor, actor),
        "sell": lambda: auctions.sell(pk, form.expected, actor),
        "undo": lambda: auctions.undo_last(pk, form.expected, actor),
        "remove": lambda: auctions.remove_lot(pk, form.expected, actor),
        "share": lambda: auctions.set_share(pk, form.expected, form.buyer, data["parts"], actor),
        "buy-back": lambda: auctions.buy_back(pk, form.expected, data["person"], actor),
    }
    return deeds[data["deed"]]


def _terms(form: TermsForm) -> Terms:
    if form.terms is None:
        raise ValueError("terms are read from a valid form")
    return form.terms


def _settings(auction: Auction | None) -> dict[str, Any]:
    return auctions.terms_settings(auction.calcutta if auction else None)


def _terms_form(
    context: TournamentContext, auction: Auction | None, request: HttpRequest | None = None
) -> TermsForm:
    currency = tournament_currency(context.tournament)
    return TermsForm(auction.calcutta if auction else None, currency, *([request.POST] if request else []))


def _render(
    request: HttpRequest, context: TournamentContext, form: TermsForm | None = None, revision: str = ""
) -> HttpResponse:
    auction = load_auction(context.tournament)
    number = request.GET.get("lot", "")
    response = context.render(
        request,
        "calcutta.html",
        "setup",
        auction=auction,
        current=auction.current(int(number) if LOT_NUMBER.fullmatch(number) else None) if auction else None,
        step=next((step for step in prize_steps([context.tournament]) if step.is_auction), None),
        people=people_of(context.tournament) if auction else [],
        form=form or _terms_form(context, auction),
        revision=revision or revision_of(_settings(auction)),
    )
    response.status_code = status_of(form) if form else 200
    return response
