"""The page that moves a payment to another player."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.fees.amounts import format_amount
from tournament.money import moved_payments
from tournament.pages.director.actions import attempt, page
from tournament.pages.director.context import event_context
from tournament.pages.money.payment_forms import read_id, reason_of
from tournament.queries.money.cash_desk import cash_desk_list, find_payment
from tournament.queries.money.player_statement import name_of_player


@page("GET", "POST")
def move_payment(request: HttpRequest, event: str, transaction: int) -> HttpResponse:
    """GET lists the players of the event with their open amounts. POST moves the payment to `player`."""
    context = event_context(request, event, Capability.MONEY)
    payment = find_payment(context.event, transaction)
    if request.method == "POST":
        player, reason = read_id(request.POST.get("player", "")), reason_of(request)
        if player is None:
            messages.error(request, _("Choose the player who paid."))
            return redirect(request.path)
        done = attempt(
            request,
            lambda: moved_payments.move_payment(context.event, transaction, player, context.actor, reason),
        )
        if done is None:
            return redirect(request.path)
        name = name_of_player(context.event, player)
        amount = format_amount(payment.amount, get_language() or "en")
        messages.success(request, _("{amount} is now a payment of {name}.").format(amount=amount, name=name))
        return redirect(reverse("player-money", args=[event, player]))
    others = [line for line in cash_desk_list(context.event) if line.player.pk != payment.player_id]
    return context.render(
        request,
        "move_payment.html",
        "cash-desk",
        payment=payment,
        others=[line for line in others if not line.player.is_removed],
    )
