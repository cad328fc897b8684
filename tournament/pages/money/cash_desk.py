"""The cash desk of an event: who owes what, payments, refunds, and their undo."""

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies, format_amount, format_number
from tournament.fees.references import in_groups, reference_of
from tournament.ledger.withdrawals import pending_withdrawals
from tournament.models import AccountKind
from tournament.money import payments
from tournament.money.rates import rates_of
from tournament.pages.director.actions import attempt, page, redirect_back, run
from tournament.pages.director.context import event_context
from tournament.pages.money.payment_forms import (
    METHODS,
    PaymentForm,
    back_to_list,
    error_of,
    list_query,
    read_ids,
    read_player,
    record_selected,
)
from tournament.queries.money.cash_desk import (
    PlayerMoney,
    cash_desk_list,
    event_currencies,
    last_payments,
    recorded_payments,
    search_payments,
    totals_of,
)
from tournament.queries.money.player_statement import player_of
from tournament.refusals.money import PAYMENT_ABOVE_DEBT, REFUND_ABOVE_CLAIM, TILL_TOO_LOW
from tournament.runtime.errors import Refused
from tournament.web.lists import ListPage, name_query, search_list
from tournament.web.sentences import refusal_sentence

LINES = 50
"""Players on a page. More of them make the page slow; the search finds the others."""
QUESTIONS = {
    REFUND_ABOVE_CLAIM.code: "above_claim",
    PAYMENT_ABOVE_DEBT.code: "above_debt",
    TILL_TOO_LOW.code: "above_till",
}
"""What a payment needs to be confirmed, and the field that confirms it."""


@page("GET")
def cash_desk(request: HttpRequest, event: str) -> HttpResponse:
    """`?other=` opens the form of any other payment in the line of this player."""
    context = event_context(request, event, Capability.MONEY)
    lines = cash_desk_list(context.event)
    only_open = request.GET.get("show") == "open"
    shown = [line for line in lines if line.debts] if only_open else lines
    return context.render(
        request,
        "cash_desk.html",
        "cash-desk",
        listing=search_list(request, shown, _searched_words, lines_per_page=LINES),
        totals=totals_of(lines),
        only_open=only_open,
        open_count=sum(bool(line.debts) for line in lines),
        has_fees=any(line.charged or line.paid or line.open_amounts for line in lines),
        has_players=bool(lines),
        methods=METHODS,
        currencies=event_currencies(context.event) or current_currencies(),
        rates=rates_of(context.event),
        last_payments=last_payments(context.event),
        withdrawal_count=len(pending_withdrawals(context.event)),
        here=list_query(request),
        other=read_player(request.GET.get("other", "")),
        select_all=request.GET.get("select") == "all",
        new_key=uuid.uuid4,
    )


def _searched_words(line: PlayerMoney) -> str:
    """The reference may be searched with and without blanks."""
    reference = reference_of(line.player.event_id, line.player.pk)
    return f"{line.player.registered_name} {reference} {in_groups(reference)}"


@page("GET")
def payment_list(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    name = name_query(request)
    payment_page = Paginator(search_payments(context.event, name), LINES).get_page(request.GET.get("page"))
    return context.render(
        request,
        "payment_list.html",
        "cash-desk",
        listing=ListPage(payment_page, name, is_whole=not name),
        payments=recorded_payments(context.event, payment_page),
    )


@page("POST")
def take_payment(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = PaymentForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_of(form))
        return _open_again(request, event, form)
    player_id, payment = form.cleaned_data["player"], form.payment()
    try:
        row = payments.take_payment(context.event, player_id, payment, context.actor)
    except Refused as refusal:
        messages.error(request, refusal_sentence(refusal))
        return _open_again(request, event, form, QUESTIONS.get(refusal.code, ""))
    name = player_of(context.event, player_id).registered_name
    sentence = _("{name} got {amount} back.") if payment.is_refund else _("{name} paid {amount}.")
    amount = format_amount(abs(payment.amount), get_language() or "en")
    undo = reverse("undo-payment", args=[event, row.pk])
    messages.success(request, sentence.format(name=name, amount=amount), extra_tags=undo)
    return back_to_list(request, "cash-desk", event, line_of=player_id)


def _open_again(request: HttpRequest, event: str, form: PaymentForm, question: str = "") -> HttpResponse:
    """Opens the form of any other payment as it was filled in, with the field that answers the question.

    A button whose amount is refused without a question opens no form.
    """
    sent = request.POST
    typed = sent.get("amount", "")
    if question:
        typed = format_number(form.cleaned_data["amount"], get_language() or "en")
    if not typed:
        return back_to_list(request, "cash-desk", event)
    answered = [field for field in QUESTIONS.values() if field in sent]
    return back_to_list(
        request,
        "cash-desk",
        event,
        other=sent.get("player", ""),
        amount=typed,
        currency=sent.get("currency", ""),
        method=sent.get("method", ""),
        ask=question,
        confirmed=" ".join(answered),
    )


@page("POST")
def pay_selected(request: HttpRequest, event: str) -> HttpResponse:
    """Records that the selected players paid in cash all that was open."""
    context = event_context(request, event, Capability.MONEY)
    return record_selected(
        request,
        event,
        ("cash-desk", "undo-payments"),
        lambda selected: payments.pay_open_amounts(context.event, selected, AccountKind.CASH, context.actor),
        lambda count: ngettext("{count} payment recorded.", "{count} payments recorded.", count).format(
            count=count
        ),
    )


@page("POST")
def undo_payments(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    if ids := read_ids(request):
        success = _("The payments are taken back.")
        run(request, lambda: payments.undo_payments(context.event, ids, context.actor), success)
    return redirect_back(request, "cash-desk", event)


@page("POST")
def undo_payment(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    done = attempt(request, lambda: payments.undo_payment(context.event, transaction, context.actor))
    if done is not None:
        player = player_of(context.event, uuid.UUID(done.value.journal_line.subject_id))
        sentence = _("The payment of {name} is taken back.")
        messages.success(request, sentence.format(name=player.registered_name))
    return redirect_back(request, "cash-desk", event)
