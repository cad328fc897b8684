"""The payout list of an event: prizes are awarded, paid with a tick or a signature, and taken back."""

import uuid
from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies, format_amount
from tournament.ledger.tills import till_of
from tournament.models import AccountKind
from tournament.models.ledger import LONGEST_SIGNATURE
from tournament.money import awards
from tournament.money import payouts as work
from tournament.money.calcutta_awards import calcutta_of
from tournament.money.due_awards import AwardChange, due_prizes
from tournament.money.payouts import NewPayout
from tournament.money.rates import rates_of
from tournament.pages.director.actions import attempt, page, redirect_back
from tournament.pages.director.context import DirectorContext, event_context, tournament_context
from tournament.pages.money.payment_forms import (
    METHODS,
    AmountForm,
    back_to_list,
    error_of,
    list_query,
    reason_of,
    record_selected,
    selected_players,
    undo_recorded,
)
from tournament.pages.money.take_backs import ask_about_cash, page_before_question
from tournament.queries.money.fee_changes import PrizeChange, owner_prize_changes, prize_changes
from tournament.queries.money.payouts import PayoutOrder, payout_list
from tournament.queries.money.player_statement import name_of_player
from tournament.queries.money.prize_steps import PrizeStep, finished_tournaments, prize_steps
from tournament.queries.money.tills import missing_cash, other_till_of
from tournament.queries.money.unpaid_pots import unpaid_pots_of
from tournament.refusals.money import TILL_TOO_LOW
from tournament.runtime.errors import NotFound, Refused
from tournament.web.sentences import refusal_sentence

ORDERS = (
    (PayoutOrder.AMOUNT, gettext_lazy("Amount")),
    (PayoutOrder.PLACE, gettext_lazy("Place")),
    (PayoutOrder.NAME, gettext_lazy("Name")),
)


class PayoutForm(AmountForm):
    signature = forms.CharField(required=False, max_length=LONGEST_SIGNATURE)
    open_currency = forms.ChoiceField(
        choices=[(code, code) for code in ("", *current_currencies())], required=False
    )
    above_till = forms.BooleanField(required=False)

    def payout(self) -> NewPayout:
        data = self.cleaned_data
        return NewPayout(
            data["key"],
            data["amount"],
            AccountKind(data["method"]),
            data["signature"],
            data["expected"],
            open_currency=data["open_currency"],
            above_till=data["above_till"],
        )


@page("GET")
def payouts(request: HttpRequest, event: str) -> HttpResponse:
    return _payout_list(request, event_context(request, event, Capability.MONEY))


def _payout_list(
    request: HttpRequest,
    context: DirectorContext,
    unconfirmed: PayoutForm | None = None,
    unconfirmed_players: Sequence[str] = (),
) -> HttpResponse:
    """`unconfirmed`: a payout above the till, to be confirmed. `unconfirmed_players`: those of several."""
    tournaments = list(context.event.tournaments.all())
    with_prizes = [row for row in tournaments if row.prize_structure]
    order = _order_of(request)
    finished = set(finished_tournaments(with_prizes))
    unfinished = [row for row in with_prizes if row.pk not in finished]
    return context.render(
        request,
        "payouts.html",
        "cash-desk",
        payouts=payout_list(context.event, order),
        order=order,
        orders=ORDERS,
        here=list_query(request),
        select_all=request.GET.get("select") == "all",
        steps=[(step, unpaid_pots_of(step), _due_prizes(step)) for step in prize_steps(tournaments)],
        rates=rates_of(context.event),
        unfinished=unfinished,
        undecided=[row for row in unfinished if row.awards_stamp],
        methods=METHODS,
        new_key=uuid.uuid4,
        unconfirmed=unconfirmed,
        unconfirmed_players=unconfirmed_players,
        unconfirmed_name=name_of_player(context.event, unconfirmed.cleaned_data["player"])
        if unconfirmed
        else "",
    )


def _due_prizes(step: PrizeStep) -> list[PrizeChange]:
    if step.is_auction:
        return owner_prize_changes(calcutta_of(step.tournament))
    return prize_changes(step.tournament, due_prizes(step.tournament).changes)


@page("GET")
def envelopes(request: HttpRequest, event: str) -> HttpResponse:
    """A page to print: one envelope for each amount that is to be paid, and a list to sign."""
    context = event_context(request, event, Capability.MONEY)
    order = _order_of(request)
    return context.render(
        request,
        "envelopes.html",
        "cash-desk",
        payouts=payout_list(context.event, order),
        order=order,
    )


def _order_of(request: HttpRequest) -> PayoutOrder:
    """The order of `?sort=`, without it by amount."""
    chosen = request.GET.get("sort", "")
    return next((order for order in PayoutOrder if order == chosen), PayoutOrder.AMOUNT)


@page("POST")
def award(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """Posts the prizes of a tournament, or what changed in them since they were posted."""
    context = tournament_context(request, event, tournament, Capability.MONEY)
    done = attempt(request, lambda: awards.award_prizes(context.tournament.pk, context.actor))
    if done is not None:
        messages.success(request, _awarded_sentence(done.value))
    return redirect_back(request, "payouts", event)


def _awarded_sentence(changes: Sequence[AwardChange]) -> str:
    if not changes:
        return _("No prize has changed. The prizes and the organizer's money are posted.")
    count = sum(len(change.after) for change in changes)
    prizes = ngettext("{count} prize", "{count} prizes", count).format(count=count)
    count = len({change.entry.player_id for change in changes})
    players = ngettext("{count} player", "{count} players", count).format(count=count)
    return _("Awarded: {prizes} of {players}.").format(prizes=prizes, players=players)


@page("GET", "POST")
def pay_out(request: HttpRequest, event: str) -> HttpResponse:
    """POST pays, or asks if that is more than the till holds. GET returns from the question to the list."""
    context = event_context(request, event, Capability.MONEY)
    if request.method != "POST":
        return redirect(f"{reverse('payouts', args=[event])}{list_query(request)}")
    form = PayoutForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_of(form))
        return back_to_list(request, "payouts", event)
    player_id, payout = form.cleaned_data["player"], form.payout()
    try:
        row = work.pay_out(context.event, player_id, payout, context.actor)
    except Refused as refusal:
        messages.error(request, refusal_sentence(refusal))
        if refusal.code == TILL_TOO_LOW.code:
            return _payout_list(request, context, form)
        return back_to_list(request, "payouts", event)
    name = name_of_player(context.event, player_id)
    amount = format_amount(payout.amount, get_language() or "en")
    undo = reverse("undo-payout", args=[event, row.pk])
    sentence = _("{name} was paid {amount}.").format(name=name, amount=amount)
    messages.success(request, f"{sentence} {_short_till(context, payout.method)}".strip(), extra_tags=undo)
    return back_to_list(request, "payouts", event)


@page("GET", "POST")
def pay_out_selected(request: HttpRequest, event: str) -> HttpResponse:
    """POST records that the selected players were paid all that they may claim, or asks like `pay_out`."""
    context = event_context(request, event, Capability.MONEY)
    if request.method != "POST":
        return redirect(f"{reverse('payouts', args=[event])}{list_query(request)}")
    method = request.POST.get("method", "")
    if method not in dict(METHODS):
        raise NotFound

    def sentence(count: int) -> str:
        return ngettext("{count} payout recorded.", "{count} payouts recorded.", count).format(count=count)

    def ask(refusal: Refused) -> HttpResponse | None:
        is_question = refusal.code == TILL_TOO_LOW.code
        players = request.POST.getlist("players")
        return _payout_list(request, context, unconfirmed_players=players) if is_question else None

    above_till = "above_till" in request.POST
    response = record_selected(
        request,
        event,
        ("payouts", "undo-payouts"),
        lambda: work.pay_out_all(
            context.event,
            selected_players(request),
            AccountKind(method),
            context.actor,
            above_till=above_till,
        ),
        sentence,
        ask=ask,
    )
    if short := _short_till(context, method):
        messages.warning(request, short)
    return response


def _short_till(context: DirectorContext, method: str) -> str:
    """A warning if the actor's till gave more cash than it held; empty otherwise."""
    short = missing_cash(context.event, till_of(context.actor)) if method == AccountKind.CASH else []
    amounts = ", ".join(format_amount(amount, get_language() or "en") for amount in short)
    return _("Your till is {amount} short. Hand cash over to it.").format(amount=amounts) if short else ""


@page("POST")
def undo_payouts(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    return undo_recorded(
        request,
        redirect_back(request, "payouts", event),
        lambda ids: work.undo_payouts(context.event, ids, context.actor),
        lambda count: ngettext("{count} payout taken back.", "{count} payouts taken back.", count).format(
            count=count
        ),
    )


@page("POST")
def undo_payout(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    """Asks first, as for a payment."""
    context = event_context(request, event, Capability.MONEY)
    if question := ask_about_cash(request, context, transaction):
        return question
    reason = reason_of(request)
    done = attempt(request, lambda: work.undo_payout(context.event, transaction, context.actor, reason))
    if done is not None:
        till = other_till_of(context.event, done.value, till_of(context.actor))
        messages.success(request, " ".join(filter(None, (_("Payout taken back."), till))))
    return page_before_question(request) or back_to_list(request, "payouts", event)
