"""Receipts: issued at the cash desk, printed, and opened by the payer with an address of its own."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from tournament.access.permissions import Capability
from tournament.models import Deed
from tournament.money import receipts
from tournament.pages.director.actions import attempt, page, redirect_back
from tournament.pages.director.context import event_context
from tournament.pages.phones.address import for_phones
from tournament.queries.money.cash_desk import last_payments
from tournament.queries.money.receipts import find_receipt, list_receipts, receipt_for_payer
from tournament.web.lists import search_list
from tournament.web.qr_codes import qr_picture

MOST_PAYMENTS = 2000
DEEDS = (Deed.PAYMENT, Deed.REFUND, Deed.PAYOUT)


@page("POST")
def issue_receipt(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    done = attempt(request, lambda: receipts.issue_receipt(context.event, transaction, context.actor))
    return redirect("receipt", event, done.value.pk) if done else redirect_back(request, "cash-desk", event)


@page("GET")
def receipt(request: HttpRequest, event: str, receipt: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    printed = find_receipt(context.event, receipt)
    path = reverse("payer-receipt", args=[receipt, receipts.key_of(printed.row)])
    address = for_phones(request, path)
    return context.render(
        request, "receipt.html", "cash-desk", receipt=printed, address=address, picture=qr_picture(address)
    )


@page("GET")
def receipt_list(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    rows = list_receipts(context.event)
    listing = search_list(request, rows, lambda row: row.payer)
    numbered = {row.row.transaction_id for row in rows}
    others = [row for row in last_payments(context.event, MOST_PAYMENTS, DEEDS) if row.id not in numbered]
    unnumbered = search_list(request, others, lambda row: row.player)
    return context.render(request, "receipts.html", "cash-desk", listing=listing, unnumbered=unnumbered)


@page("GET")
def payer_receipt(request: HttpRequest, receipt: uuid.UUID, key: str) -> HttpResponse:
    """For everybody who has the address; the key in it cannot be guessed."""
    printed = receipt_for_payer(receipt, key)
    event = printed.row.event
    with timezone.override(event.time_zone if event else None):
        response = render(
            request, "public/receipt.html", {"receipt": printed, "event_name": event and event.name}
        )
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response
