"""The page that moves a payment to another player."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import format_amount
from tournament.money import moved_payments
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import DirectorContext, event_context
from tournament.pages.money.payment_forms import read_id, reason_of
from tournament.queries.money.cash_desk import cash_desk_list, find_payment


@page("GET", "POST")
def move_payment(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    """GET lists the players of the event with their open amounts. POST moves the payment to `player`."""
    context = event_context(request, event, Capability.MONEY)
    if request.method == "POST":
        return _move(request, context, transaction)
    payment = find_payment(context.event, transaction)
    others = [line for line in cash_desk_list(context.event) if line.player.pk != payment.player_id]
    return context.render(
        request,
        "move_payment.html",
        "cash-desk",
        payment=payment,
        others=[line for line in others if not line.player.is_removed],
    )


def _move(request: HttpRequest, context: DirectorContext, transaction: int) -> HttpResponse:
    """A refusal leads to the cash desk: the page of a payment that was moved before is gone."""
    event, player = context.event, read_id(request.POST.get("player", ""))
    if player is None:
        messages.error(request, _("Choose the player who paid."))
        return redirect(request.path)
    reason = reason_of(request)
    done = attempt(
        request, lambda: moved_payments.move_payment(event, transaction, player, context.actor, reason)
    )
    if done is None:
        return redirect("cash-desk", event.slug)
    payment = find_payment(event, done.value.pk)
    amount = format_amount(payment.amount, get_language() or "en")
    sentence = _("{amount} is now a payment of {name}.").format(amount=amount, name=payment.player)
    messages.success(request, sentence)
    return redirect("player-money", event.slug, player)
