"""Receipts: what they say, who reads them, and numbers without gaps."""

from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tests.tournament.races import at_once
from tests.tournament.refusals import refusal
from tournament.events import recycle_bin
from tournament.fees.amounts import Amount
from tournament.fees.exchange import RATE_UNIT, Rate
from tournament.fees.schedule import Fee, FeeSchedule, Share, SidePool, Target
from tournament.ledger.balances import open_amounts
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, CashClosing, Receipt
from tournament.money import fees, payments, payouts, rates, receipts, tills
from tournament.money.tills import Count
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import last_payments
from tournament.queries.money.receipts import find_receipt, receipt_for_payer
from tournament.queries.money.tills import find_till
from tournament.runtime.errors import NotFound

HOUSE = Share(Target.REGISTRATION, percent=10_00)


def club_night(actor, entries=2):
    made = stories.entered(actor, entries)
    pools = (SidePool("1", "=HYPERLINK(1)", Fee(15_00)),)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00), Fee(5_00), shares=(HOUSE,), pools=pools), actor)
    return made


def take(made, minor, actor, player=0, **more):
    """Takes a payment of the first player, or of the one with this number."""
    player_id = made.entries.order_by("pk")[player].player_id
    return pay(made.event, player_id, minor, actor, **more)


def lines_of(made, receipt):
    return [(text, amount.minor) for text, amount in find_receipt(made.event, receipt.pk).lines]


@pytest.mark.django_db
def test_a_receipt_names_what_it_pays_and_its_lines_add_up_to_the_payment(actor):
    made = club_night(actor)
    first, second = take(made, 10_00, actor), take(made, 20_00, actor)
    receipt = receipts.issue_receipt(made.event, first.pk, actor)
    assert receipts.issue_receipt(made.event, first.pk, actor) == receipt
    charges = [(f"Entry fee · {made.name}", 20_00), (f"Registration · {made.name}", 5_00)]
    assert lines_of(made, receipt) == [*charges, ("Not paid yet", -15_00)]
    receipt = receipts.issue_receipt(made.event, second.pk, actor)
    assert lines_of(made, receipt) == [*charges, ("Paid before", -10_00), ("Paid in advance", 5_00)]
    refund = receipts.issue_receipt(made.event, take(made, -5_00, actor).pk, actor)
    assert (refund.amount, lines_of(made, refund)) == (-5_00, [("Refund", -5_00)])
    assert [row.number for row in Receipt.objects.order_by("number")] == [1, 2, 3]


@pytest.mark.django_db
def test_a_payment_that_is_taken_back_leaves_its_receipt_and_a_counter_receipt(actor):
    made = club_night(actor)
    first, second = take(made, 25_00, actor), take(made, 25_00, actor, player=1)
    receipt = receipts.issue_receipt(made.event, first.pk, actor)
    payments.undo_payment(made.event, first.pk, actor, "Paid twice")
    payments.undo_payment(made.event, second.pk, actor)
    counter = Receipt.objects.get(cancels=receipt)
    assert (counter.number, counter.amount) == (2, -25_00)
    assert find_receipt(made.event, counter.pk).reason == "Paid twice"
    assert find_receipt(made.event, receipt.pk).cancelled_by == receipts.number_of(counter)
    assert Receipt.objects.count() == 2
    assert refusal(receipts.issue_receipt, made.event, second.pk, actor) == "reversed-already"


@pytest.mark.django_db
def test_many_payments_and_payouts_are_taken_back_with_few_statements(actor):
    made = club_night(actor, 8)
    rows = [take(made, 30_00, actor, player=number) for number in range(8)]
    claims = open_amounts(made.event_id, [entry.player_id for entry in made.entries.all()])
    payouts_made = payouts.pay_out_all(made.event, claims, AccountKind.CASH, actor)
    for row in (*rows, *payouts_made):
        receipts.issue_receipt(made.event, row.pk, actor)
    payments.undo_payment(made.event, rows[0].pk, actor)
    for undo, undone, count in ((payments.undo_payments, rows, 7), (payouts.undo_payouts, payouts_made, 8)):
        ids = [row.pk for row in undone]
        with CaptureQueriesContext(connection) as statements:
            reversals = undo(made.event, ids, actor)
        assert (len(reversals), len(statements) < 40) == (count, True)
        assert refusal(undo, made.event, ids, actor) == "reversed-already"
    assert Receipt.objects.filter(cancels__isnull=False).count() == 16
    assert receipts.faults_of_numbers() == differences_in_books(made.event) == []
    assert [row.player for row in last_payments(made.event)] == []


@pytest.mark.django_db
def test_a_receipt_of_another_currency_names_both_amounts(actor):
    made = club_night(actor)
    rates.set_rate(made.event, Rate("EUR", "SEK", 10 * RATE_UNIT), actor)
    receipt = receipts.issue_receipt(
        made.event, take(made, 250_00, actor, currency="SEK", open_currency="EUR").pk, actor
    )
    page = find_receipt(made.event, receipt.pk)
    assert (page.amount, page.credited) == (Amount(250_00, "SEK"), Amount(25_00, "EUR"))


@pytest.mark.django_db
def test_only_the_key_of_the_receipt_opens_it_for_the_payer(actor, client):
    made = club_night(actor)
    row = receipts.issue_receipt(made.event, take(made, 25_00, actor).pk, actor)
    other = receipts.issue_receipt(made.event, take(made, 25_00, actor, player=1).pk, actor)

    def status(key):
        return client.get(reverse("payer-receipt", args=[row.pk, key])).status_code

    assert [status(receipts.key_of(row)), status(receipts.key_of(other)), status("é")] == [200, 404, 404]
    client.force_login(actor.user)
    later = reverse("issue-receipt", args=[made.event.slug, take(made, 1_00, actor).pk])
    name = made.entries.order_by("pk")[0].player.registered_name
    found = client.get(reverse("receipts", args=[made.event.slug]), {"find": name}).content.decode()
    assert later in found
    sheet = client.get(reverse("receipt", args=[made.event.slug, row.pk])).content.decode()
    assert receipts.key_of(row) in sheet


@pytest.mark.django_db
def test_a_failed_transaction_leaves_no_gap_and_no_number_is_used_twice(actor):
    made = club_night(actor)
    first, second = take(made, 10_00, actor), take(made, 15_00, actor)
    with transaction.atomic():
        receipts.issue_receipt(made.event, first.pk, actor)
        transaction.set_rollback(True)
    row = receipts.issue_receipt(made.event, second.pk, actor)
    assert (row.number, receipts.missing_numbers(row.year)) == (1, [])
    with pytest.raises(IntegrityError), transaction.atomic():
        Receipt.objects.create(
            year=row.year, number=1, issued_at=row.issued_at, amount=1, currency="EUR", organizer="X"
        )


@pytest.mark.django_db(transaction=True)
def test_receipts_of_several_events_at_once_have_numbers_without_gaps():
    owners = [stories.director(f"owner {number}") for number in range(3)]
    nights = [club_night(owner, 4) for owner in owners]
    rows = [
        [take(made, 25_00, owner, player=n) for n in range(4)]
        for made, owner in zip(nights, owners, strict=True)
    ]

    def issue(number):
        for row in rows[number]:
            receipts.issue_receipt(nights[number].event, row.pk, owners[number])

    at_once(*[partial(issue, number) for number in range(3)])
    year = Receipt.objects.values_list("year", flat=True)[0]
    assert sorted(Receipt.objects.values_list("number", flat=True)) == list(range(1, 13))
    assert receipts.missing_numbers(year) == []


@pytest.mark.django_db
def test_receipts_stay_when_their_event_is_removed_and_closings_go(actor):
    made = club_night(actor)
    receipt = receipts.issue_receipt(made.event, take(made, 25_00, actor).pk, actor)
    till = find_till(made.event, till_of(actor), "EUR")
    count = Count(20_00, till.last_transfer, "Ana", "Lost")
    tills.close_till(made.event, till_of(actor), "EUR", count, actor)
    recycle_bin.delete_event(made.event, actor, with_money=True)
    with pytest.raises(NotFound):
        receipt_for_payer(receipt.pk, receipts.key_of(receipt))
    recycle_bin.remove_event(made.event)
    receipt.refresh_from_db()
    assert (receipt.event, receipt.transaction, receipts.missing_numbers(receipt.year)) == (None, None, [])
    assert not CashClosing.objects.exists()
