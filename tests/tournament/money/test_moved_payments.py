"""A payment that was recorded for the wrong person moves to the other player, in the same till."""

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import change_event_fees, enter, pay, take_in
from tests.tournament.refusals import refusal
from tournament.fees.amounts import Amount
from tournament.fees.schedule import EventFees, Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.tills import cash_held, till_of
from tournament.models import LedgerTransaction, Receipt
from tournament.money import fees, payments, receipts
from tournament.money.moved_payments import move_payment
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import find_payment
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(actor):
    row = stories.tournament(actor)
    fees.set_schedule(row.pk, FeeSchedule("EUR", Fee(20_00)), actor)
    for name in ("Ann Berg", "Bo Lind"):
        enter(row, actor, name)
    row.refresh_from_db()
    return row


def players(made):
    return made.event.players.get(name="Ann Berg").pk, made.event.players.get(name="Bo Lind").pk


def owed(made):
    amounts = open_amounts(made.event_id, players(made))
    return [amounts.get(player, {}).get("EUR", 0) for player in players(made)]


def paid_entries(made):
    return list(made.entries.filter(is_paid=True).values_list("player__name", flat=True))


def test_a_moved_payment_counts_for_the_other_player_and_stays_in_its_till(made, actor, client):
    ann, bo = players(made)
    row = pay(made.event, ann, 20_00, actor)
    receipt = receipts.issue_receipt(made.event, row.pk, actor)
    held = cash_held(made.event_id, till_of(actor), "EUR")
    moved = move_payment(made.event, row.pk, bo, actor, "Wrong line")
    assert (owed(made), paid_entries(made)) == ([20_00, 0], ["Bo Lind"])
    assert cash_held(made.event_id, till_of(actor), "EUR") == held == Amount(20_00, "EUR")
    assert Receipt.objects.filter(cancels=receipt).exists()
    assert made.event.journal.get(verb="move payment").reason == "Wrong line"
    assert differences_in_books(made.event) == []
    assert refusal(move_payment, made.event, row.pk, bo, actor) == "reversed-already"
    client.force_login(actor.user)
    pressed_twice = reverse("move-payment", args=[made.event.slug, row.pk])
    answer = client.post(pressed_twice, {"player": bo}, follow=True)
    assert "This was taken back before." in answer.content.decode()
    move_payment(made.event, moved.pk, ann, actor)
    assert (owed(made), paid_entries(made)) == ([0, 20_00], ["Ann Berg"])


def test_a_corrected_list_finds_the_payment_that_was_moved(made, actor):
    _ann, bo = players(made)
    assert take_in(made, actor, "Name;Paid\nAnn Berg;20")[0] == [20_00]
    row = LedgerTransaction.objects.get(event=made.event, deed="payment")
    move_payment(made.event, row.pk, bo, actor)
    change_event_fees(made.event, EventFees("EUR", Fee(20_00)), actor)
    assert refusal(take_in, made, actor, "Name;Paid\nBo Lind;20") == "nothing-to-import"
    assert take_in(made, actor, "Name;Paid\nBo Lind;35")[0] == [15_00]


def test_only_payments_between_players_of_the_event_move(made, actor):
    ann, bo = players(made)
    row = pay(made.event, ann, 20_00, actor)
    elsewhere = stories.tournament(actor)
    stranger = enter(elsewhere, actor, "Cleo Marsh").player_id
    assert refusal(move_payment, made.event, row.pk, ann, actor) == "payment-is-theirs"
    charge = LedgerTransaction.objects.filter(event=made.event, deed="charge").first()
    for transaction, player in ((row.pk, stranger), (charge.pk, bo), (2**70, bo)):
        with pytest.raises(NotFound):
            move_payment(made.event, transaction, player, actor)
        with pytest.raises(NotFound):
            find_payment(elsewhere.event if transaction == row.pk else made.event, transaction)
    payments.undo_payment(made.event, row.pk, actor)
    assert refusal(move_payment, made.event, row.pk, bo, actor) == "reversed-already"
    assert owed(made) == [20_00, 20_00]
