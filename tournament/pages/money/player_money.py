"""The money of one player, for the cash desk, with the payment code to scan from its screen."""

import uuid

from django.http import HttpRequest, HttpResponse

from tournament.access.permissions import Capability
from tournament.fees.amounts import current_currencies
from tournament.fees.references import in_groups, reference_of
from tournament.ledger.labels import BookLabels
from tournament.money.rates import rates_of
from tournament.pages.director.actions import page
from tournament.pages.director.context import event_context
from tournament.pages.money.payment_forms import METHODS
from tournament.queries.money.cash_desk import event_currencies, last_payments
from tournament.queries.money.player_statement import player_of, player_statement
from tournament.web.payment_ways import payment_ways


@page("GET")
def player_money(request: HttpRequest, event: str, player: uuid.UUID) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    row = player_of(context.event, player)
    statement = player_statement(row)
    ways = [way for debt in statement.debts if (way := payment_ways(context.event, row, debt))]
    return context.render(
        request,
        "player_money.html",
        "cash-desk",
        statement=statement,
        name=BookLabels(context.event.pk).of_player(row, row.pk),
        ways=ways,
        reference=in_groups(reference_of(context.event.pk, row.pk)),
        payments=last_payments(context.event, None, player=row.pk),
        methods=METHODS,
        currencies=event_currencies(context.event) or current_currencies(),
        rates=rates_of(context.event),
        new_key=uuid.uuid4,
    )
