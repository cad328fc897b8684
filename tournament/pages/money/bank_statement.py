"""Records payments from a bank statement: a file, then a review of the proposals, then those that were ticked.

Between the steps the page carries the file in a signed hidden field. The server stores nothing of it.
"""

import uuid
from dataclasses import dataclass

from django import forms
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.permissions import Capability
from tournament.fees.bank_statement import MOST_BYTES, Column
from tournament.models import Event
from tournament.money.bank_statement import (
    Proposal,
    find_players,
    propose,
    record_payments,
    remember_columns,
    suggest_players,
)
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.money.payment_forms import read_id, tell_recorded
from tournament.queries.money.cash_desk import event_currencies
from tournament.queries.money.statements import (
    ChosenColumns,
    Statement,
    decode_statement,
    read_statement,
)
from tournament.runtime.errors import Refused
from tournament.web.sentences import refusal_sentence

SALT = "a bank statement between its review and its payments"
LABELS = {
    Column.DATE: gettext_lazy("Date"),
    Column.AMOUNT: gettext_lazy("Amount"),
    Column.CURRENCY: gettext_lazy("Currency"),
    Column.TEXT: gettext_lazy("Text with the reference"),
    Column.NAME: gettext_lazy("Name of the payer"),
    Column.DIRECTION: gettext_lazy("Incoming or outgoing"),
}


class StatementForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Statement as a CSV file"),
        help_text=gettext_lazy(
            "Up to 1 MB. The file is not stored; only the payments that you tick are recorded."
        ),
    )

    def clean_file(self) -> str:
        """The text of the file."""
        try:
            return decode_statement(self.cleaned_data["file"].read(MOST_BYTES + 1))
        except Refused as error:
            raise forms.ValidationError(refusal_sentence(error)) from error


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A proposal, and the player typed in its place. `is_unknown`: the text names no player."""

    proposal: Proposal
    is_ticked: bool
    typed: str = ""
    is_unknown: bool = False


@page("GET", "POST")
def bank_statement(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = StatementForm(request.POST, request.FILES) if request.method == "POST" else StatementForm()
    text = _unseal(request.POST.get("sealed", ""))
    if text is None and request.method == "POST" and form.is_valid():
        text = form.cleaned_data["file"]
    if text is None:
        return context.render(request, "bank_statement.html", "cash-desk", form=form)
    statement = read_statement(context.event, text, _chosen(request.POST))
    confirmed = _confirmed(request.POST)
    by_hand, unknown = _given_by_hand(context.event, request.POST)
    if "record" in request.POST and not unknown:
        payments = confirmed | by_hand
        done = attempt(
            request, lambda: record_payments(context.event, statement.payments, payments, context.actor)
        )
        if done is not None:
            remember_columns(context.event, statement.remembered)
            count = len(done.value)
            sentence = ngettext("{count} payment recorded.", "{count} payments recorded.", count)
            undo = reverse("undo-payments", args=[event])
            tell_recorded(request, done.value, sentence.format(count=count), undo)
            return redirect("cash-desk", event)
    is_sent = "record" in request.POST
    lines = [
        ReviewLine(
            proposal,
            proposal.key in confirmed if is_sent else proposal.is_exact,
            request.POST.get(f"player-{proposal.key}", ""),
            f"player-{proposal.key}" in unknown,
        )
        for proposal in propose(context.event, statement.payments)
    ]
    return _render_review(request, context, statement, lines, signing.dumps(text, salt=SALT, compress=True))


def _render_review(
    request: HttpRequest,
    context: DirectorContext,
    statement: Statement,
    lines: list[ReviewLine],
    sealed: str,
) -> HttpResponse:
    is_unknown = any(line.is_unknown for line in lines)
    response = context.render(
        request,
        "bank_statement_review.html",
        "cash-desk",
        statement=statement,
        sealed=sealed,
        choices=[(column, label, statement.columns.places.get(column)) for column, label in LABELS.items()],
        lacks_text=Column.TEXT not in statement.columns.places,
        lines=lines,
        recorded_before=len(statement.payments) - len(lines),
        suggestions=suggest_players(context.event) if lines else [],
        is_unknown=is_unknown,
        currencies=event_currencies(context.event),
    )
    if is_unknown:
        response.status_code = 422
    return response


def _given_by_hand(event: Event, sent: QueryDict) -> tuple[dict[uuid.UUID, uuid.UUID], set[str]]:
    """Payments with the players typed for them, and the fields whose text names no player."""
    texts = {
        field: text
        for field, value in sent.items()
        if field.startswith("player-") and (text := str(value).strip())
    }
    players = find_players(event, texts.values())
    by_hand: dict[uuid.UUID, uuid.UUID] = {}
    unknown: set[str] = set()
    for field, text in texts.items():
        key = read_id(field.removeprefix("player-"))
        if key is None or text not in players:
            unknown.add(field)
        else:
            by_hand[key] = players[text].pk
    return by_hand, unknown


def _unseal(sealed: str) -> str | None:
    try:
        return str(signing.loads(sealed, salt=SALT)) if sealed else None
    except signing.BadSignature:
        return None


def _chosen(sent: QueryDict) -> ChosenColumns:
    typed = {column: sent.get(f"column-{column}", "") for column in Column}
    places = {
        column: int(place)
        for column, place in typed.items()
        if place.isascii() and place.isdigit() and len(place) < 3
    }
    return ChosenColumns(
        places if "column-amount" in sent else None, sent.get("decimal_sign", ""), sent.get("currency", "")
    )


def _confirmed(sent: QueryDict) -> dict[uuid.UUID, uuid.UUID]:
    """The ticked payments: key of the payment and id of the player."""
    pairs = [value.partition(":") for value in sent.getlist("payment")]
    try:
        return {uuid.UUID(key): uuid.UUID(player) for key, _colon, player in pairs}
    except ValueError:
        return {}
