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
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies, format_amount
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import AccountKind, LedgerTransaction
from tournament.models.desk import LONGEST_REASON
from tournament.money import payments
from tournament.money.payments import NewPayment
from tournament.pages.director.actions import attempt
from tournament.pages.money.amount_fields import read_amount
from tournament.queries.money.cash_desk import total_moved
from tournament.refusals.money import AMOUNT_NOT_POSITIVE, NOBODY_SELECTED
from tournament.runtime.errors import Refused
from tournament.web.error_pages import referring_page
from tournament.web.sentences import refusal_sentence

METHODS = list(METHOD_LABELS.items())
SELECTED = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?: -?[0-9]{1,18}[A-Z]{3})*)")
OPENED = ("other", "amount", "currency", "method", "ask", "confirmed", "select")
"""Query parameters that open a form in a list, fill it in, or select its lines."""
PAID = "paid"
"""Query parameter of a player who stays in the list of open payments, so that no line moves under a finger."""
MOST_PAID = 20
IDS = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
MOST_IDS = 5_000


class AmountForm(forms.Form):
    """An amount above zero: typed in the reader's language, or `minor` units that a button offers.

    `expected` is the open amount that the page shows beside the button.
    """

    key = forms.UUIDField()
    player = forms.UUIDField()
    currency = forms.ChoiceField(choices=[(code, code) for code in current_currencies()])
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=20, required=False)
    minor = forms.IntegerField(required=False, max_value=MOST_MINOR_UNITS)
    expected = forms.IntegerField(required=False)
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
    """`shown`: all open amounts beside a form in which the currency is chosen, as `selection` writes them."""

    shown = forms.CharField(required=False, max_length=500)
    direction = forms.ChoiceField(choices=[("in", "in"), ("out", "out")])
    open_currency = forms.ChoiceField(
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
            data["open_currency"],
            self._expected(),
            data["above_claim"],
            data["above_debt"],
            data["above_till"],
        )

    def _expected(self) -> int | None:
        data = self.cleaned_data
        expected: int | None = data["expected"]
        shown = read_selected([data["shown"]]).get(data["player"])
        if expected is not None or shown is None:
            return expected
        return shown.get(data["open_currency"] or data["currency"], 0)


def read_id(text: str) -> uuid.UUID | None:
    """The id in a text of a request; None for any other text."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def read_selected(values: Iterable[str]) -> dict[uuid.UUID, dict[str, int]]:
    """Selected players with the open amounts shown beside them, as the filter `selection` writes them."""
    return {
        uuid.UUID(match[1]): {part[-3:]: int(part[:-3]) for part in match[2].split()}
        for match in map(SELECTED.fullmatch, values)
        if match
    }


def list_query(request: HttpRequest) -> str:
    """The query of the list that is shown, without an open form: `?find=ana&page=2`."""
    kept = [pair for pair in parse_qsl(request.GET.urlencode()) if pair[0] not in (*OPENED, PAID)]
    return f"?{urlencode(kept)}"


def back_to_list(
    request: HttpRequest, name: str, event: str, line_of: uuid.UUID | None = None, **opened: str
) -> HttpResponse:
    """Redirects to the page of the pressed button, else to the named one, at the line of a player if one is given.

    No form is open there, except as `opened`.
    """
    address = urlsplit(referring_page(request) or reverse(name, args=[event]))
    kept = [pair for pair in parse_qsl(address.query) if pair[0] not in (*OPENED, PAID)]
    paid = [value for key, value in parse_qsl(address.query) if key == PAID]
    if line_of:
        paid = [*(value for value in paid if value != str(line_of)), str(line_of)]
    query = urlencode([*kept, *((PAID, value) for value in paid[-MOST_PAID:]), *opened.items()])
    line = f"line-{line_of}" if line_of else ""
    return redirect(urlunsplit(address._replace(query=query, fragment="payment" if opened else line)))


def selected_players(request: HttpRequest) -> payments.OpenAmounts:
    """The players whose boxes are ticked. Raises Refused if there is none."""
    selected = read_selected(request.POST.getlist("players"))
    if not selected:
        raise Refused(NOBODY_SELECTED)
    return selected


def record_selected(
    request: HttpRequest,
    event: str,
    pages: tuple[str, str],
    work: Callable[[], Sequence[LedgerTransaction]],
    sentence: Callable[[int], str],
    ask: Callable[[Refused], HttpResponse | None] = lambda _refusal: None,
) -> HttpResponse:
    """Runs the work for several players. `pages`: the names of the list, and of the undo of one or more.

    `ask`: the page that asks to confirm what is refused; None for a refusal without a question.
    """
    list_name, undo_name = pages
    try:
        rows = work()
    except Refused as refusal:
        messages.error(request, refusal_sentence(refusal))
        return ask(refusal) or back_to_list(request, list_name, event)
    tell_recorded(request, rows, sentence(len(rows)), reverse(undo_name, args=[event]))
    return back_to_list(request, list_name, event)


def tell_recorded(
    request: HttpRequest, rows: Sequence[LedgerTransaction], sentence: str, undo_address: str
) -> None:
    """Says what was recorded and how much in all, with an undo for all of it."""
    if len(rows) > 1:
        amounts = (format_amount(amount, get_language() or "en") for amount in total_moved(rows))
        sentence = f"{sentence} {_('In all {amount}.').format(amount=', '.join(amounts))}"
    ids = urlencode([("id", part) for part in write_ids(row.pk for row in rows)])
    messages.success(request, sentence, extra_tags=f"{undo_address}?{ids}" if rows else "")


def write_ids(ids: Iterable[int]) -> list[str]:
    """Ids as ranges, such as `7` and `9-508`: an address with hundreds of them would be too long."""
    ranges: list[list[int]] = []
    for pk in sorted(ids):
        if ranges and pk == ranges[-1][1] + 1:
            ranges[-1][1] = pk
        else:
            ranges.append([pk, pk])
    return [str(first) if first == last else f"{first}-{last}" for first, last in ranges]


def read_ids(texts: Iterable[str]) -> set[int]:
    """The ids that `write_ids` wrote, at most MOST_IDS of them. Leaves other texts out."""
    ids: set[int] = set()
    for found in filter(None, map(IDS.fullmatch, texts)):
        first, last = int(found[1]), int(found[2] or found[1])
        ids.update(range(first, min(last + 1, first + MOST_IDS - len(ids))))
    return ids


def undo_recorded(
    request: HttpRequest,
    list_page: HttpResponse,
    work: Callable[[Sequence[int]], Sequence[LedgerTransaction]],
    sentence: Callable[[int], str],
) -> HttpResponse:
    """Undoes the transactions that `record_selected` names in the address of its undo, and returns the list's page."""
    ids = read_ids(request.GET.getlist("id"))
    done = attempt(request, lambda: work(sorted(ids))) if ids else None
    if done is not None:
        sentences = [sentence(len(done.value))]
        if before := len(ids) - len(done.value):
            sentences.append(
                ngettext("{count} was taken back before.", "{count} were taken back before.", before).format(
                    count=before
                )
            )
        messages.success(request, " ".join(sentences))
    return list_page


def reason_of(request: HttpRequest) -> str:
    """The reason that was written for taking something back; empty for a tap on "Undo"."""
    return request.POST.get("reason", "").strip()[:LONGEST_REASON]


def error_of(form: forms.Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
