"""Access to fees and to the cash desk."""

import uuid
from typing import Any

from matches.keepers import Keeper
from tests.tournament.access.world import (
    CASHIERS,
    DIRECTORS,
    EVERYBODY,
    OWNERS,
    PHONES,
    THIS_MATCH,
    World,
    at_desk_match,
    event,
    match,
    page,
    press,
    rows,
    says,
    tournament,
)
from tests.tournament.money.stories import with_pot
from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.models import AccountKind, Hedge, PersonalLink, Player, Settlement
from tournament.money import calcutta, hedging, payments, payouts, settling
from tournament.money.calcutta import Terms
from tournament.money.payments import NewPayment
from tournament.money.payouts import NewPayout
from tournament.money.prize_structures import keep_template
from tournament.money.settling import Agreement
from tournament.prizes.structure import Part

KEY = uuid.UUID(int=1)


def player_of(world: World) -> Player:
    return Player.objects.filter(event=world.tournament.event).earliest("name")


def has_a_payment(world: World) -> None:
    payment = NewPayment(KEY, Amount(10_00, "EUR"), AccountKind.CASH)
    payments.take_payment(world.tournament.event, player_of(world).pk, payment, world.hall.owner)


def has_a_payout(world: World) -> None:
    """The player paid 10 EUR too much, and gets them."""
    has_a_payment(world)
    payout = NewPayout(KEY, Amount(10_00, "EUR"), AccountKind.CASH)
    payouts.pay_out(world.tournament.event, player_of(world).pk, payout, world.hall.owner)


def has_an_own_template(world: World) -> None:
    keep_template(world.tournament, "House", [Part("main", 1, 1, 1)], "EUR", world.hall.owner)


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


def other_player(world: World) -> dict[str, Any]:
    return {"player": Player.objects.filter(event=world.tournament.event).latest("name").pk}


def has_a_proposal(world: World) -> None:
    """The right player proposes to settle."""
    agreement = Agreement(world.pairing.left_id)
    settling.propose(world.pairing, agreement, Actor(link=PersonalLink(entry=world.pairing.right)))


def proposal(world: World) -> dict[str, Any]:
    row = Settlement.objects.first()
    return {"proposal": row.pk if row else KEY}


def is_settled_by_phones(world: World) -> None:
    """The left player accepts what the right player proposes."""
    has_a_proposal(world)
    row, left = Settlement.objects.get(), world.pairing.left
    settling.confirm(world.pairing, row.pk, Keeper.LEFT, Actor(link=PersonalLink(entry=left)))


def has_prizes(world: World) -> None:
    with_pot(world.tournament, world.hall.owner)


def has_a_hedge(world: World) -> None:
    """The right player proposes a hedge."""
    has_prizes(world)
    hedging.propose(world.pairing, (5_00, 0), Actor(link=PersonalLink(entry=world.pairing.right)))


def hedge(world: World) -> dict[str, Any]:
    row = Hedge.objects.first()
    return {"proposal": row.pk if row else KEY}


def has_an_auction(world: World) -> None:
    calcutta.set_terms(world.tournament.pk, Terms("EUR", 10_00, 5_00, 0, (100,), True), world.hall.owner)


AUCTION_FORM = says(currency="EUR", minimum="10", step="5", split="70/30")
MONEY_ROWS = [
    *page("desk-settlement", DIRECTORS, at_desk_match, body=lambda world: {"winner": world.pairing.left_id}),
    *rows("worth-now", "GET", CASHIERS, tournament),
    *page("my-settlement", THIS_MATCH, match, body=lambda world: {"winner": world.pairing.left_id}),
    *press(
        "my-settlement-accept my-settlement-close", THIS_MATCH, match, ready=has_a_proposal, body=proposal
    ),
    *press("my-hedge", THIS_MATCH, match, ready=has_prizes, body=says(**{"hedge-left": "5"})),
    *press("my-hedge-accept my-hedge-close", THIS_MATCH, match, ready=has_a_hedge, body=hedge),
    *press("my-settlement-undo", THIS_MATCH, match, ready=is_settled_by_phones),
    *page("fees", DIRECTORS, tournament, body=says(currency="EUR", entry="20")),
    *page("event-fees", DIRECTORS, event, body=says(currency="EUR", registration="5")),
    *page("fee-choices", CASHIERS, tournament),
    *page(
        "prizes",
        DIRECTORS,
        tournament,
        body=says(currency="EUR", unit="0", rest="first", ties="places"),
    ),
    *press("remove-prizes", DIRECTORS, tournament),
    *press(
        "remove-prize-template",
        OWNERS,
        tournament,
        ready=has_an_own_template,
        body=says(name="House"),
    ),
    *rows("books", "GET", CASHIERS, event),
    *rows("cash-desk payment-list", "GET", CASHIERS, event),
    *rows("player-money", "GET", CASHIERS, lambda world: [*event(world), player_of(world).pk]),
    *rows("bank-statement", "GET", CASHIERS, event),
    *rows("bank-statement", "POST", CASHIERS, event, done=422),
    *rows("my-money", "GET", PHONES),
    *press("take-payment", CASHIERS, event, body=payment),
    *press("pay-selected", CASHIERS, event, body=lambda world: {"players": player_of(world).pk}),
    *press("undo-payments undo-payouts", CASHIERS, event),
    *press("undo-payment", CASHIERS, of_payment, body=says(confirmed="on"), ready=has_a_payment),
    *rows("move-payment", "GET", CASHIERS, of_payment, ready=has_a_payment),
    *press("move-payment", CASHIERS, of_payment, ready=has_a_payment, body=other_player),
    *rows("payouts", "GET", CASHIERS, event),
    *rows("envelopes", "GET", CASHIERS, event),
    *rows("pay-out", "GET", CASHIERS, event, done=302),
    *press("pay-out", CASHIERS, event, body=payment),
    *rows("pay-out-selected", "GET", CASHIERS, event, done=302),
    *press("pay-out-selected", CASHIERS, event, body=lambda world: {"method": "cash"}),
    *press("undo-payout", CASHIERS, of_payment, body=says(confirmed="on"), ready=has_a_payout),
    *rows("calcutta", "GET", CASHIERS, tournament),
    *press("calcutta-terms", DIRECTORS, tournament, body=AUCTION_FORM),
    *press("calcutta-off", DIRECTORS, tournament),
    *press("calcutta-lots", CASHIERS, tournament, ready=has_an_auction, body=says(field="on")),
    *press("calcutta-lot calcutta-award", CASHIERS, tournament, ready=has_an_auction),
    *rows("auction", "GET", EVERYBODY, tournament, ready=has_an_auction),
    *press("award-prizes", CASHIERS, tournament),
    *rows("money-file", "GET", CASHIERS, lambda world: [*event(world), "transfers", "csv"]),
    *rows("money-year-file", "GET", OWNERS, lambda world: [*event(world), "csv"]),
]
