"""The cash desk of an event: who owes what, payments, refunds, and their undo."""

import re
import uuid
from collections.abc import Iterable

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies, format_amount, parse_amount
from tournament.fees.references import in_groups, reference_of
from tournament.ledger.labels import METHOD_LABELS
from tournament.ledger.withdrawals import pending_withdrawals
from tournament.models import AccountKind
from tournament.money import payments
from tournament.money.payments import NewPayment
from tournament.money.rates import rates_of
from tournament.pages.director.actions import attempt, page, redirect_back, run
from tournament.pages.director.context import event_context
from tournament.queries.money.cash_desk import (
    PlayerMoney,
    cash_desk_list,
    event_currencies,
    last_payments,
    totals_of,
)
from tournament.queries.money.player_statement import player_of
from tournament.refusals.money import AMOUNT_NOT_POSITIVE
from tournament.runtime.errors import Refused
from tournament.web.lists import search_list
from tournament.web.sentences import refusal_sentence

LINES = 50
"""Players on a page. Each has two forms, so more of them make the page slow; the search finds the others."""
SELECTED = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?: -?[0-9]{1,18}[A-Z]{3})*)")


class AmountForm(forms.Form):
    """An amount above zero: typed in the reader's language, or `minor` units that a button offers.

    `shown` is the open amount that the page shows beside the button.
    """

    key = forms.UUIDField()
    player = forms.UUIDField()
    currency = forms.ChoiceField(choices=[(code, code) for code in current_currencies()])
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=20, required=False)
    minor = forms.IntegerField(required=False, max_value=MOST_MINOR_UNITS)
    shown = forms.IntegerField(required=False)
    method = forms.ChoiceField(choices=list(METHOD_LABELS.items()))

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            data["amount"] = (
                parse_amount(data["amount"], data["currency"], get_language() or "en")
                if data["minor"] is None
                else Amount(data["minor"], data["currency"])
            )
        except SentenceError as error:
            raise forms.ValidationError(refusal_sentence(error)) from error
        if data["amount"].minor <= 0:
            raise forms.ValidationError(refusal_sentence(Refused(AMOUNT_NOT_POSITIVE)))
        return data


class PaymentForm(AmountForm):
    direction = forms.ChoiceField(choices=[("in", "in"), ("out", "out")])
    settles = forms.ChoiceField(
        choices=[(code, code) for code in ("", *current_currencies())], required=False
    )
    above_claim = forms.BooleanField(required=False)

    def payment(self) -> NewPayment:
        data = self.cleaned_data
        amount = -data["amount"] if data["direction"] == "out" else data["amount"]
        return NewPayment(
            data["key"],
            amount,
            AccountKind(data["method"]),
            data["settles"],
            data["shown"],
            data["above_claim"],
        )


def read_selected(values: Iterable[str]) -> dict[uuid.UUID, dict[str, int]]:
    """Selected players with the open amounts shown beside them, as the filter `selection` writes them."""
    return {
        uuid.UUID(found[1]): {part[-3:]: int(part[:-3]) for part in found[2].split()}
        for found in map(SELECTED.fullmatch, values)
        if found
    }


@page("GET")
def cash_desk(request: HttpRequest, event: str) -> HttpResponse:
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
        methods=METHOD_LABELS.items(),
        currencies=event_currencies(context.event),
        rates=rates_of(context.event),
        last_payments=last_payments(context.event),
        withdrawal_count=len(pending_withdrawals(context.event)),
        new_key=uuid.uuid4,
    )


def _searched_words(line: PlayerMoney) -> str:
    """The reference may be searched with and without blanks."""
    reference = reference_of(line.player.event_id, line.player.pk)
    return f"{line.player.registered_name} {reference} {in_groups(reference)}"


@page("POST")
def take_payment(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = PaymentForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect_back(request, "cash-desk", event)
    player_id, payment = form.cleaned_data["player"], form.payment()
    done = attempt(request, lambda: payments.take_payment(context.event, player_id, payment, context.actor))
    if done is not None:
        name = player_of(context.event, player_id).registered_name
        is_refund = payment.amount.minor < 0
        sentence = _("{name} got {amount} back.") if is_refund else _("{name} paid {amount}.")
        amount = Amount(abs(payment.amount.minor), payment.amount.currency)
        messages.success(
            request,
            sentence.format(name=name, amount=format_amount(amount, get_language() or "en")),
            extra_tags=reverse("undo-payment", args=[event, done.value.pk]),
        )
    return redirect_back(request, "cash-desk", event)


@page("POST")
def pay_selected(request: HttpRequest, event: str) -> HttpResponse:
    """Records that the selected players paid in cash all that was open."""
    context = event_context(request, event, Capability.MONEY)
    selected = read_selected(request.POST.getlist("players"))
    if not selected:
        messages.error(request, _("No player is selected. No player is selected. Select players first."))
        return redirect_back(request, "cash-desk", event)
    done = attempt(
        request,
        lambda: payments.pay_open_amounts(context.event, selected, AccountKind.CASH, context.actor),
    )
    if done is not None:
        count = len(done.value)
        messages.success(
            request,
            ngettext("{count} payment recorded.", "{count} payments recorded.", count).format(count=count),
        )
    return redirect_back(request, "cash-desk", event)


@page("POST")
def undo_payment(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    run(
        request,
        lambda: payments.undo_payment(context.event, transaction, context.actor),
        _("The payment is taken back."),
    )
    return redirect_back(request, "cash-desk", event)


def first_error(form: forms.Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
