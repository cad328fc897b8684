"""Access to fees and to the cash desk."""

import uuid
from typing import Any

from tests.tournament.access.world import (
    CASHIERS,
    DIRECTORS,
    World,
    event,
    page,
    press,
    rows,
    says,
    tournament,
)
from tournament.fees.amounts import Amount
from tournament.models import AccountKind, Player
from tournament.money import payments
from tournament.money.payments import NewPayment

KEY = uuid.UUID(int=1)


def player_of(world: World) -> Player:
    return Player.objects.filter(event=world.tournament.event).earliest("name")


def has_a_payment(world: World) -> None:
    payment = NewPayment(KEY, Amount(10_00, "EUR"), AccountKind.CASH)
    payments.take_payment(world.tournament.event, player_of(world).pk, payment, world.hall.owner)


def payment(world: World) -> dict[str, Any]:
    return {
        "key": KEY,
        "player": player_of(world).pk,
        "currency": "EUR",
        "amount": "10",
        "method": "cash",
        "direction": "in",
    }


def of_payment(world: World) -> list[Any]:
    row = world.tournament.event.ledger_transactions.first()
    return [*event(world), row.pk if row else 1]


MONEY_ROWS = [
    *page("fees", DIRECTORS, tournament, body=says(currency="EUR", entry="20")),
    *page("event-fees", DIRECTORS, event, body=says(currency="EUR", registration="5")),
    *page("fee-choices", CASHIERS, tournament),
    *rows("cash-desk", "GET", CASHIERS, event),
    *press("take-payment", CASHIERS, event, body=payment),
    *press("pay-selected", CASHIERS, event, body=lambda world: {"players": player_of(world).pk}),
    *press("undo-payment", CASHIERS, of_payment, ready=has_a_payment),
]
