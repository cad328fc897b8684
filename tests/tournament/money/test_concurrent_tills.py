"""Several helpers take money at the same time, each with an own till, and a request arrives more than once."""

from contextlib import contextmanager

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import new_payment, pay
from tests.tournament.races import at_once, outcomes_at_once, race, wait_for_blocked_transaction
from tournament.entries import attendance, registration
from tournament.entries.choices import set_choices
from tournament.fees.schedule import Condition, Fee, FeeChoices, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import lock_book
from tournament.models import AccountKind, JournalLine, LedgerAccount, LedgerTransaction
from tournament.money import fees, payments
from tournament.queries.money.book_check import differences_in_books

pytestmark = pytest.mark.django_db(transaction=True)
TILLS = 4


def test_tills_take_money_of_a_player_at_once_and_a_repeated_request_counts_once():
    owner = stories.director()
    made = stories.entered(owner, 1)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(100_00)), owner)
    player = made.entries.get().player_id
    helpers = [stories.helper(made.event, "director", owner, f"helper {number}") for number in range(TILLS)]
    same = new_payment(40_00)

    def paying(payment, actor):
        return lambda: payments.take_payment(made.event, player, payment, actor).pk

    rows = at_once(*[paying(same, helpers[0])] * TILLS)
    assert len(set(rows)) == 1
    others = [new_payment(15_00) for _ in helpers]
    assert len(set(at_once(*[paying(*both) for both in zip(others, helpers, strict=True)]))) == TILLS
    assert open_amounts(made.event_id, [player]) == {}
    assert made.entries.get().is_paid
    assert JournalLine.objects.filter(verb="pay").count() == TILLS + 1
    assert LedgerAccount.objects.filter(kind=AccountKind.CASH).count() == TILLS
    undone = outcomes_at_once(*[lambda: payments.undo_payment(made.event, rows[0], owner)] * TILLS)
    assert sorted(undone) == ["done"] + ["reversed-already"] * (TILLS - 1)
    assert LedgerTransaction.objects.filter(reverses=rows[0]).count() == 1
    assert differences_in_books(made.event) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda entry, actor: registration.change(entry, registration.details_of(entry), actor),
        lambda entry, actor: set_choices(
            entry.tournament_id, {entry.pk: FeeChoices(frozenset({Condition.STUDENT}), frozenset())}, actor
        ),
        lambda entry, actor: attendance.check_in(entry, actor, present=True),
        registration.withdraw,
    ],
    ids=["change", "choices", "check-in", "withdrawal"],
)
def test_a_payment_during_a_change_of_the_entry_stays_marked(change):
    owner = stories.director()
    made = stories.entered(owner, 1)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00, {Condition.STUDENT: 20_00})), owner)
    entry = made.entries.select_related("player").get()

    @contextmanager
    def paying():
        with lock_book(made.event_id):
            yield
            wait_for_blocked_transaction()
            pay(made.event, entry.player_id, 20_00, owner)

    race(paying(), lambda: change(entry, owner))
    entry.refresh_from_db()
    assert entry.is_paid
    assert differences_in_books(made.event) == []
