"""Tills of several helpers: counting their cash, and handing cash over."""

import uuid
from copy import deepcopy

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import pay
from tests.tournament.refusals import refusal
from tournament.entries import personal_data
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import balances_of
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, CashClosing, Event, LedgerAccount, LedgerTransaction, Transfer
from tournament.models.ledger import ORGANIZER_TILL
from tournament.money import fees, payments, tills
from tournament.money.tills import Count, Handover, OwnCash
from tournament.queries.journal import JournalFilter, load_journal
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.tills import find_till, list_closings, list_tills, period_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club_night_of_module(actor_of_module):
    """Four entries at 25 EUR, paid in cash: one to the owner, three to a helper."""
    made = stories.entered(actor_of_module, 4)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(25_00)), actor_of_module)
    helper = stories.helper(made.event, "cash", actor_of_module)
    takers = [actor_of_module, helper, helper, helper]
    for entry, taker in zip(made.entries.order_by("pk"), takers, strict=True):
        pay(made.event, entry.player_id, 25_00, taker)
    return made.event, actor_of_module, helper


@pytest.fixture
def club_night(db, club_night_of_module):
    return deepcopy(club_night_of_module)


def balances(event):
    rows = {till.name: till.balance.minor for till in list_tills(event)}
    assert sum(balances_of(LedgerAccount.objects.filter(event=event)).values()) == 0
    return rows


def count_of(event, holder, counted, **more):
    till = find_till(event, till_of(holder), "EUR")
    return Count(counted, till.last_transfer, **{"signed_by": "Ana", **more})


def close(event, holder, counted, **more):
    return tills.close_till(event, till_of(holder), "EUR", count_of(event, holder, counted, **more), holder)


def test_each_till_is_counted_alone_and_its_difference_is_posted(club_night):
    event, owner, helper = club_night
    assert balances(event) == {till_of(owner): 25_00, till_of(helper): 75_00}
    _take_back_one_payment_of(event, helper)
    till = find_till(event, till_of(helper), "EUR")
    assert (till.came_in.minor, till.went_out.minor) == (50_00, 0)
    pay(event, event.players.earliest("pk").pk, 25_00, helper)
    close(event, helper, 70_00, reason="Gave too much change")
    assert balances(event) == {till_of(owner): 25_00, till_of(helper): 70_00}
    short = LedgerAccount.objects.get(event=event, kind=AccountKind.OVER_SHORT)
    assert balances_of(LedgerAccount.objects.filter(pk=short.pk)) == {short.pk: 5_00}
    (closing,) = list_closings(event)
    assert (closing.expected.minor, closing.counted.minor, closing.difference.minor) == (75_00, 70_00, -5_00)
    assert find_till(event, till_of(helper), "EUR").is_counted
    _take_back_one_payment_of(event, helper)
    assert find_till(event, till_of(helper), "EUR").went_out.minor == 25_00


def test_the_sheet_of_a_count_names_what_moved_since_the_last_one(club_night):
    event, _owner, helper = club_night
    player = event.players.earliest("pk")

    def periods():
        closings = [closing for closing in list_closings(event) if closing.holder == helper.user.username]
        rows = [(closing, period_of(closing)) for closing in reversed(closings)]
        for closing, (opening, came_in, went_out) in rows:
            assert opening + came_in - went_out == closing.expected
        return [tuple(amount.minor for amount in period) for _closing, period in rows]

    wrong = pay(event, player.pk, 9_00, helper)
    payments.undo_payment(event, wrong.pk, helper)
    close(event, helper, 70_00, reason="Too much change")
    _take_back_one_payment_of(event, helper)
    mistake = close(event, helper, 60_00, reason="Counted badly")
    tills.take_count_back(event, mistake.pk, helper, "Counted badly")
    pay(event, player.pk, 5_00, helper)
    close(event, helper, 50_00)
    assert periods() == [(0, 75_00, 0), (70_00, 0, 25_00), (70_00, 5_00, 25_00)]


def _take_back_one_payment_of(event, helper):
    row = LedgerTransaction.objects.filter(
        event=event, deed="payment", journal_line__user=helper.user, reversed_by__isnull=True
    ).first()
    payments.undo_payment(event, row.pk, helper)


def test_the_same_count_is_recorded_once_and_a_count_beside_new_payments_is_refused(club_night):
    event, owner, helper = club_night
    count = count_of(event, helper, 80_00, reason="A tip")
    closing = tills.close_till(event, till_of(helper), "EUR", count, helper)
    assert tills.close_till(event, till_of(helper), "EUR", count, owner) == closing
    assert balances(event)[till_of(helper)] == 80_00
    same_cash = Count(80_00, count.last_transfer, "Ben", "A tip")
    assert refusal(tills.close_till, event, till_of(helper), "EUR", same_cash, helper) == "counted-already"
    other = Count(79_00, count.last_transfer, "Ben", "Counted again")
    assert refusal(tills.close_till, event, till_of(helper), "EUR", other, helper) == "till-changed"
    player = event.players.earliest("pk")
    signed = close(event, owner, 25_00, signed_by=f"{player.registered_name} (desk)")
    personal_data.remove([player], owner)
    signed.refresh_from_db()
    assert signed.signed_by == f"{personal_data.REMOVED} (desk)"


def test_the_last_count_is_taken_back_with_its_difference_and_the_cash_is_counted_again(club_night):
    event, owner, helper = club_night
    exact = close(event, helper, 75_00)
    short = close(event, owner, 20_00, reason="Lost a fiver")
    assert refusal(tills.take_count_back, event, exact.pk, owner, " ") == "count-undo-needs-reason"
    for closing in (exact, short):
        tills.take_count_back(event, closing.pk, owner, "Wrong name")
        assert refusal(tills.take_count_back, event, closing.pk, owner, "Again") == "reversed-already"
    assert balances(event) == {till_of(owner): 25_00, till_of(helper): 75_00}
    assert not find_till(event, till_of(owner), "EUR").is_counted
    assert find_till(event, till_of(owner), "EUR").came_in.minor == 25_00
    assert [closing.undone_because for closing in list_closings(event)] == ["Wrong name"] * 2
    again = close(event, helper, 75_00, signed_by="Ben")
    later = close(event, helper, 75_00, signed_by="Ben")
    assert again == later
    pay(event, event.players.earliest("pk").pk, 1_00, helper)
    close(event, helper, 76_00)
    assert refusal(tills.take_count_back, event, again.pk, owner, "Wrong") == "counted-since"
    assert differences_in_books(event) == []


def test_a_surplus_that_was_handed_over_is_not_taken_back(club_night):
    event, _, helper = club_night
    closing = close(event, helper, 80_00, reason="A tip")
    moved = Handover(uuid.uuid4(), till_of(helper), ORGANIZER_TILL, Amount(78_00, "EUR"))
    tills.hand_over(event, moved, helper)
    assert refusal(tills.take_count_back, event, closing.pk, helper, "Wrong") == "till-has-less"


@pytest.mark.parametrize(
    ("counted", "more", "code"),
    [
        (74_00, {}, "difference-needs-reason"),
        (-1, {"reason": "?"}, "count-is-negative"),
        (75_00, {"pieces": [(50_00, 2), (5_00, -5)]}, "count-is-negative"),
        (75_00, {"signed_by": " "}, "sign-the-count"),
    ],
)
def test_a_count_without_reason_or_signature_and_a_negative_count_are_refused(
    club_night, counted, more, code
):
    event, _, helper = club_night
    count = count_of(event, helper, counted, **more)
    assert refusal(tills.close_till, event, till_of(helper), "EUR", count, helper) == code


def test_the_database_refuses_counts_that_are_wrong(club_night):
    event, owner, helper = club_night
    close(event, helper, 75_00)
    accounts = LedgerAccount.objects.filter(event=event)
    for rows, change, constraint in (
        (CashClosing.objects, {"counted": 1}, "difference_is_posted_with_a_reason"),
        (CashClosing.objects, {"event": stories.event(owner, "Other")}, "counted_till_is_of_the_event"),
        (CashClosing.objects, {"account": accounts.filter(kind="pot").get()}, "only_a_till_is_counted"),
        (accounts, {"event": Event.objects.get(name="Other")}, "account_id_names_its_event"),
    ):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            rows.update(**change)


def test_cash_is_handed_over_once_and_a_till_gives_no_more_than_it_holds(club_night):
    event, owner, helper = club_night
    takings = Handover(uuid.uuid4(), till_of(helper), ORGANIZER_TILL, Amount(75_00, "EUR"))
    tills.hand_over(event, takings, helper)
    row = tills.hand_over(event, takings, helper)
    assert balances(event) == {till_of(owner): 25_00, till_of(helper): 0, ORGANIZER_TILL: 75_00}
    (line,) = load_journal(event, JournalFilter(verb="hand over cash")).lines
    names = ["75.00 EUR", "Organizer's cash box", helper.user.username]
    assert sorted(change.after for change in line.changes) == sorted(names)
    again = Handover(uuid.uuid4(), till_of(helper), ORGANIZER_TILL, Amount(1, "EUR"))
    assert refusal(tills.hand_over, event, again, helper) == "till-has-less"
    tills.undo_handover(event, row.pk, helper)
    assert balances(event)[till_of(helper)] == 75_00
    of_owner = Handover(uuid.uuid4(), till_of(owner), till_of(helper), Amount(5_00, "EUR"))
    assert refusal(tills.hand_over, event, of_owner, helper) == "till-of-another"
    of_helper = Handover(uuid.uuid4(), till_of(helper), till_of(owner), Amount(5_00, "EUR"))
    tills.undo_handover(event, tills.hand_over(event, of_helper, owner).pk, owner)
    change = Handover(uuid.uuid4(), ORGANIZER_TILL, till_of(helper), Amount(100_00, "EUR"))
    tills.hand_over(event, change, owner)
    assert balances(event)[ORGANIZER_TILL] == -100_00


def test_the_organizer_fills_and_empties_the_cash_box_and_counts_it(club_night, client):
    event, owner, helper = club_night
    client.force_login(helper.user)
    cash = {"key": uuid.uuid4(), "amount": "50", "currency": "EUR", "reason": "Change", "direction": "in"}
    for _again in range(2):
        assert client.post(reverse("own-cash", args=[event.slug]), cash).status_code == 302
    assert balances(event)[ORGANIZER_TILL] == 50_00
    more = {"key": uuid.uuid4(), "amount": "60", "direction": "out"}
    for wrong in (more, more | {"amount": "0"}, more | {"amount": "1", "reason": " "}):
        assert client.post(reverse("own-cash", args=[event.slug]), cash | wrong).status_code == 422
    count = Count(50_00, find_till(event, ORGANIZER_TILL, "EUR").last_transfer, "Ana")
    tills.close_till(event, ORGANIZER_TILL, "EUR", count, owner)
    row = tills.move_own_cash(event, OwnCash(uuid.uuid4(), Amount(-20_00, "EUR"), "Bank"), owner)
    page = client.get(reverse("tills", args=[event.slug])).content.decode()
    assert "€20 taken out" in page
    tills.undo_own_cash(event, row.pk, owner)
    assert (balances(event)[ORGANIZER_TILL], differences_in_books(event)) == (50_00, [])
    own_money = LedgerAccount.objects.get(event=event, kind=AccountKind.OWN_MONEY)
    other = LedgerAccount.objects.get(event=event, kind=AccountKind.CASH, name=till_of(helper))
    with pytest.raises(IntegrityError, match="own_money_moves_by_the_cash_box"), transaction.atomic():
        Transfer.objects.create(transaction=row, line="?", source=own_money, target=other, amount=1)


def test_the_desk_counts_a_till_by_notes_and_coins_and_prints_the_sheet(club_night, client):
    event, _, helper = club_night
    client.force_login(helper.user)
    assert helper.user.username in client.get(reverse("tills", args=[event.slug])).content.decode()
    address = reverse("count-till", args=[event.slug, "EUR", till_of(helper)])
    hidden = {"last_transfer": find_till(event, till_of(helper), "EUR").last_transfer}
    signed = {**hidden, "signed_by": "=1+1", "piece_5000": "1", "piece_2000": "1"}
    for wrong in (
        {},
        {"reason": " "},
        {"piece_500": "-1"},
        {"other": "-5"},
        {"other": "x"},
        {"reason": "x" * 201},
        {"reason": "?", "last_transfer": 2**70},
    ):
        assert client.post(address, {**signed, **wrong}).status_code == 422
    shown = {**hidden, "piece_5000": "1", "piece_2000": "1", "other": "0.50", "preview": "on"}
    total = " ".join(client.post(address, shown).content.decode().split())
    for sentence in ("<bdi>1 × €50 = €50</bdi>", "<dd>€70.50</dd>", "<dd>-€4.50</dd>"):
        assert sentence in total
    assert client.post(address, {**shown, "other": "x"}).status_code == 422
    assert not CashClosing.objects.exists()
    sheet = client.post(address, {**signed, "reason": "Lost a fiver"}, follow=True)
    assert "=1+1" in sheet.content.decode()
    closing = CashClosing.objects.get()
    assert (closing.counted, closing.pieces) == (70_00, [[50_00, 1], [20_00, 1]])
    assert LedgerTransaction.objects.filter(closing=closing).count() == 1
    undo = reverse("undo-count", args=[event.slug, closing.pk])
    client.post(undo, {"reason": " "})
    assert find_till(event, till_of(helper), "EUR").is_counted
    page = client.post(undo, {"reason": "Signed by another"}, follow=True).content.decode()
    assert "This count was taken back: <bdi>Signed by another</bdi>" in page
    assert "Take the count back" not in page
    assert not find_till(event, till_of(helper), "EUR").is_counted
