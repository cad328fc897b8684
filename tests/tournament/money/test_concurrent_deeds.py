"""Deeds at the same moment: both are right, or one is refused. None ends in a deadlock."""

import random
import uuid

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import change_fees
from tests.tournament.money.test_awards import claims, final_of, sums_to_zero, turn_final, with_pot
from tests.tournament.money.test_calcutta import TERMS, shown
from tests.tournament.money.test_concurrent_tills import at_once
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, CalcuttaLot, LedgerAccount
from tournament.money import calcutta, payments, payouts, settling, tills
from tournament.money.awards import award_prizes
from tournament.money.calcutta import Buyer
from tournament.money.payments import NewPayment
from tournament.money.payouts import NewPayout
from tournament.money.settling import Agreement
from tournament.money.tills import Count
from tournament.results.awards import ExpectedResult
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db(transaction=True)


def both(*works):
    """The outcomes of works that begin together: `done`, `gone`, or the code of a refusal."""

    def outcome(work):
        try:
            work()
        except Refused as refused:
            return refused.code
        except NotFound:
            return "gone"
        return "done"

    return at_once([lambda work=work: outcome(work) for work in works])


@pytest.fixture
def made():
    """Four players who paid 30 EUR each. The final is played and its prizes of 80 and 40 are awarded."""
    actor = stories.director()
    row = with_pot(stories.released(actor, 4), actor)
    stories.play_out(row, actor, random.Random(1))
    award_prizes(row.pk, actor)
    row.owner = actor
    return row


def pay(made, player, minor, actor, owed=None):
    payment = NewPayment(uuid.uuid4(), Amount(minor, "EUR"), AccountKind.CASH, shown=owed)
    return payments.take_payment(made.event, player, payment, actor)


def test_money_that_moves_at_the_same_moment_is_right_or_refused(made):
    actor, final, event = made.owner, final_of(made), made.event
    winner = final.winner.player_id
    helper = stories.helper(event, "cash", actor)

    payout = NewPayout(uuid.uuid4(), Amount(80_00, "EUR"), AccountKind.BANK, shown=80_00)
    outcomes = both(lambda: payouts.pay_out(event, winner, payout, actor), lambda: turn_final(made, actor))
    assert outcomes in (["done", "done"], ["no-such-claim", "done"])
    assert sorted(claims(made).values()) == ([-40_00, 80_00] if outcomes[0] == "done" else [40_00, 80_00])

    new_fees = FeeSchedule("EUR", Fee(50_00))
    both(lambda: change_fees(made, new_fees, actor), lambda: pay(made, winner, 5_00, helper))
    assert sums_to_zero(made)

    loser = next(
        entry.player_id for entry in made.entries.all() if entry.pk not in (final.left_id, final.right_id)
    )
    takings = [lambda actor=actor: pay(made, loser, 20_00, actor, 20_00) for actor in (actor, helper)]
    assert sorted(both(*takings)) == ["done", "open-amount-changed"]
    assert open_amounts(event.pk, [loser]) == {}

    till = LedgerAccount.objects.get(event=event, kind=AccountKind.CASH, name=till_of(helper))
    held = sum(row.amount for row in till.debits.all())
    count = Count(held, tills.last_transfer_of(till), "Ana")
    close = lambda: tills.close_till(event, till.name, "EUR", count, helper)  # noqa: E731
    assert both(close, lambda: pay(made, loser, 1_00, helper))[1] == "done"
    assert sums_to_zero(made)


def test_prizes_and_auctions_that_change_at_the_same_moment_are_right_or_refused(made):
    actor, final = made.owner, final_of(made)
    agreement = Agreement(final.winner_id, (70_00, 50_00))
    expected = ExpectedResult(final.results.get(superseded_by=None).pk)
    settle = lambda: settling.settle_at_desk(final, agreement, "Agreed", actor, expected=expected)  # noqa: E731
    assert both(settle, lambda: award_prizes(made.pk, actor)) == ["done", "done"]
    assert sorted(claims(made).values()) == [50_00, 70_00]

    calcutta.set_terms(made.pk, TERMS, actor)
    calcutta.add_lots(made.pk, [[final.winner_id]], actor)
    lot = CalcuttaLot.objects.get()
    state, guest = shown(lot), Buyer(None, "Guest")
    outcomes = both(
        lambda: calcutta.bid(made.pk, state, guest, 10_00, actor),
        lambda: calcutta.remove_lot(made.pk, state, actor),
    )
    assert outcomes in (["done", "lot-changed"], ["gone", "done"])
    assert CalcuttaLot.objects.count() == (outcomes[0] == "done")
    assert sums_to_zero(made)
