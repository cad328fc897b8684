"""The payout list of an event: prizes are awarded, paid with a tick or a signature, and taken back."""

import uuid
from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies, format_amount
from tournament.ledger.tills import till_of
from tournament.models import AccountKind
from tournament.models.ledger import LONGEST_SIGNATURE
from tournament.money import awards
from tournament.money import payouts as work
from tournament.money.due_awards import AwardChange
from tournament.money.payouts import NewPayout
from tournament.money.rates import rates_of
from tournament.pages.director.actions import attempt, page, redirect_back, run
from tournament.pages.director.context import DirectorContext, event_context, tournament_context
from tournament.pages.money.payment_forms import METHODS, AmountForm, error_of, read_ids, record_selected
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.player_statement import player_of
from tournament.queries.money.prize_steps import PrizeStep, finished_tournaments, prize_steps
from tournament.queries.money.tills import missing_cash
from tournament.queries.money.unpaid_pots import UnpaidPot, unpaid_pots
from tournament.refusals.money import TILL_TOO_LOW
from tournament.runtime.errors import NotFound, Refused
from tournament.web.sentences import refusal_sentence


class PayoutForm(AmountForm):
    signature = forms.CharField(required=False, max_length=LONGEST_SIGNATURE)
    settles = forms.ChoiceField(
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
            data["shown"],
            settles=data["settles"],
            above_till=data["above_till"],
        )


@page("GET")
def payouts(request: HttpRequest, event: str) -> HttpResponse:
    return _payout_list(request, event_context(request, event, Capability.MONEY))


def _payout_list(
    request: HttpRequest, context: DirectorContext, asked: PayoutForm | None = None
) -> HttpResponse:
    """`asked`: a payout above the till, to be confirmed."""
    tournaments = list(context.event.tournaments.all())
    with_prizes = [row for row in tournaments if row.prize_structure]
    finished = set(finished_tournaments(with_prizes))
    return context.render(
        request,
        "payouts.html",
        "cash-desk",
        payouts=payout_list(context.event),
        steps=[(step, _unpaid(step)) for step in prize_steps(tournaments)],
        rates=rates_of(context.event),
        unfinished=[row for row in with_prizes if row.pk not in finished],
        methods=METHODS,
        new_key=uuid.uuid4,
        asked=asked,
        asked_player=player_of(context.event, asked.cleaned_data["player"]) if asked else None,
    )


def _unpaid(step: PrizeStep) -> list[UnpaidPot]:
    """The pot of an auction is paid by its owners, not by entries."""
    return [] if step.is_auction else unpaid_pots(step.tournament)


@page("GET")
def envelopes(request: HttpRequest, event: str) -> HttpResponse:
    """A page to print: one envelope for each amount that is to be paid, and a list to sign."""
    context = event_context(request, event, Capability.MONEY)
    return context.render(request, "envelopes.html", "cash-desk", payouts=payout_list(context.event))


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
        return _("The prizes are up to date.")
    count = sum(len(change.after) for change in changes)
    prizes = ngettext("{count} prize", "{count} prizes", count).format(count=count)
    count = len({change.entry.player_id for change in changes})
    players = ngettext("{count} player", "{count} players", count).format(count=count)
    return _("Awarded: {prizes} of {players}.").format(prizes=prizes, players=players)


@page("POST")
def pay_out(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = PayoutForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_of(form))
        return redirect_back(request, "payouts", event)
    player_id, payout = form.cleaned_data["player"], form.payout()
    try:
        row = work.pay_out(context.event, player_id, payout, context.actor)
    except Refused as refusal:
        messages.error(request, refusal_sentence(refusal))
        if refusal.code == TILL_TOO_LOW.code:
            return _payout_list(request, context, form)
        return redirect_back(request, "payouts", event)
    name = player_of(context.event, player_id).registered_name
    amount = format_amount(payout.amount, get_language() or "en")
    undo = reverse("undo-payout", args=[event, row.pk])
    sentence = _("{name} was paid {amount}.").format(name=name, amount=amount)
    messages.success(request, f"{sentence} {_short_till(context, payout.method)}".strip(), extra_tags=undo)
    return redirect_back(request, "payouts", event)


@page("POST")
def pay_out_selected(request: HttpRequest, event: str) -> HttpResponse:
    """Records that the selected players were paid all that they may claim."""
    context = event_context(request, event, Capability.MONEY)
    method = request.POST.get("method", "")
    if method not in dict(METHODS):
        raise NotFound

    def sentence(count: int) -> str:
        paid = ngettext("{count} prize is paid out.", "{count} prizes are paid out.", count)
        return f"{paid.format(count=count)} {_short_till(context, method)}".strip()

    return record_selected(
        request,
        event,
        ("payouts", "undo-payouts"),
        lambda selected: work.pay_out_all(context.event, selected, AccountKind(method), context.actor),
        sentence,
    )


def _short_till(context: DirectorContext, method: str) -> str:
    """A warning if the actor's till gave more cash than it held; empty otherwise."""
    short = missing_cash(context.event, till_of(context.actor)) if method == AccountKind.CASH else []
    amounts = ", ".join(format_amount(amount, get_language() or "en") for amount in short)
    return _("Your till is {amount} short. Hand cash over to it.").format(amount=amounts) if short else ""


@page("POST")
def undo_payouts(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    if ids := read_ids(request):
        success = _("The payouts are taken back.")
        run(request, lambda: work.undo_payouts(context.event, ids, context.actor), success)
    return redirect_back(request, "payouts", event)


@page("POST")
def undo_payout(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    run(
        request,
        lambda: work.undo_payout(context.event, transaction, context.actor),
        _("The payout is taken back."),
    )
    return redirect_back(request, "payouts", event)
