"""The auction of players: lots, bids and sales, what owners are charged and win, corrections, and undoing all of it."""

import random
import uuid
from dataclasses import replace

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import TERMS, expected_lot, final_of, owed, sell_lot, turn_final
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.corrections import Change
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws
from tournament.entries import late_entry, reentry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin
from tournament.fees.amounts import Amount
from tournament.ledger.accounts import pot_account
from tournament.ledger.balances import balances_of
from tournament.models import (
    AccountKind,
    Calcutta,
    CalcuttaLot,
    Entry,
    Event,
    LedgerAccount,
    LedgerTransaction,
    Player,
    ResultKind,
)
from tournament.money import calcutta, payments
from tournament.money.calcutta import Buyer
from tournament.money.calcutta_awards import award_owners
from tournament.money.payments import NewPayment
from tournament.queries.corrections.money_changes import money_changes
from tournament.queries.desk.urgent import UrgentAction, load_urgent
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list
from tournament.queries.money.payouts import payout_list
from tournament.results import desk

pytestmark = pytest.mark.django_db


def in_pot(made):
    accounts = LedgerAccount.objects.filter(event=made.event)
    return -balances_of(accounts).get(pot_account(made.pk, "calcutta", "EUR").id_in(made.event_id), 0)


def desk_actions(made):
    return [item.action for item in load_urgent(made.event, with_money=True)]


@pytest.fixture
def made(actor):
    row = stories.released(actor, 4)
    calcutta.set_terms(row.pk, TERMS, actor)
    return row


def test_the_public_list_shortens_the_name_of_a_buyer_as_the_event_does(made, actor, client):
    Event.objects.filter(pk=made.event_id).update(shows_initials=True)
    Calcutta.objects.update(is_public=True)
    sell_lot(made, actor, [entries_of(made)[0].pk], 20_00, "Erika Musterfrau")
    (owner,) = Player.objects.filter(full_name="Erika Musterfrau")
    page = client.get(reverse("auction", args=[made.event.slug, made.slug])).content.decode()
    assert owner.name in page
    assert "Musterfrau" not in page


def entries_of(made):
    return list(Entry.objects.filter(tournament=made).order_by("entered_at", "pk"))


def test_bids_rise_and_the_last_bidder_is_charged_until_the_sale_is_undone(made, actor):
    first = entries_of(made)[0]
    calcutta.add_lots(made.pk, [[first.pk]], actor)
    assert refusal(calcutta.add_lots, made.pk, [[first.pk]], actor) == "lot-not-possible"
    lot = CalcuttaLot.objects.get()
    before = expected_lot(lot)
    assert refusal(calcutta.bid, made.pk, before, Buyer(first.player_id), 9_99, actor) == "bid-too-low"
    calcutta.bid(made.pk, before, Buyer(first.player_id), 10_00, actor)
    assert refusal(calcutta.bid, made.pk, before, Buyer(None, "Guest"), 20_00, actor) == "lot-changed"
    assert (
        refusal(calcutta.bid, made.pk, expected_lot(lot), Buyer(None, "Guest"), 14_99, actor) == "bid-too-low"
    )
    calcutta.bid(made.pk, expected_lot(lot), Buyer(None, "Guest"), 20_00, actor)
    calcutta.sell(made.pk, expected_lot(lot), actor)
    assert (owed(made), in_pot(made)) == ({"Guest": 20_00}, 18_00)
    assert "Guest" in [line.player.registered_name for line in cash_desk_list(made.event)]
    assert refusal(recycle_bin.delete_tournament, made, actor) == "players-are-charged"
    assert refusal(calcutta.switch_off, made.pk, actor) == "lots-are-sold"
    calcutta.undo_last(made.pk, expected_lot(lot), actor)
    assert (owed(made), in_pot(made)) == ({}, 0)
    calcutta.undo_last(made.pk, expected_lot(lot), actor)
    assert lot.bids.get().amount == 10_00
    assert refusal(calcutta.set_terms, made.pk, replace(TERMS, currency="USD"), actor) == "bids-are-recorded"
    calcutta.bid(made.pk, expected_lot(lot), Buyer(None, "Misspelled"), 15_00, actor)
    calcutta.undo_last(made.pk, expected_lot(lot), actor)
    calcutta.bid(made.pk, expected_lot(lot), Buyer(None, "Last bidder"), 15_00, actor)
    calcutta.add_lots(made.pk, [[]], actor, is_field=True)
    calcutta.switch_off(made.pk, actor)
    assert not Player.objects.filter(entries=None).exists()
    assert differences_in_books(made.event) == []


def test_a_player_buys_half_back_and_a_syndicate_shares_the_other_half(made, actor):
    player = entries_of(made)[0]
    lot = sell_lot(made, actor, [player.pk], 100_01, "Guest")
    calcutta.set_share(made.pk, expected_lot(lot), Buyer(None, "Partner"), 1, actor)
    count, partner = LedgerTransaction.objects.count(), Player.objects.get(name="Partner").pk
    calcutta.set_share(made.pk, expected_lot(lot), Buyer(partner), 1, actor)
    assert LedgerTransaction.objects.count() == count
    assert (
        refusal(calcutta.set_share, made.pk, expected_lot(lot), Buyer(None, "Typo"), 0, actor)
        == "lot-not-possible"
    )
    calcutta.buy_back(made.pk, expected_lot(lot), player.player_id, actor)
    assert owed(made) == {"Guest": 25_00, "Partner": 25_00, player.player.name: 50_01}
    assert (
        refusal(calcutta.buy_back, made.pk, expected_lot(lot), player.player_id, actor) == "lot-not-possible"
    )
    field = sell_lot(made, actor, [], 10_00, "Other")
    other = entries_of(made)[1].player_id
    assert refusal(calcutta.buy_back, made.pk, expected_lot(field), other, actor) == "lot-not-possible"
    assert differences_in_books(made.event) == []
    recycle_bin.delete_event(made.event, actor, with_money=True)
    recycle_bin.remove_event(made.event)
    assert not Player.objects.exists()


def test_a_person_without_a_share_leaves_the_event_unless_money_was_paid(made, actor):
    lot = sell_lot(made, actor, [entries_of(made)[0].pk], 100_00, "Guest")
    calcutta.set_share(made.pk, expected_lot(lot), Buyer(None, "Partner"), 1, actor)
    calcutta.set_share(made.pk, expected_lot(lot), Buyer(None, "Typo"), 1, actor)
    people = {player.name: player.pk for player in Player.objects.filter(entries=None)}
    calcutta.set_share(made.pk, expected_lot(lot), Buyer(people["Typo"]), 0, actor)
    payment = NewPayment(uuid.uuid4(), Amount(1, "EUR"), AccountKind.CASH)
    paid = payments.take_payment(made.event, people["Guest"], payment, actor)
    assert owed(made) == {"Guest": 49_99, "Partner": 50_00}
    calcutta.undo_last(made.pk, expected_lot(lot), actor)
    calcutta.undo_last(made.pk, expected_lot(lot), actor)
    payments.undo_payment(made.event, paid.pk, actor)
    assert [player.name for player in Player.objects.filter(entries=None)] == ["Guest"]
    assert (owed(made), differences_in_books(made.event)) == ({}, [])


def test_owners_win_by_certain_places_and_a_correction_moves_their_prizes(made, actor):
    assert refusal(award_owners, made.pk, actor) == "nothing-to-award"
    winner = stories.play_out(made, actor, random.Random(1))
    assert desk_actions(made) == []
    sell_lot(made, actor, [winner.pk], 100_00, "Guest")
    sell_lot(made, actor, [], 100_00, "Field")
    assert desk_actions(made) == [UrgentAction.AWARD_OWNERS]
    award_owners(made.pk, actor)
    award_owners(made.pk, actor)
    assert desk_actions(made) == [UrgentAction.PAY_OUT]
    assert owed(made) == {"Guest": 100_00 - 126_00, "Field": 100_00 - 54_00}
    assert in_pot(made) == 0
    assert [line.prizes[0].label for line in payout_list(made.event).to_pay] == ["Auction, lot 1, place 1"]
    final = final_of(made)
    change = Change(ResultKind.WALKOVER, final.left_id if final.left_id != winner.pk else final.right_id)
    changes = money_changes(corrections.preview(final.pk, change))
    amounts = {row.player.name: (row.before.minor, row.after.minor, row.balance.minor) for row in changes}
    assert amounts == {"Field": (54_00, 126_00, -26_00), "Guest": (126_00, 54_00, 46_00)}
    turn_final(made, actor)
    assert owed(made) == {"Guest": 100_00 - 54_00, "Field": 100_00 - 126_00}
    assert desk_actions(made) == [UrgentAction.PAY_OUT]
    desk.award(final_of(made), winner.pk, ResultKind.WALKOVER, "The loser was too late.", actor)
    assert {*desk_actions(made)} == {UrgentAction.POST_OWNERS, UrgentAction.PAY_OUT}
    award_owners(made.pk, actor)
    assert owed(made) == {"Guest": 100_00 - 126_00, "Field": 100_00 - 54_00}
    assert in_pot(made) == 0
    assert differences_in_books(made.event) == []


def test_a_re_entry_of_a_sold_player_plays_for_the_owner_and_not_for_the_field(actor):
    row = stories.drawn(actor, 3, method="seeded")
    draws.release(row.pk, actor)
    calcutta.set_terms(row.pk, TERMS, actor)
    reentry.set_terms(row.pk, ReentryTerms(allowed=True), actor)
    (first,) = stories.playable(row)
    sell_lot(row, actor, [first.left_id], 100_00, "Guest")
    sell_lot(row, actor, [], 100_00, "Field")
    stories.play(first, actor, "right")
    again = reentry.re_enter(first.left, actor)
    while waiting := stories.playable(row):
        stories.play(waiting[0], actor, "left" if waiting[0].left_id == again.pk else "right")
    award_owners(row.pk, actor)
    assert owed(row) == {"Guest": 100_00 - 126_00, "Field": 100_00 - 54_00}


@pytest.mark.parametrize("is_re_entry", [False, True])
def test_with_lives_an_entry_after_the_end_makes_the_awards_of_the_owners_out_of_date(actor, is_re_entry):
    row = stories.released(actor, 2, format=Format(Kind.LIVES, lives=1))
    reentry.set_terms(row.pk, ReentryTerms(allowed=True), actor)
    calcutta.set_terms(row.pk, TERMS, actor)
    sell_lot(row, actor, [], 100_00, "Field")
    (final,) = stories.playable(row)
    stories.play(final, actor, "left")
    award_owners(row.pk, actor)
    assert UrgentAction.POST_OWNERS not in desk_actions(row)
    if is_re_entry:
        reentry.re_enter(final.right, actor)
    else:
        late_entry.enter(row.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late Comer"))), actor)
    assert UrgentAction.POST_OWNERS in desk_actions(row)
    assert differences_in_books(row.event) == []
