"""Records payments from a bank statement: a file, then a review of the proposals, then those that were ticked.

Between the steps the page carries the file in a signed hidden field. The server stores nothing of it.
"""

import csv
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.permissions import Capability
from tournament.entries.lists.decoding import decode
from tournament.entries.lists.remarks import UnreadableError
from tournament.fees.bank_statement import (
    COMMA,
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    POINT,
    Column,
    IncomingPayment,
    StatementColumns,
    find_headings,
    guess_columns,
    guess_decimal_sign,
    read_payments,
    split_rows,
)
from tournament.models import Event
from tournament.money.bank_statement import (
    Proposal,
    find_player,
    propose,
    record_payments,
    remember_columns,
    suggest_players,
)
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.money.amount_fields import DEFAULT_CURRENCY
from tournament.queries.money.cash_desk import event_currencies

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
        data: bytes = self.cleaned_data["file"].read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 1 MB. Export a shorter period."))
        try:
            text, _troubles = decode(data)
            rows = split_rows(text)
        except (UnreadableError, csv.Error) as error:
            raise forms.ValidationError(_("This is not a CSV file. Export the statement as CSV.")) from error
        if len(rows) > MOST_ROWS or max((len(cells) for _number, cells in rows), default=0) > MOST_COLUMNS:
            raise forms.ValidationError(
                _("The file has more than {most} lines. Export a shorter period.").format(most=MOST_ROWS)
            )
        return text


@dataclass(frozen=True, slots=True)
class Review:
    """A statement as it was read. `choices`: column, label, place of it."""

    sealed: str
    headings: list[str]
    columns: StatementColumns
    payments: list[IncomingPayment]
    unreadable: list[int]

    @property
    def remembered(self) -> dict[str, str]:
        """The headings of the columns in use, and the decimal sign."""
        places = self.columns.places.items()
        headings = {
            str(column): self.headings[at].strip() for column, at in places if at < len(self.headings)
        }
        return headings | {"decimal_sign": self.columns.decimal_sign}

    @property
    def choices(self) -> list[tuple[Column, object, int | None]]:
        return [(column, label, self.columns.places.get(column)) for column, label in LABELS.items()]


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A proposal, and what was typed for a payment without a player. `is_unknown`: the text names no player."""

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
    review = _review(text, request.POST, context)
    confirmed = _confirmed(request.POST)
    by_hand, unknown = _given_by_hand(context.event, request.POST)
    if "record" in request.POST and not unknown:
        payments = confirmed | by_hand
        done = attempt(
            request, lambda: record_payments(context.event, review.payments, payments, context.actor)
        )
        if done is not None:
            remember_columns(context.event, review.remembered)
            sentence = ngettext("{count} payment recorded.", "{count} payments recorded.", done.value)
            messages.success(request, sentence.format(count=done.value))
            return redirect("cash-desk", event)
    is_sent = "record" in request.POST
    lines = [
        ReviewLine(
            proposal,
            proposal.key in confirmed if is_sent else proposal.is_exact,
            request.POST.get(f"player-{proposal.key}", ""),
            f"player-{proposal.key}" in unknown,
        )
        for proposal in propose(context.event, review.payments)
    ]
    return _render_review(request, context, review, lines)


def _render_review(
    request: HttpRequest, context: DirectorContext, review: Review, lines: list[ReviewLine]
) -> HttpResponse:
    is_search_needed = any(line.proposal.player is None for line in lines)
    is_unknown = any(line.is_unknown for line in lines)
    response = context.render(
        request,
        "bank_statement_review.html",
        "cash-desk",
        review=review,
        lines=lines,
        suggestions=suggest_players(context.event) if is_search_needed else [],
        is_unknown=is_unknown,
        currencies=event_currencies(context.event),
    )
    if is_unknown:
        response.status_code = 422
    return response


def _given_by_hand(event: Event, sent: QueryDict) -> tuple[dict[uuid.UUID, uuid.UUID], set[str]]:
    """Payments with the players typed for them, and the fields whose text names no player."""
    by_hand: dict[uuid.UUID, uuid.UUID] = {}
    unknown: set[str] = set()
    for field, value in sent.items():
        typed = str(value).strip()
        if not field.startswith("player-") or not typed:
            continue
        player = find_player(event, typed)
        if player is None:
            unknown.add(field)
            continue
        try:
            by_hand[uuid.UUID(field.removeprefix("player-"))] = player.pk
        except ValueError:
            unknown.add(field)
    return by_hand, unknown


def _unseal(sealed: str) -> str | None:
    try:
        return str(signing.loads(sealed, salt=SALT)) if sealed else None
    except signing.BadSignature:
        return None


def _review(text: str, sent: QueryDict, context: DirectorContext) -> Review:
    rows = split_rows(text)
    organizer = context.event.organizer
    remembered = dict(organizer.statement_columns) if organizer else {}
    remembered_sign = remembered.pop("decimal_sign", "")
    at = find_headings(rows, remembered.values())
    headings = rows[at][1] if rows else []
    below = rows[at + 1 :]
    places = _places(sent) if "column-amount" in sent else _remembered_places(headings, remembered)
    is_remembered = bool(places) and "column-amount" not in sent
    places = places or guess_columns(headings)
    amounts = [cells[places[Column.AMOUNT]] for _number, cells in below if _has(cells, places)]
    decimal_sign = sent.get("decimal_sign", remembered_sign if is_remembered else "")
    if decimal_sign not in (POINT, COMMA):
        decimal_sign = guess_decimal_sign(amounts)
    currency = sent.get("currency") or next(iter(event_currencies(context.event)), DEFAULT_CURRENCY)
    columns = StatementColumns(places, decimal_sign, currency)
    payments, unreadable = read_payments(below, columns)
    return Review(signing.dumps(text, salt=SALT, compress=True), headings, columns, payments, unreadable)


def _remembered_places(headings: list[str], remembered: Mapping[str, str]) -> dict[Column, int]:
    """Empty unless this statement has all headings of the remembered one."""
    at = {heading.strip(): place for place, heading in enumerate(headings)}
    if not all(heading in at for heading in remembered.values()):
        return {}
    return {Column(column): at[heading] for column, heading in remembered.items()}


def _has(cells: list[str], places: dict[Column, int]) -> bool:
    return Column.AMOUNT in places and places[Column.AMOUNT] < len(cells)


def _places(sent: QueryDict) -> dict[Column, int]:
    typed = {column: sent.get(f"column-{column}", "") for column in Column}
    return {
        column: int(place)
        for column, place in typed.items()
        if place.isascii() and place.isdigit() and len(place) < 3
    }


def _confirmed(sent: QueryDict) -> dict[uuid.UUID, uuid.UUID]:
    """The ticked payments: key of the payment and id of the player."""
    pairs = [value.partition(":") for value in sent.getlist("payment")]
    try:
        return {uuid.UUID(key): uuid.UUID(player) for key, _colon, player in pairs}
    except ValueError:
        return {}
