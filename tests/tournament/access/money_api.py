"""Access to the API about money."""

from datetime import date
from typing import Any

from tests.tournament.access.money import (
    KEY,
    has_a_hedge,
    has_a_payment,
    has_a_payout,
    has_a_proposal,
    has_an_auction,
    has_an_own_template,
    has_prizes,
    hedge,
    is_settled_by_phones,
    of_payment,
    other_player,
    player_of,
)
from tests.tournament.access.tills import (
    closing,
    has_a_closing,
    has_a_handover,
    has_a_rate,
    has_a_receipt,
    has_own_cash,
    rate,
    receipt,
    till,
)
from tests.tournament.access.world import (
    CASHIERS,
    DIRECTORS,
    EVERYBODY,
    OWNERS,
    PHONES,
    THIS_MATCH,
    Ask,
    World,
    by_id,
    doing,
    event,
    match,
    pairing,
    rows,
    says,
)
from tournament.entries import registration
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.tills import till_of
from tournament.models import CalcuttaLot, LedgerAccount, Settlement
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import calcutta, fees
from tournament.money.calcutta import Buyer, ExpectedLot, state_of
from tournament.queries.money.tills import find_till

FEES = says(fees={"currency": "EUR", "entry": {"price": 20_00}})
EVENT_FEES = says(fees={"currency": "EUR", "registration": {"price": 5_00}})
REFUNDS = says(refunds=[{"until": "2099-01-01", "percent": 5000}])
TERMS = says(currency="EUR", minimum=10_00, step=5_00, split=[70, 30])
WAIVED = says(revision="20.00 EUR", reason="ill")
OWN_CASH = says(key=KEY, minor=5_00, currency="EUR", reason="Change")
TEMPLATE = says(name="House", parts=[{"bracket": "main", "places": [1, 1], "share": 1}])
RATE = says(base="EUR", currency="SEK", rate="10")


def payment(world: World) -> dict[str, Any]:
    paid = {"minor": 10_00, "currency": "EUR", "above_debt": True}
    return {"key": KEY, "player": player_of(world).pk, **paid}


def selected(world: World) -> dict[str, Any]:
    return {"players": [{"player": player_of(world).pk, "open": []}]}


def first_transaction(world: World) -> dict[str, Any]:
    return {"ids": [of_payment(world)[-1]]}


def count(world: World) -> dict[str, Any]:
    _, currency, name = till(world)
    last = 1
    if LedgerAccount.objects.filter(name=name).exists():
        last = find_till(world.tournament.event, name, currency).last_transfer
    counted = {"till": name, "currency": currency, "counted": 10_00}
    return {**counted, "last_transfer": last, "signed_by": "Ana"}


def handover(world: World) -> dict[str, Any]:
    tills = {"from_till": ORGANIZER_TILL, "to_till": till_of(world.hall.owner)}
    return {"key": KEY, **tills, "minor": 5_00, "currency": "EUR"}


def has_fees(world: World) -> None:
    fees.set_schedule(world.tournament.pk, FeeSchedule("EUR", Fee(20_00)), world.hall.owner)


def choices(world: World) -> dict[str, Any]:
    return {"choices": [{"entry": world.pairing.left_id, "conditions": ["member"], "pools": []}]}


def has_a_withdrawal(world: World) -> None:
    """The newcomer was charged, withdrew, and gets half back."""
    tiers = (RefundTier(date(2099, 1, 1), 5000),)
    fees.set_schedule(world.novice.pk, FeeSchedule("EUR", Fee(20_00), refunds=tiers), world.hall.owner)
    registration.withdraw(world.newcomer, world.hall.owner)


def has_a_debt(world: World) -> None:
    """The newcomer was charged, withdrew, and gets nothing back."""
    fees.set_schedule(world.novice.pk, FeeSchedule("EUR", Fee(20_00)), world.hall.owner)
    registration.withdraw(world.newcomer, world.hall.owner)


def of_newcomer(world: World) -> list[Any]:
    return [*event(world), world.newcomer.pk]


def proposal(world: World) -> dict[str, Any]:
    row = Settlement.objects.first()
    return {"proposal": row.pk if row else KEY}


def agreement(world: World) -> dict[str, Any]:
    return {"winner": world.pairing.left_id}


def has_a_lot(world: World) -> None:
    has_an_auction(world)
    calcutta.add_lots(world.tournament.pk, [[world.pairing.left_id]], world.hall.owner)


def has_a_bid(world: World) -> None:
    has_a_lot(world)
    lot = CalcuttaLot.objects.get()
    buyer = Buyer(player_of(world).pk)
    calcutta.bid(world.tournament.pk, ExpectedLot(lot.pk, state_of(lot)), buyer, 10_00, world.hall.owner)


def has_a_sale(world: World) -> None:
    has_a_bid(world)
    lot = CalcuttaLot.objects.get()
    calcutta.sell(world.tournament.pk, ExpectedLot(lot.pk, state_of(lot)), world.hall.owner)


def lot(world: World) -> list[Any]:
    row = CalcuttaLot.objects.first()
    return [*by_id(world), row.pk if row else KEY]


def lot_body(**fields: Any) -> Ask:
    def body(world: World) -> dict[str, Any]:
        row = CalcuttaLot.objects.first()
        values = {"state": state_of(row) if row else "none", "player": world.pairing.left.player_id}
        return {**values, **fields}

    return body


MONEY_API_ROWS = [
    *rows("fees refunds choices", "GET", CASHIERS, by_id),
    *rows("event-fees", "GET", CASHIERS, event),
    *rows("fees", "PUT", DIRECTORS, by_id, body=FEES),
    *rows("fee-templates", "GET", DIRECTORS, by_id),
    *rows("fee-examples", "POST", DIRECTORS, by_id, body=FEES),
    *rows("fees-preview", "POST", DIRECTORS, by_id, body=FEES),
    *rows("event-fees", "PUT", DIRECTORS, event, body=EVENT_FEES),
    *rows("event-fees-preview", "POST", DIRECTORS, event, body=EVENT_FEES),
    *rows("refunds", "PUT", DIRECTORS, by_id, ready=has_fees, body=REFUNDS),
    *rows("choices", "PUT", CASHIERS, by_id, ready=has_fees, body=choices),
    *rows("withdrawals", "GET", CASHIERS, event),
    *rows(
        "give-back", "POST", CASHIERS, of_newcomer, ready=has_a_withdrawal, body=says(minor=10_00), done=204
    ),
    *rows("take-back", "POST", CASHIERS, of_newcomer, ready=has_a_debt, body=WAIVED, done=204),
    *rows("prize-structure prize-templates", "GET", DIRECTORS, by_id),
    *rows("prize-preview", "POST", DIRECTORS, by_id, body=says(prizes={"currency": "EUR"})),
    *rows("prize-templates", "PUT", OWNERS, by_id, body=TEMPLATE, done=204),
    *rows(
        "prize-templates",
        "DELETE",
        OWNERS,
        by_id,
        ready=has_an_own_template,
        body=says(name="House"),
        done=204,
    ),
    *rows("prize-steps", "GET", CASHIERS, event),
    *rows("player-money", "GET", CASHIERS, lambda world: [*event(world), player_of(world).pk]),
    *rows("own-money", "GET", PHONES),
    *rows("prize-structure", "PUT", DIRECTORS, by_id, body=says(prizes={"currency": "EUR"})),
    *rows("cash-desk payouts transactions books accounts tills receipts", "GET", CASHIERS, event),
    *rows("payments", "GET", CASHIERS, event),
    *rows("receipt", "GET", CASHIERS, receipt, ready=has_a_receipt),
    *rows("selected-payments selected-payouts", "POST", CASHIERS, event, body=selected, done=201),
    *rows("undo-payments", "POST", CASHIERS, event, ready=has_a_payment, body=first_transaction),
    *rows("undo-payouts", "POST", CASHIERS, event, ready=has_a_payout, body=first_transaction),
    *rows("payments", "POST", CASHIERS, event, body=payment, done=201),
    *rows("payment", "DELETE", CASHIERS, of_payment, ready=has_a_payment),
    *rows("payment-player", "PUT", CASHIERS, of_payment, ready=has_a_payment, body=other_player, done=201),
    *rows("issued-receipt", "PUT", CASHIERS, of_payment, ready=has_a_payment),
    *rows("payout", "DELETE", CASHIERS, of_payment, ready=has_a_payout),
    *rows("payouts", "POST", CASHIERS, event, ready=has_a_payment, body=payment, done=201),
    *rows("awards", "POST", CASHIERS, by_id, done=409),
    *rows("closings handovers rates", "GET", CASHIERS, event),
    *rows("closings", "POST", CASHIERS, event, ready=has_a_payment, body=count, done=201),
    *rows("closing", "DELETE", CASHIERS, closing, ready=has_a_closing, body=says(reason="Wrong name")),
    *rows("handovers", "POST", CASHIERS, event, body=handover, done=201),
    *rows("handover", "DELETE", CASHIERS, of_payment, ready=has_a_handover),
    *rows("bank-statement", "POST PUT", CASHIERS, event, body=says(text="Date,Amount\n1,2.00", payments=[])),
    *rows("own-cash-list", "GET", CASHIERS, event),
    *rows("own-cash-list", "POST", CASHIERS, event, body=OWN_CASH, done=201),
    *rows("own-cash", "DELETE", CASHIERS, of_payment, ready=has_own_cash),
    *rows("organizer", "GET", OWNERS, event),
    *rows("organizer", "PUT", OWNERS, event, body=says(name="Club")),
    *rows("organizer-choice", "PUT", OWNERS, event, body=says(organizer=KEY, is_new=True)),
    *rows("money-file", "GET", CASHIERS, lambda world: [*event(world), "transfers", "csv"]),
    *rows("money-year-file", "GET", OWNERS, lambda world: [*event(world), "xlsx"]),
    *rows("worth", "GET", CASHIERS, by_id),
    *rows("rates", "PUT", DIRECTORS, event, body=RATE),
    *rows("rate", "DELETE", DIRECTORS, rate, ready=has_a_rate, done=204),
    *rows("settlement", "GET", DIRECTORS, pairing),
    *rows("settlement", "POST", DIRECTORS, pairing, body=agreement, done=204),
    *rows("own-settlement", "GET", THIS_MATCH, match),
    *rows("own-settlement", "POST", THIS_MATCH, match, body=agreement),
    *rows(
        "settlement-accept settlement-close",
        "POST",
        THIS_MATCH,
        match,
        ready=has_a_proposal,
        body=proposal,
        done=204,
    ),
    *rows("hedge", "POST", THIS_MATCH, match, ready=has_prizes, body=says(left=5_00)),
    *rows("hedge-accept hedge-close", "POST", THIS_MATCH, match, ready=has_a_hedge, body=hedge, done=204),
    *rows("settlement-undo", "POST", THIS_MATCH, match, ready=is_settled_by_phones, done=204),
    *rows("calcutta", "GET", CASHIERS, by_id, ready=has_an_auction),
    *rows("auction", "GET", EVERYBODY, by_id, ready=has_an_auction),
    *rows("calcutta", "PUT", DIRECTORS, by_id, body=TERMS),
    *rows("calcutta", "DELETE", DIRECTORS, by_id, done=204),
    *rows("calcutta-lots", "POST", CASHIERS, by_id, ready=has_an_auction, body=says(is_field=True), done=201),
    *rows("calcutta-bids", "POST", CASHIERS, lot, ready=has_a_lot, body=lot_body(minor=10_00)),
    *rows("calcutta-lot-action", "POST", CASHIERS, doing("sell", lot), ready=has_a_bid, body=lot_body()),
    *rows("calcutta-shares", "POST", CASHIERS, lot, ready=has_a_sale, body=lot_body(parts=1)),
    *rows("calcutta-buy-back", "POST", CASHIERS, lot, ready=has_a_sale, body=lot_body()),
    *rows("calcutta-awards", "POST", CASHIERS, by_id, ready=has_an_auction, done=409),
]
