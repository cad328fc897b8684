"""The cash desk of an event: who owes what, payments, refunds, and their undo."""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import Amount, current_currencies, format_amount, format_number
from tournament.fees.references import in_groups, reference_of
from tournament.ledger.accounts import players_of
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, Event
from tournament.money import payments
from tournament.money.rates import rates_of
from tournament.money.withdrawals import pending_withdrawals
from tournament.pages.director.actions import attempt, page, redirect_back
from tournament.pages.director.context import event_context
from tournament.pages.money.payment_forms import (
    METHODS,
    PAID,
    PaymentForm,
    back_to_list,
    error_of,
    list_query,
    read_id,
    reason_of,
    record_selected,
    selected_players,
    undo_recorded,
)
from tournament.pages.money.take_backs import ask_about_cash, page_before_question
from tournament.queries.money.cash_desk import (
    PlayerMoney,
    cash_desk_list,
    event_currencies,
    last_payments,
    recorded_payments,
    search_payments,
    totals_of,
)
from tournament.queries.money.player_statement import name_of_player
from tournament.queries.money.tills import other_till_of
from tournament.refusals.money import (
    OPEN_AMOUNTS_CHANGED,
    PAYMENT_ABOVE_DEBT,
    PAYMENT_WITHOUT_RATE,
    REFUND_ABOVE_CLAIM,
    TILL_TOO_LOW,
)
from tournament.runtime.errors import Refused
from tournament.runtime.name_search import has_words, sort_key, split_words
from tournament.web.lists import ListPage, name_query, search_list
from tournament.web.sentences import refusal_sentence
from tournament.web.sorting import sort_table

LINES = 50
"""Players on a page. More of them make the page slow; the search finds the others."""
QUESTIONS = {
    REFUND_ABOVE_CLAIM.code: "above_claim",
    PAYMENT_ABOVE_DEBT.code: "above_debt",
    PAYMENT_WITHOUT_RATE.code: "above_debt",
    TILL_TOO_LOW.code: "above_till",
}
"""The questions before a payment, each with the field that confirms it."""
AMOUNT_COLUMNS = ("paid", "open")
"""Columns whose largest amounts come first."""
SORTS = {
    "name": gettext_lazy("Sorted by name"),
    "-open": gettext_lazy("Open, largest first"),
    "-paid": gettext_lazy("Paid, largest first"),
}


@page("GET")
def cash_desk(request: HttpRequest, event: str) -> HttpResponse:
    """`?other=` opens the form of any other payment in the line of this player."""
    context = event_context(request, event, Capability.MONEY)
    lines = cash_desk_list(context.event)
    only_open = request.GET.get("show") == "open"
    just_paid = {read_id(value) for value in request.GET.getlist(PAID)}
    totals = totals_of(lines)
    currencies = event_currencies(context.event) or current_currencies()
    shown = [line for line in lines if line.is_owing or line.player.pk in just_paid] if only_open else lines
    shown, order = sort_table(
        request, shown, _sort_keys(currencies, just_paid), AMOUNT_COLUMNS, ("find", "show")
    )
    listing = search_list(request, shown, _searched_words, lines_per_page=LINES)
    return context.render(
        request,
        "cash_desk.html",
        "cash-desk",
        listing=listing,
        order=order,
        sorts=SORTS,
        on_page=sum(line.is_owing for line in listing.page),
        whole=_whole_list(request, lines) if listing.page.has_other_pages() else None,
        totals=totals,
        open_currency=next((row.owed.currency for row in totals if row.owed), ""),
        only_open=only_open,
        just_paid=just_paid,
        open_count=sum(line.is_owing for line in lines),
        has_fees=any(line.charged or line.paid or line.balances for line in lines),
        has_players=bool(lines),
        tournaments=context.event.tournaments.all(),
        methods=METHODS,
        currencies=currencies,
        rates=rates_of(context.event),
        last_payments=last_payments(context.event),
        withdrawal_count=len(pending_withdrawals(context.event)),
        here=list_query(request),
        other=read_id(request.GET.get("other", "")),
        select_all=request.GET.get("select") == "all",
        new_key=uuid.uuid4,
    )


def _sort_keys(
    currencies: Sequence[str], just_paid: Collection[uuid.UUID | None]
) -> Mapping[str, Callable[[PlayerMoney], Any]]:
    """Amounts are compared in the first currency, equal ones in the next.

    A player who has just paid stays where the charge was open, so that no line moves under the finger.
    """

    def in_order(amounts: Iterable[Amount]) -> list[int]:
        minors = {amount.currency: amount.minor for amount in amounts}
        return [minors.get(currency, 0) for currency in currencies]

    return {
        "name": lambda line: sort_key(line.player.registered_name),
        "paid": lambda line: in_order(line.paid),
        "open": lambda line: in_order(line.charged if line.player.pk in just_paid else line.open_amounts),
    }


@dataclass(frozen=True, slots=True)
class WholeList:
    """The players on all pages of the list who owe something, with all their open amounts."""

    lines: tuple[PlayerMoney, ...]

    @property
    def sums(self) -> list[Amount]:
        return [totals.owed for totals in totals_of(self.lines) if totals.owed]

    @property
    def open_amounts(self) -> dict[uuid.UUID, dict[str, int]]:
        return {
            line.player.pk: {amount.currency: amount.minor for amount in line.open_amounts}
            for line in self.lines
        }

    @property
    def digest(self) -> str:
        """Changes with the players and with every amount, so that a button takes what it shows."""
        amounts = sorted((pk.hex, sorted(owed.items())) for pk, owed in self.open_amounts.items())
        return uuid.uuid5(uuid.NAMESPACE_OID, repr(amounts)).hex


def _whole_list(request: HttpRequest, lines: Sequence[PlayerMoney]) -> WholeList:
    words = split_words(name_query(request))
    found = [line for line in lines if has_words(_searched_words(line), words)] if words else lines
    return WholeList(tuple(line for line in found if line.is_owing))


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
    name = name_of_player(context.event, player_id)
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
    """Records that the selected players paid in cash all that was open, or with `all` those on all pages of the list.

    The query contains the search. `all`: the digest of the list that the button showed.
    """
    context = event_context(request, event, Capability.MONEY)
    return record_selected(
        request,
        event,
        ("cash-desk", "undo-payments"),
        lambda: payments.pay_open_amounts(
            context.event, _amounts_to_pay(request, context.event), AccountKind.CASH, context.actor
        ),
        lambda count: ngettext("{count} payment recorded.", "{count} payments recorded.", count).format(
            count=count
        ),
    )


def _amounts_to_pay(request: HttpRequest, event: Event) -> payments.OpenAmounts:
    """Raises Refused without a selection, or if the list has changed."""
    if "all" not in request.POST:
        return selected_players(request)
    whole = _whole_list(request, cash_desk_list(event))
    if whole.digest != request.POST["all"]:
        raise Refused(OPEN_AMOUNTS_CHANGED)
    return whole.open_amounts


@page("POST")
def undo_payments(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    return undo_recorded(
        request,
        redirect_back(request, "cash-desk", event),
        lambda ids: payments.undo_payments(context.event, ids, context.actor),
        lambda count: ngettext("{count} payment taken back.", "{count} payments taken back.", count).format(
            count=count
        ),
    )


@page("POST")
def undo_payment(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    """Asks first about cash that somebody else has, or that was counted since."""
    context = event_context(request, event, Capability.MONEY)
    if question := ask_about_cash(request, context, transaction):
        return question
    reason = reason_of(request)
    done = attempt(request, lambda: payments.undo_payment(context.event, transaction, context.actor, reason))
    if done is not None:
        name = name_of_player(context.event, players_of([done.value.pk])[done.value.pk])
        sentence = _("Payment of {name} taken back.").format(name=name)
        till = other_till_of(context.event, done.value, till_of(context.actor))
        messages.success(request, f"{sentence} {till}".strip())
    return page_before_question(request) or redirect_back(request, "cash-desk", event)
