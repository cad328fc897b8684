"""The cash desk of an event: who owes what, payments, refunds, and their undo."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.draw.sentence_error import SentenceError
from tournament.fees.amounts import current_currencies, format_amount, parse_amount
from tournament.fees.references import in_groups, reference_of
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
from tournament.web.lists import search_list
from tournament.web.sentences import refusal_sentence

LINES = 50
"""Players on a page. Each has two forms, so more of them make the page slow; the search finds the others."""


class PaymentForm(forms.Form):
    """A payment as written: the amount is read in its currency and in the reader's language."""

    key = forms.UUIDField()
    player = forms.UUIDField()
    currency = forms.ChoiceField(choices=[(code, code) for code in current_currencies()])
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=20)
    method = forms.ChoiceField(choices=[(kind.value, kind.label) for kind in payments.METHODS])
    direction = forms.ChoiceField(choices=[("in", "in"), ("out", "out")])
    settles = forms.ChoiceField(
        choices=[(code, code) for code in ("", *current_currencies())], required=False
    )

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if not self.errors:
            try:
                amount = parse_amount(data["amount"], data["currency"], get_language() or "en")
            except SentenceError as error:
                raise forms.ValidationError(refusal_sentence(error)) from error
            data["amount"] = -amount if data["direction"] == "out" else amount
        return data

    def payment(self) -> NewPayment:
        data = self.cleaned_data
        return NewPayment(data["key"], data["amount"], AccountKind(data["method"]), data["settles"])


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
        has_fees=any(line.charged for line in lines),
        methods=[(kind.value, kind.label) for kind in payments.METHODS],
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
        amount = format_amount(payment.amount, get_language() or "en")
        undo = reverse("undo-payment", args=[event, done.value.pk])
        messages.success(request, _("Recorded: {amount}.").format(amount=amount), extra_tags=undo)
    return redirect_back(request, "cash-desk", event)


@page("POST")
def pay_selected(request: HttpRequest, event: str) -> HttpResponse:
    """Records that the selected players paid in cash all that was open."""
    context = event_context(request, event, Capability.MONEY)
    selected = set(request.POST.getlist("players"))
    chosen = [line.player.pk for line in cash_desk_list(context.event) if str(line.player.pk) in selected]
    if not chosen:
        messages.error(request, _("Select players first."))
        return redirect_back(request, "cash-desk", event)
    done = attempt(
        request,
        lambda: payments.pay_open_amounts(context.event, chosen, AccountKind.CASH, context.actor),
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
