"""Tills of an event: what should be in them, counting, and handing cash over."""

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import BigIntegerField
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.fees.amounts import Amount, current_currencies, format_amount
from tournament.fees.cash_pieces import PIECES
from tournament.ledger.tills import till_of
from tournament.models import Event
from tournament.models.desk import LONGEST_REASON
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import tills
from tournament.money.tills import Count, Handover, OwnCash
from tournament.pages.director.actions import page, run, status_of, submit
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.money.amount_fields import read_amount
from tournament.pages.money.payment_forms import reason_of
from tournament.queries.money.cash_desk import event_currencies
from tournament.queries.money.tills import (
    Till,
    find_closing,
    find_till,
    holders,
    last_handovers,
    last_own_cash,
    list_closings,
    list_tills,
    missing_cash,
    period_of,
)
from tournament.refusals.money import AMOUNT_NOT_POSITIVE
from tournament.runtime.errors import Refused
from tournament.web.sentences import refusal_sentence

MOST_PIECES = 100_000


class CountForm(forms.Form):
    """Notes and coins of a till, and what was counted without them. Reading it fills `counted` and `pieces`.

    `is_preview`: only adds up what was counted until now.
    """

    other = forms.CharField(
        label=gettext_lazy("Other cash, as a total"), required=False, max_length=20,
        widget=forms.TextInput({"inputmode": "decimal", "autocomplete": "off"}),
    )  # fmt: skip
    signed_by = forms.CharField(
        label=gettext_lazy("Counted by"), max_length=80, help_text=gettext_lazy("The name on the sheet.")
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason for a difference"), required=False, max_length=LONGEST_REASON,
        help_text=gettext_lazy("Needed only if the count differs from the expected amount."),
    )  # fmt: skip
    last_transfer = forms.IntegerField(
        min_value=1, max_value=BigIntegerField.MAX_BIGINT, widget=forms.HiddenInput
    )

    def __init__(self, till: Till, *args: Any, is_preview: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        self.till, self.counted, self.pieces = till, 0, list[tuple[int, int]]()
        self.other_cash, self.is_preview = Amount(0, till.currency), is_preview
        self.fields["signed_by"].required = not is_preview
        for unit in PIECES.get(till.currency, ()):
            self.fields[f"piece_{unit}"] = forms.IntegerField(
                label=format_amount(Amount(unit, till.currency), get_language() or "en"),
                required=False, min_value=0, max_value=MOST_PIECES,
                widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off", "placeholder": "0"}),
            )  # fmt: skip

    @property
    def piece_fields(self) -> list[BoundField]:
        return [self[f"piece_{unit}"] for unit in PIECES.get(self.till.currency, ())]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self._add_up(data)
        if self.errors or self.is_preview:
            return data
        if not any(
            data[name] not in (None, "") for name in self.fields if name.startswith(("piece_", "other"))
        ):
            raise forms.ValidationError(_("Nothing is counted yet. Enter 0 if the till is empty."))
        self._require_reason(self.counted_amount)
        return data

    def _add_up(self, data: dict[str, Any]) -> None:
        """Adds up what can be read, so that the page shows a total before the form is complete."""
        currency = self.till.currency
        self.pieces = [
            (unit, number) for unit in PIECES.get(currency, ()) if (number := data.get(f"piece_{unit}"))
        ]
        try:
            self.other_cash = read_amount(
                data.get("other") or "0",
                currency,
                _("A count cannot be negative. Enter what is in the till."),
            )
        except forms.ValidationError as error:
            self.add_error("other", error)
        self.counted = self.other_cash.minor + sum(unit * number for unit, number in self.pieces)

    @property
    def counted_amount(self) -> Amount:
        return Amount(self.counted, self.till.currency)

    @property
    def difference(self) -> Amount:
        return self.counted_amount - self.till.balance

    @property
    def piece_sums(self) -> list[tuple[Amount, int, Amount]]:
        """The value, the number and the sum of each note and coin that was counted."""
        currency = self.till.currency
        return [
            (Amount(unit, currency), number, Amount(unit * number, currency)) for unit, number in self.pieces
        ]

    def _require_reason(self, counted: Amount) -> None:
        difference = counted - self.till.balance
        if difference and not self.cleaned_data["reason"].strip():
            sentence = (
                _("Counted {counted}: {difference} too much. Count again, or give the reason.")
                if difference.minor > 0
                else _("Counted {counted}: {difference} missing. Count again, or give the reason.")
            )
            language = get_language() or "en"
            self.add_error(
                "reason",
                sentence.format(
                    counted=format_amount(counted, language),
                    difference=format_amount(Amount(abs(difference.minor), counted.currency), language),
                ),
            )

    def count(self) -> Count:
        data = self.cleaned_data
        return Count(self.counted, data["last_transfer"], data["signed_by"], data["reason"], self.pieces)


class CashForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=20)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"))

    def __init__(self, currencies: list[str], *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["currency"].choices = [(code, code) for code in currencies]  # type: ignore[attr-defined]
        self.fields["amount"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                data["amount"] = read_amount(data["amount"], data["currency"])
            except forms.ValidationError as error:
                self.add_error("amount", error)
        return data


class HandoverForm(CashForm):
    """Cash from one till to another."""

    source = forms.ChoiceField(label=gettext_lazy("From"))
    target = forms.ChoiceField(label=gettext_lazy("To"))

    def __init__(self, names: dict[str, str], *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        choices = sorted(names.items(), key=lambda item: item[1].casefold())
        for name in ("source", "target"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def handover(self) -> Handover:
        data = self.cleaned_data
        return Handover(data["key"], data["source"], data["target"], data["amount"])


class OwnCashForm(CashForm):
    """Cash that the organizer puts into the cash box, or takes out."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=LONGEST_REASON)
    direction = forms.ChoiceField(choices=[("in", "in"), ("out", "out")], widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors and data["amount"].minor <= 0:
            self.add_error("amount", refusal_sentence(Refused(AMOUNT_NOT_POSITIVE)))
        return data

    def own_cash(self) -> OwnCash:
        data = self.cleaned_data
        amount = data["amount"] if data["direction"] == "in" else -data["amount"]
        return OwnCash(data["key"], amount, data["reason"])


def _currencies(event: Event) -> list[str]:
    """Those of the event first."""
    used = event_currencies(event)
    return [*used, *(code for code in current_currencies() if code not in used)]


def _handover_form(context: DirectorContext, body: QueryDict | None = None) -> HandoverForm:
    initial = {"key": uuid.uuid4(), "source": ORGANIZER_TILL, "target": till_of(context.actor)}
    return HandoverForm(holders(context.event), _currencies(context.event), body, initial=initial)


def _own_cash_form(context: DirectorContext, body: QueryDict | None = None) -> OwnCashForm:
    return OwnCashForm(_currencies(context.event), body, initial={"key": uuid.uuid4()}, auto_id="own_%s")


def _render_tills(
    request: HttpRequest, context: DirectorContext, form: HandoverForm, own_cash_form: OwnCashForm
) -> HttpResponse:
    event, names = context.event, holders(context.event)
    return context.render(
        request, "tills.html", "cash-desk", form=form, own_cash_form=own_cash_form,
        tills=list_tills(event, names), closings=list_closings(event, names),
        handovers=last_handovers(event, names=names), own_cash=last_own_cash(event),
    )  # fmt: skip


@page("GET", "POST")
def list_of_tills(request: HttpRequest, event: str) -> HttpResponse:
    """GET shows the tills and their counts; POST hands cash over."""
    context = event_context(request, event, Capability.MONEY)
    form = _handover_form(context, request.POST or None)
    done = None
    if request.method == "POST":
        done = submit(form, lambda: tills.hand_over(context.event, form.handover(), context.actor))
    if done is not None:
        undo = reverse("undo-handover", args=[event, done.value.pk])
        messages.success(request, _("Handover recorded."), extra_tags=undo)
        _warn_about_missing_cash(request, context.event, form.handover())
        return redirect("tills", event)
    return _render_tills(request, context, form, _own_cash_form(context))


def _warn_about_missing_cash(request: HttpRequest, event: Event, handover: Handover) -> None:
    """The cash box of the organizer may hand over cash that was brought along and not put in."""
    short = missing_cash(event, ORGANIZER_TILL) if handover.source == ORGANIZER_TILL else []
    for amount in short:
        if amount.currency == handover.amount.currency:
            sentence = _("The cash box lacks {amount}. Put in the cash that you brought along.")
            messages.warning(request, sentence.format(amount=format_amount(amount, get_language() or "en")))


@page("POST")
def move_own_cash(request: HttpRequest, event: str) -> HttpResponse:
    """Puts cash into the organizer's cash box, or takes it out."""
    context = event_context(request, event, Capability.MONEY)
    form = _own_cash_form(context, request.POST)
    done = submit(form, lambda: tills.move_own_cash(context.event, form.own_cash(), context.actor))
    if done is None:
        response = _render_tills(request, context, _handover_form(context), form)
        response.status_code = status_of(form)
        return response
    sentence = _("{amount} put in.") if form.cleaned_data["direction"] == "in" else _("{amount} taken out.")
    amount = format_amount(form.cleaned_data["amount"], get_language() or "en")
    undo = reverse("undo-own-cash", args=[event, done.value.pk])
    messages.success(request, sentence.format(amount=amount), extra_tags=undo)
    return redirect("tills", event)


@page("POST")
def undo_own_cash(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    return _undo(request, event, tills.undo_own_cash, transaction, _("Movement of own cash taken back."))


@page("POST")
def undo_handover(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    return _undo(request, event, tills.undo_handover, transaction, _("Handover taken back."))


def _undo(
    request: HttpRequest,
    event: str,
    undo: Callable[[Event, int, Actor, str], object],
    transaction: int,
    sentence: str,
) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    run(request, lambda: undo(context.event, transaction, context.actor, reason_of(request)), sentence)
    return redirect("tills", event)


@page("GET", "POST")
def count_till(request: HttpRequest, event: str, currency: str, till: str) -> HttpResponse:
    """`preview` shows the total of what is written, and records nothing."""
    context = event_context(request, event, Capability.MONEY)
    row = find_till(context.event, till, currency)
    signature = context.actor.user.get_full_name() if context.actor.user else ""
    is_preview = "preview" in request.POST
    initial = {"last_transfer": row.last_transfer, "signed_by": signature}
    form = CountForm(row, request.POST or None, initial=initial, is_preview=is_preview)
    done = None
    if request.method == "POST" and not is_preview:
        done = submit(
            form, lambda: tills.close_till(context.event, till, currency, form.count(), context.actor)
        )
    if done is not None:
        messages.success(request, _("Count recorded. Print the sheet and sign it."))
        return redirect("cash-closing", event, done.value.pk)
    return context.render(request, "till_count.html", "cash-desk", form=form, till=row)


@page("POST")
def undo_count(request: HttpRequest, event: str, closing: int) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    run(
        request,
        lambda: tills.take_count_back(context.event, closing, context.actor, reason_of(request)),
        _("Count taken back. Count the till again."),
    )
    return redirect("cash-closing", event, closing)


@page("GET")
def closing(request: HttpRequest, event: str, closing: int) -> HttpResponse:
    """The sheet of a count, to print and sign."""
    context = event_context(request, event, Capability.MONEY)
    row = find_closing(context.event, closing)
    return context.render(request, "cash_closing.html", "cash-desk", closing=row, period=period_of(row))
