"""Forms of payments and payouts, and the way back to the list from which they were sent."""

import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import AccountKind, LedgerTransaction
from tournament.money import payments
from tournament.money.payments import NewPayment
from tournament.pages.director.actions import attempt
from tournament.pages.money.amount_fields import read_amount
from tournament.refusals.money import AMOUNT_NOT_POSITIVE
from tournament.runtime.errors import Refused
from tournament.web.error_pages import referring_page
from tournament.web.sentences import refusal_sentence

METHODS = list(METHOD_LABELS.items())
SELECTED = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?: -?[0-9]{1,18}[A-Z]{3})*)")
OPENED = ("other", "amount", "currency", "method", "ask", "confirmed", "select")
"""Query parameters that open a form in a list, fill it in, or select its lines."""


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
    method = forms.ChoiceField(choices=METHODS)

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if self.errors:
            return data
        data["amount"] = (
            read_amount(data["amount"], data["currency"])
            if data["minor"] is None
            else Amount(data["minor"], data["currency"])
        )
        if data["amount"].minor <= 0:
            raise forms.ValidationError(refusal_sentence(Refused(AMOUNT_NOT_POSITIVE)))
        return data


class PaymentForm(AmountForm):
    direction = forms.ChoiceField(choices=[("in", "in"), ("out", "out")])
    settles = forms.ChoiceField(
        choices=[(code, code) for code in ("", *current_currencies())], required=False
    )
    above_claim = forms.BooleanField(required=False)
    above_debt = forms.BooleanField(required=False)
    above_till = forms.BooleanField(required=False)

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
            data["above_debt"],
            data["above_till"],
        )


def read_player(text: str) -> uuid.UUID | None:
    """The id of a player in a query; None for any other text."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def read_selected(values: Iterable[str]) -> dict[uuid.UUID, dict[str, int]]:
    """Selected players with the open amounts shown beside them, as the filter `selection` writes them."""
    return {
        uuid.UUID(found[1]): {part[-3:]: int(part[:-3]) for part in found[2].split()}
        for found in map(SELECTED.fullmatch, values)
        if found
    }


def list_query(request: HttpRequest) -> str:
    """The query of the list that is shown, without an open form: `?find=ana&page=2`."""
    kept = [pair for pair in parse_qsl(request.GET.urlencode()) if pair[0] not in OPENED]
    return f"?{urlencode(kept)}"


def back_to_list(
    request: HttpRequest, name: str, event: str, line_of: uuid.UUID | None = None, **opened: str
) -> HttpResponse:
    """Redirects to the page of the pressed button, else to the named one, at the line of a player if one is given.

    No form is open there, except as `opened`.
    """
    address = urlsplit(referring_page(request) or reverse(name, args=[event]))
    kept = [pair for pair in parse_qsl(address.query) if pair[0] not in OPENED]
    query = urlencode([*kept, *opened.items()])
    line = f"line-{line_of}" if line_of else ""
    return redirect(urlunsplit(address._replace(query=query, fragment="payment" if opened else line)))


def record_selected(
    request: HttpRequest,
    event: str,
    pages: tuple[str, str],
    work: Callable[[payments.OpenAmounts], Sequence[LedgerTransaction]],
    sentence: Callable[[int], str],
) -> HttpResponse:
    """Runs the work for the selected players. `pages`: the names of the list, and of the undo of one or more."""
    list_name, undo_name = pages
    selected = read_selected(request.POST.getlist("players"))
    if not selected:
        messages.error(request, _("No player is selected. Select players first."))
        return back_to_list(request, list_name, event)
    done = attempt(request, lambda: work(selected))
    if done is not None:
        undo = f"{reverse(undo_name, args=[event])}?{urlencode([('id', row.pk) for row in done.value])}"
        messages.success(request, sentence(len(done.value)), extra_tags=undo if done.value else "")
    return back_to_list(request, list_name, event)


def read_ids(request: HttpRequest) -> list[int]:
    """The transactions of an undo, as `record_selected` writes them."""
    return [int(text) for text in request.GET.getlist("id") if re.fullmatch(r"[0-9]{1,18}", text)]


def error_of(form: forms.Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
