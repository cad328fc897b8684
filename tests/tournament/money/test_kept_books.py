"""Books in archives, in copies of events, in the bin, and after personal data are removed."""

import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from tests.tournament import stories
from tests.tournament.money.stories import change_event_fees, change_fees, pay
from tests.tournament.refusals import refusal
from tournament.entries import choices, personal_data, registration
from tournament.events import copying, recycle_bin, setup
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Condition, EventFees, Fee, FeeChoices, FeeSchedule, SidePool
from tournament.ledger.balances import balances_of
from tournament.ledger.labels import BookLabels
from tournament.models import (
    AccountKind,
    Calcutta,
    CalcuttaBid,
    CalcuttaLot,
    CalcuttaShare,
    Deed,
    Event,
    LedgerAccount,
    LedgerTransaction,
    Player,
    Transfer,
)
from tournament.money import calcutta, fees, payouts, receipts
from tournament.money.awards import award_prizes
from tournament.money.calcutta import Buyer, ExpectedLot, Terms, state_of
from tournament.money.payouts import NewPayout
from tournament.queries.entries.personal_data import personal_data as data_of
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list, last_payments
from tournament.queries.money.receipts import find_receipt
from tournament.runtime.errors import NotFound

SCHEDULE = FeeSchedule(
    "EUR", Fee(20_00, {Condition.MEMBER: 10_00}), Fee(5_00), pools=(SidePool("1", "Pool 1", Fee(15_00)),)
)


@pytest.fixture
def made(db):
    """Two players who are charged 35 EUR, of whom the first has paid 25."""
    actor = stories.director()
    made = stories.entered(actor, 2)
    first = made.entries.earliest("entered_at")
    fees.set_schedule(made.pk, SCHEDULE, actor)
    fees.set_event_fees(made.event, EventFees("EUR", Fee(10_00)), actor)
    made.owner, made.first = actor, first.player
    pay(made.event, made.first.pk, 25_00, made.owner)
    made.refresh_from_db()
    return made


def sell_first_player(made):
    """To a buyer without an entry, after a bid of the second player."""
    first, second = made.entries.order_by("entered_at")
    calcutta.set_terms(made.pk, Terms("EUR", 1_00, 1_00, 10_00, (100,)), made.owner)
    calcutta.add_lots(made.pk, [[first.pk]], made.owner)
    lot = CalcuttaLot.objects.get()
    for buyer, minor in ((Buyer(second.player_id), 1_00), (Buyer(None, "Guest"), 50_00)):
        calcutta.bid(made.pk, ExpectedLot(lot.pk, state_of(lot)), buyer, minor, made.owner)
    calcutta.sell(made.pk, ExpectedLot(lot.pk, state_of(lot)), made.owner)
    return second.player, Player.objects.get(name="Guest")


def balances(event):
    return balances_of(LedgerAccount.objects.filter(event=event))


@pytest.mark.django_db(transaction=True)
def test_an_archive_brings_back_the_books_and_their_triggers(made, tmp_path):
    sell_first_player(made)
    receipt = receipts.issue_receipt(
        made.event, LedgerTransaction.objects.get(deed=Deed.PAYMENT).pk, made.owner
    )
    event, before = made.event, balances(made.event)
    auction = stored_auction()
    fields = list(Event.objects.filter(pk=event.pk).values("fees", "organizer", "tournaments__fees"))
    call_command("backup", str(tmp_path / "archive"))
    call_command("flush", interactive=False, verbosity=0)
    call_command("restore", str(tmp_path / "archive"))
    assert balances(event) == before != {}
    assert (differences_in_books(event), stored_auction()) == ([], auction)
    assert list(Event.objects.filter(pk=event.pk).values("fees", "organizer", "tournaments__fees")) == fields
    with pytest.raises(DatabaseError, match="ledger_is_never_changed"), transaction.atomic():
        Transfer.objects.update(amount=1)
    player = Player.objects.latest("pk")
    row = pay(event, player.pk, 1_00, made.owner, method=AccountKind.BANK)
    assert receipts.issue_receipt(event, row.pk, made.owner).number == receipt.number + 1
    assert (differences_in_books(event), receipts.faults_of_numbers()) == ([], [])


def stored_auction():
    return [list(model.objects.values()) for model in (Calcutta, CalcuttaLot, CalcuttaBid, CalcuttaShare)]


def test_a_copy_has_the_fees_and_no_money(made):
    sell_first_player(made)
    plan = setup.EventPlan("Next year", made.event.starts_on + timedelta(days=365))
    copy = copying.copy_event(Event.objects.get(pk=made.event_id), plan, made.owner)
    assert (copy.fees, copy.organizer) == (Event.objects.get(pk=made.event_id).fees, made.event.organizer)
    assert copy.tournaments.get().fees == made.fees != {}
    assert not LedgerAccount.objects.filter(event=copy).exists()
    assert not LedgerTransaction.objects.filter(event=copy).exists()
    assert not Calcutta.objects.exclude(tournament=made).exists()


def test_bids_and_shares_are_in_the_data_of_a_person_and_only_the_price_stays(made):
    bidder, guest = sell_first_player(made)
    place = {"tournament": made.name, "lot": 1}
    documents = [data_of([player])["events"][0]["auction"] for player in (made.first, bidder, guest)]
    lot = CalcuttaLot.objects.get()
    assert documents[0] == {"lots": [place | {"sold_at": lot.sold_at}], "bids": [], "shares": []}
    assert [bid["amount"] for bid in documents[1]["bids"]] == ["1.00 EUR"]
    assert (documents[2]["bids"][0]["amount"], documents[2]["shares"]) == (
        "50.00 EUR",
        [place | {"parts": 1}],
    )
    before = balances(made.event)
    personal_data.remove([bidder, guest], made.owner)
    assert [bid.amount for bid in CalcuttaBid.objects.all()] == [50_00]
    names = {line.player.registered_name for line in cash_desk_list(made.event)}
    assert names == {made.first.registered_name, "Removed player 2", "Removed player 3"}
    owed = {line.player.pk: line.open_amounts for line in cash_desk_list(made.event)}
    assert owed[guest.pk] == (Amount(50_00, "EUR"),)
    assert balances(made.event) == before
    lot = CalcuttaLot.objects.get()
    calcutta.undo_last(made.pk, ExpectedLot(lot.pk, state_of(lot)), made.owner)
    assert not lot.bids.exists()
    assert differences_in_books(made.event) == []


def test_a_bidder_who_leaves_the_tournament_stays_as_a_buyer(made):
    bidder, _guest = sell_first_player(made)
    first, second = made.entries.order_by("entered_at")
    assert refusal(registration.remove, first, made.owner) == "entry-has-lot"
    registration.remove(second, made.owner)
    assert bidder.calcutta_bids.get().amount == 1_00
    assert differences_in_books(made.event) == []
    lot = CalcuttaLot.objects.get()
    calcutta.set_share(made.pk, ExpectedLot(lot.pk, state_of(lot)), Buyer(None, "Partner"), 1, made.owner)
    lot = CalcuttaLot.objects.get()
    calcutta.undo_last(made.pk, ExpectedLot(lot.pk, state_of(lot)), made.owner)
    change_event_fees(made.event, EventFees("EUR"), made.owner)
    change_fees(made, FeeSchedule("EUR"), made.owner)
    pay(made.event, made.first.pk, -25_00, made.owner)
    recycle_bin.delete_tournament(made, made.owner)
    for work in (calcutta.sell, calcutta.undo_last):
        with pytest.raises(NotFound):
            work(made.pk, ExpectedLot(lot.pk, state_of(lot)), made.owner)
    with pytest.raises(NotFound):
        award_prizes(made.pk, made.owner)
    recycle_bin.remove_tournament(made)
    assert not Player.objects.exists()


def test_a_tournament_with_charges_is_not_deleted_before_they_are_taken_back(made):
    assert refusal(recycle_bin.delete_tournament, made, made.owner) == "players-are-charged"
    change_event_fees(made.event, EventFees("EUR"), made.owner)
    change_fees(made, FeeSchedule("EUR"), made.owner)
    assert refusal(recycle_bin.delete_tournament, made, made.owner) == "open-amounts"
    pay(made.event, made.first.pk, -25_00, made.owner)
    recycle_bin.delete_tournament(made, made.owner)
    pay(made.event, made.first.pk, 5_00, made.owner)
    recycle_bin.remove_tournament(made)
    assert [row.open_amounts for row in cash_desk_list(made.event)] == [(Amount(-5_00, "EUR"),)]
    assert sum(balances(made.event).values()) == 0
    assert differences_in_books(made.event) == []
    event = made.event
    recycle_bin.delete_event(event, made.owner, with_money=True)
    recycle_bin.remove_event(event)
    assert not Transfer.objects.exists()


def test_the_books_stay_without_the_name_of_a_removed_player(made):
    player, entry = made.first, made.entries.earliest("entered_at")
    choices.set_choices(made.pk, {entry.pk: FeeChoices(frozenset({Condition.MEMBER}))}, made.owner)
    player.refresh_from_db()
    before = balances(made.event)
    document = data_of([player])["events"][0]
    assert [line["amount"] for line in document["money"]] == [
        "20.00 EUR",
        "5.00 EUR",
        "10.00 EUR",
        "-25.00 EUR",
        "-10.00 EUR",
    ]
    name = player.name
    payment = made.event.ledger_transactions.filter(deed="payment").earliest("pk")
    receipt = receipts.issue_receipt(made.event, payment.pk, made.owner)
    personal_data.remove([player], made.owner)
    assert balances(made.event) == before
    assert differences_in_books(made.event) == []
    label = "Removed player 1"
    labels = {row.player for row in last_payments(made.event)}
    assert label in labels
    assert find_receipt(made.event, receipt.pk).payer == label
    assert BookLabels(made.event_id).of_account(LedgerAccount.objects.get(player=player)) == label
    LedgerAccount.objects.filter(player=player).update(player=None)
    assert {row.player for row in last_payments(made.event)} == labels
    assert find_receipt(made.event, receipt.pk).payer == label
    LedgerAccount.objects.filter(pk__contains=player.pk.hex).update(player=player)
    lines = made.event.journal.values_list("reason", "before", "after")
    assert name not in str(list(lines))
    assert "member" not in str([list(lines), *Player.objects.values_list("conditions", flat=True)])
    pay(made.event, made.first.pk, 1_00, made.owner)
    payout = NewPayout(uuid.uuid4(), Amount(1_00, "EUR"), AccountKind.CASH, "M1 2L30 40")
    assert (
        refusal(payouts.pay_out, made.event, player.pk, payout, made.owner) == "signature-of-removed-player"
    )
