"""Access to tills: their counts, and handovers of cash."""

from typing import Any

from tests.tournament.access.money import KEY, has_a_payment, of_payment
from tests.tournament.access.world import (
    CASHIERS,
    DIRECTORS,
    EVERYBODY,
    OWNERS,
    World,
    event,
    page,
    press,
    rows,
    says,
    tournament,
)
from tournament.fees.amounts import Amount
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, CashClosing, ExchangeRate, Receipt, Transfer
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import rates, receipts, tills
from tournament.money.tills import Count, Handover, OwnCash
from tournament.queries.money.tills import find_till


def till(world: World) -> list[Any]:
    return [*event(world), "EUR", till_of(world.hall.owner)]


def count(world: World) -> dict[str, Any]:
    last = Transfer.objects.filter(target__kind=AccountKind.CASH).values_list("pk", flat=True).first()
    return {"last_transfer": last or 1, "other": 10, "signed_by": "Ana"}


def has_a_closing(world: World) -> None:
    has_a_payment(world)
    owner = world.hall.owner
    row = find_till(world.tournament.event, till_of(owner), "EUR")
    tills.close_till(
        world.tournament.event, till_of(owner), "EUR", Count(10_00, row.last_transfer, "Ana"), owner
    )


def closing(world: World) -> list[Any]:
    return [*event(world), CashClosing.objects.values_list("pk", flat=True).first() or 1]


def handover(world: World) -> dict[str, Any]:
    return {
        "key": KEY,
        "source": ORGANIZER_TILL,
        "target": till_of(world.hall.owner),
        "amount": 5,
        "currency": "EUR",
    }


def has_a_handover(world: World) -> None:
    amount = Amount(5_00, "EUR")
    moved = Handover(KEY, ORGANIZER_TILL, till_of(world.hall.owner), amount)
    tills.hand_over(world.tournament.event, moved, world.hall.owner)


def has_own_cash(world: World) -> None:
    tills.move_own_cash(world.tournament.event, OwnCash(KEY, Amount(5_00, "EUR"), "Change"), world.hall.owner)


def has_a_rate(world: World) -> None:
    rates.set_rate(world.tournament.event, Rate("EUR", "SEK", 10 * RATE_UNIT), world.hall.owner)


def rate(world: World) -> list[Any]:
    return [*event(world), ExchangeRate.objects.values_list("pk", flat=True).first() or 1]


def has_a_receipt(world: World) -> None:
    has_a_payment(world)
    _, payment = of_payment(world)
    receipts.issue_receipt(world.tournament.event, payment, world.hall.owner)


def receipt(world: World) -> list[Any]:
    row = Receipt.objects.first()
    return [*event(world), row.pk if row else KEY]


def receipt_with_key(world: World) -> list[Any]:
    row = Receipt.objects.first() or Receipt(pk=KEY)
    return [row.pk, receipts.key_of(row)]


TILL_ROWS = [
    *page("tills", CASHIERS, event, body=handover),
    *rows("count-till", "GET", CASHIERS, till, ready=has_a_payment),
    *press("count-till", CASHIERS, till, body=count, ready=has_a_payment),
    *rows("cash-closing", "GET", CASHIERS, closing, ready=has_a_closing),
    *press("undo-count", CASHIERS, closing, body=says(reason="Wrong name"), ready=has_a_closing),
    *page("exchange-rates", DIRECTORS, event, body=says(base="EUR", currency="SEK", rate="10", unit="1")),
    *press("remove-rate", DIRECTORS, rate, ready=has_a_rate),
    *page("organizer", OWNERS, event, body=says(name="Club")),
    *press("choose-organizer", OWNERS, event, body=says(organizer="")),
    *press("issue-receipt", CASHIERS, of_payment, ready=has_a_payment),
    *rows("receipts", "GET", CASHIERS, event),
    *rows("receipt", "GET", CASHIERS, receipt, ready=has_a_receipt),
    *rows("payer-receipt", "GET", EVERYBODY, receipt_with_key, ready=has_a_receipt),
    *rows("refund-tiers", "GET POST", DIRECTORS, tournament, done=302),
    *rows("withdrawals", "GET", CASHIERS, event),
    *press("refund-withdrawal waive-charges", CASHIERS, event),
    *press(
        "own-cash",
        CASHIERS,
        event,
        body=says(key=str(KEY), amount="5", currency="EUR", reason="Change", direction="in"),
    ),
    *press("undo-own-cash", CASHIERS, of_payment, ready=has_own_cash),
    *press("undo-handover", CASHIERS, of_payment, ready=has_a_handover),
]
