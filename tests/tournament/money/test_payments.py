"""Fees of a tournament, and payments at the cash desk."""

from copy import deepcopy
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.money.stories import change_event_fees, change_fees, new_payment, pay
from tests.tournament.refusals import refusal
from tournament.entries import attendance, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin, setup
from tournament.fees.amounts import Amount
from tournament.fees.schedule import EventFees, Fee, FeeSchedule, Share, Target
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry, LedgerTransaction
from tournament.money import fees, payments
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list, last_payments, totals_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club_night_of_module(actor_of_module):
    """A tournament whose entries are charged 25 EUR each."""
    made = stories.entered(actor_of_module, 4)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00), Fee(5_00)), actor_of_module)
    made.refresh_from_db()
    return made


@pytest.fixture
def club_night(db, club_night_of_module):
    return deepcopy(club_night_of_module)


def lines_of(made):
    return {line.player.pk: line for line in cash_desk_list(made.event)}


def test_whoever_enters_is_charged_and_the_desk_shows_what_is_open(club_night, actor):
    registration.enter(club_night.pk, EntryDetails(PlayerDetails("Late Comer")), actor)
    [totals] = totals_of(cash_desk_list(club_night.event))
    assert totals[:3] == (Amount(125_00, "EUR"), Amount(0, "EUR"), Amount(125_00, "EUR"))


def test_a_partial_payment_leaves_the_rest_open_and_taking_it_back_all(club_night, actor):
    player = club_night.entries.first().player_id
    row = pay(club_night.event, player, 10_00, actor)
    assert open_amounts(club_night.event_id, [player]) == {player: {"EUR": 15_00}}
    assert lines_of(club_night)[player].paid == (Amount(10_00, "EUR"),)
    payments.undo_payment(club_night.event, row.pk, actor)
    assert lines_of(club_night)[player].paid == ()
    assert refusal(payments.undo_payment, club_night.event, row.pk, actor) == "reversed-already"


def test_a_repeated_request_records_one_payment(club_night, actor):
    player, paid = club_night.entries.first().player_id, new_payment(25_00)
    first = payments.take_payment(club_night.event, player, paid, actor)
    assert payments.take_payment(club_night.event, player, paid, actor) == first
    assert lines_of(club_night)[player].has_paid
    assert [line.amount for line in last_payments(club_night.event)] == [Amount(25_00, "EUR")]
    other = club_night.entries.last().player_id
    for another in ((player, replace(paid, amount=Amount(20_00, "EUR"))), (other, paid)):
        assert refusal(payments.take_payment, club_night.event, *another, actor) == "key-reused"
    payments.undo_payment(club_night.event, first.pk, actor)
    assert refusal(payments.take_payment, club_night.event, player, paid, actor) == "key-reused"


def test_a_new_schedule_posts_the_differences_and_keeps_what_was_paid(club_night, actor):
    player = club_night.entries.first().player_id
    pay(club_night.event, player, 25_00, actor)
    change = change_fees(club_night, FeeSchedule("EUR", Fee(15_00), Fee(5_00)), actor)
    assert [row.amounts for row in change.differences] == [[Amount(-5_00, "EUR")]] * 4
    assert open_amounts(club_night.event_id, [player]) == {player: {"EUR": -5_00}}


def test_an_entry_is_removed_with_its_charges_unless_it_has_paid(club_night, actor):
    first, second = club_night.entries.all()[:2]
    registration.remove(second, actor)
    assert totals_of(cash_desk_list(club_night.event))[0][0] == Amount(75_00, "EUR")
    pay(club_night.event, first.player_id, 25_00, actor)
    assert refusal(registration.remove, first, actor) == "has-paid"
    pay(club_night.event, first.player_id, -25_00, actor)
    registration.remove(first, actor)
    assert LedgerTransaction.objects.filter(entry=first.pk).count() == 0


def test_selected_players_pay_all_that_is_open(club_night, actor):
    players = [entry.player_id for entry in club_night.entries.all()]
    shown = open_amounts(club_night.event_id, players)
    with CaptureQueriesContext(connection) as statements:
        rows = payments.pay_open_amounts(club_night.event, shown, AccountKind.CASH, actor)
    assert (len(rows), len(statements) < 30) == (4, True)
    assert open_amounts(club_night.event_id, players) == {}
    assert last_payments(club_night.event)[0].player
    work = payments.pay_open_amounts
    assert refusal(work, club_night.event, shown, AccountKind.CASH, actor) == "open-amount-changed"


def test_a_button_pays_only_the_amount_that_it_shows(club_night, actor):
    player = club_night.entries.first().player_id
    tap = replace(new_payment(25_00), expected=25_00)
    pay(club_night.event, player, 10_00, actor)
    assert refusal(payments.take_payment, club_night.event, player, tap, actor) == "open-amount-changed"


def test_what_is_unusual_is_confirmed(club_night, actor):
    player = club_night.entries.first().player_id
    for minor, currency, code in (
        (25_01, "EUR", "payment-above-debt"),
        (1, "USD", "payment-without-rate"),
        (-1, "EUR", "till-too-low"),
    ):
        unusual = replace(new_payment(minor, currency), above_debt=False, above_till=False)
        assert refusal(payments.take_payment, club_night.event, player, unusual, actor) == code
    pay(club_night.event, player, 30_00, actor)
    refund = replace(new_payment(-5_01), above_claim=False)
    assert refusal(payments.take_payment, club_night.event, player, refund, actor) == "refund-above-claim"
    payments.take_payment(club_night.event, player, replace(refund, amount=Amount(-5_00, "EUR")), actor)


def test_a_refund_of_a_removed_player_is_not_taken_back(club_night, actor):
    entry = club_night.entries.first()
    pay(club_night.event, entry.player_id, 5_00, actor)
    row = pay(club_night.event, entry.player_id, -5_00, actor)
    registration.remove(entry, actor)
    assert refusal(payments.undo_payment, club_night.event, row.pk, actor) == "player-is-gone"


def test_an_entry_is_paid_exactly_while_its_player_owes_nothing(club_night, actor):
    entry = club_night.entries.first()

    def is_paid():
        entry.refresh_from_db()
        return entry.is_paid

    states = [is_paid()]
    row = pay(club_night.event, entry.player_id, 25_00, actor)
    states.append(is_paid())
    change_fees(club_night, FeeSchedule("EUR", Fee(30_00)), actor)
    states.append(is_paid())
    change_fees(club_night, FeeSchedule("EUR", Fee(20_00)), actor)
    states.append(is_paid())
    payments.undo_payment(club_night.event, row.pk, actor)
    assert [*states, is_paid()] == [False, True, False, True, False]


def test_the_list_of_entries_takes_no_payments_once_fees_are_set(club_night, actor):
    entry = club_night.entries.first()
    assert refusal(attendance.mark_paid, entry, actor, paid=True) == "paid-at-cash-desk"
    details = registration.details_of(entry)
    registration.change(entry, replace(details, is_paid=True), actor)
    entry.refresh_from_db()
    assert not entry.is_paid


def test_without_fees_nobody_owes_the_former_fees(actor):
    made = stories.entered(actor, 2)
    players = [entry.player_id for entry in made.entries.all()]
    fees.set_event_fees(made.event, EventFees("EUR", Fee(10_00)), actor)
    change_event_fees(made.event, EventFees("EUR"), actor)
    assert open_amounts(made.event_id, players) == {}
    assert differences_in_books(made.event) == []


def test_event_fees_are_charged_once_with_an_entry_that_plays(actor):
    made = stories.entered(actor, 2)
    first, second = made.entries.select_related("player").order_by("entered_at")
    registration.withdraw(first, actor)
    other, binned = (
        setup.create_tournament(made.event, setup.TournamentPlan(name, PRESETS["tournament"], (3,)), actor)
        for name in ("Second", "Binned")
    )
    again = Entry(tournament=other, player=first.player, entered_at=second.entered_at)
    unseen = Entry(tournament=binned, player=second.player, entered_at=first.entered_at)
    Entry.objects.bulk_create([again, unseen])
    recycle_bin.delete_tournament(binned, actor)
    change = fees.set_event_fees(made.event, EventFees("EUR", Fee(10_00)), actor)
    charged = {row.entry.tournament_id: row.amounts for row in change.differences}
    assert charged == {made.pk: [Amount(10_00, "EUR")], other.pk: [Amount(10_00, "EUR")]}
    registration.unwithdraw(first, actor)
    assert open_amounts(made.event_id, [first.player_id]) == {first.player_id: {"EUR": 10_00}}


def test_a_preview_confirms_only_what_it_showed(club_night, actor):
    ten, ninety = (
        FeeSchedule("EUR", Fee(20_00), Fee(5_00), shares=(Share(Target.FEDERATION, percent),))
        for percent in (10_00, 90_00)
    )
    shown = fees.preview_schedule(club_night, ten).digest
    for confirmed in (shown, ""):
        assert refusal(fees.set_schedule, club_night.pk, ninety, actor, confirmed) == "fees-not-confirmed"
    fees.set_event_fees(club_night.event, EventFees("EUR", Fee(5_00)), actor)
    of_event = EventFees("EUR", Fee(10_00))
    shown_of_event = fees.preview_event_fees(club_night.event, of_event).digest
    registration.enter(club_night.pk, EntryDetails(PlayerDetails("Late Comer")), actor)
    assert refusal(fees.set_schedule, club_night.pk, ten, actor, shown) == "fees-not-confirmed"
    for confirmed in (shown_of_event, ""):
        assert refusal(fees.set_event_fees, club_night.event, of_event, actor, confirmed) == (
            "fees-not-confirmed"
        )


def test_first_fees_are_confirmed_if_somebody_who_is_charged_has_paid(club_night, actor):
    pay(club_night.event, club_night.entries.first().player_id, 25_00, actor)
    first = EventFees("EUR", Fee(7_00))
    assert refusal(fees.set_event_fees, club_night.event, first, actor) == "fees-not-confirmed"
    assert len(change_event_fees(club_night.event, first, actor).differences) == 4
    ticked = stories.entered(actor, 2)
    attendance.mark_paid(ticked.entries.first(), actor, paid=True)
    schedule = FeeSchedule("EUR", Fee(20_00))
    assert refusal(fees.set_schedule, ticked.pk, schedule, actor) == "fees-not-confirmed"
    assert len(change_fees(ticked, schedule, actor).differences) == 2


def test_first_fees_of_the_event_are_not_confirmed_beside_a_free_tournament(actor):
    made = stories.entered(actor, 2)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(0)), actor)
    assert made.entries.filter(is_paid=True).count() == 2
    assert len(fees.set_event_fees(made.event, EventFees("EUR", Fee(7_00)), actor).differences) == 2


def test_entries_of_a_restored_tournament_pay_the_fees_of_the_event(actor):
    made = stories.entered(actor, 1)
    player = made.entries.get().player_id
    recycle_bin.delete_tournament(made, actor)
    assert fees.set_event_fees(made.event, EventFees("EUR", Fee(10_00)), actor).differences == []
    recycle_bin.restore_tournament(made, actor)
    assert open_amounts(made.event_id, [player]) == {player: {"EUR": 10_00}}
