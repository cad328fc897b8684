"""Several helpers take money at the same time, each with an own till, and a request arrives more than once."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.tournament import stories
from tournament.entries import registration
from tournament.entries.choices import set_choices
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Condition, Fee, FeeChoices, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import lock_book
from tournament.models import AccountKind, JournalLine, LedgerAccount, LedgerTransaction
from tournament.money import fees, payments
from tournament.money.books import differences_in_books
from tournament.money.payments import NewPayment
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)
TILLS = 4


def at_once(works):
    """Runs them in threads that begin together; returns what they return."""
    ready = threading.Barrier(len(works))

    def run(work):
        try:
            ready.wait(20)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return [outcome.result(30) for outcome in [threads.submit(run, work) for work in works]]


def test_tills_take_money_of_a_player_at_once_and_a_repeated_request_counts_once():
    owner = stories.director()
    made = stories.entered(owner, 1)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(100_00)), owner)
    player = made.entries.get().player_id
    helpers = [stories.helper(made.event, "director", owner, f"helper {number}") for number in range(TILLS)]
    same = NewPayment(uuid.uuid4(), Amount(40_00, "EUR"), AccountKind.CASH)

    def pay(payment, actor):
        return lambda: payments.take_payment(made.event, player, payment, actor).pk

    rows = at_once([pay(same, helpers[0])] * TILLS)
    assert len(set(rows)) == 1
    others = [NewPayment(uuid.uuid4(), Amount(15_00, "EUR"), AccountKind.CASH) for _ in helpers]
    assert len(set(at_once([pay(*both) for both in zip(others, helpers, strict=True)]))) == TILLS
    assert open_amounts(made.event_id, [player]) == {}
    assert made.entries.get().is_paid
    assert JournalLine.objects.filter(verb="pay").count() == TILLS + 1
    assert LedgerAccount.objects.filter(kind=AccountKind.CASH).count() == TILLS
    undone = at_once([lambda: undo(made, rows[0], owner)] * TILLS)
    assert sorted(undone) == ["done"] + ["reversed-already"] * (TILLS - 1)
    assert LedgerTransaction.objects.filter(reverses=rows[0]).count() == 1
    assert differences_in_books(made.event) == []


def undo(made, row, actor):
    try:
        payments.undo_payment(made.event, row, actor)
    except Refused as refused:
        return refused.code
    return "done"


@pytest.mark.parametrize(
    "change",
    [
        lambda entry, actor: registration.change(entry, registration.details_of(entry), actor),
        lambda entry, actor: set_choices(
            entry.tournament_id, {entry.pk: FeeChoices(frozenset({Condition.STUDENT}), frozenset())}, actor
        ),
    ],
)
def test_the_desk_changes_an_entry_while_a_till_takes_its_payment(change):
    owner = stories.director()
    made = stories.entered(owner, 1)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00, {Condition.STUDENT: 20_00})), owner)
    entry = made.entries.select_related("player").get()
    paying, changed = threading.Event(), threading.Event()

    def pay():
        with lock_book(made.event_id):
            paying.set()
            changed.wait(0.3)
            payment = NewPayment(uuid.uuid4(), Amount(20_00, "EUR"), AccountKind.CASH)
            return payments.take_payment(made.event, entry.player_id, payment, owner)

    def change_meanwhile():
        paying.wait(20)
        change(entry, owner)
        changed.set()

    at_once([pay, change_meanwhile])
    entry.refresh_from_db()
    assert entry.is_paid
    assert differences_in_books(made.event) == []
