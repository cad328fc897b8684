"""One person in several tournaments of an event is one player: found, split and merged, with the books."""

import random
import uuid
from copy import deepcopy
from dataclasses import replace

import pytest
from django.urls import reverse

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.money.stories import (
    agree,
    change_event_fees,
    change_fees,
    enter,
    final_of,
    new_payment,
    pay,
    sums_to_zero,
    take_in,
    turn_final,
    with_pot,
)
from tests.tournament.refusals import refusal
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin, setup
from tournament.fees.amounts import Amount
from tournament.fees.bank_statement import IncomingPayment
from tournament.fees.schedule import Condition, EventFees, Fee, FeeChoices, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry, LedgerTransaction, PayoutSignature, Player, Role
from tournament.money import awards, bank_statement, fees, payments, payouts, player_merging, receipts
from tournament.money.payouts import NewPayout
from tournament.prizes.structure import Part, PrizeStructure
from tournament.queries.entries.people import players_of_event
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.cash_desk import cash_desk_list
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.player_statement import player_statement
from tournament.queries.money.receipts import list_receipts
from tournament.runtime.errors import Denied

pytestmark = pytest.mark.django_db


def side_of(made, actor, price=20_00):
    """Another tournament of the event, with an entry fee."""
    side = setup.create_tournament(
        made.event, setup.TournamentPlan("Side", PRESETS["tournament"], (3,)), actor
    )
    fees.set_schedule(side.pk, FeeSchedule("EUR", Fee(price)), actor)
    side.refresh_from_db()
    return side


@pytest.fixture(scope="module")
def main_of_module(actor_of_module):
    """Two players, each charged 7 EUR once in the event."""
    made = stories.tournament(actor_of_module)
    fees.set_event_fees(made.event, EventFees("EUR", Fee(7_00)), actor_of_module)
    enter(made, actor_of_module, "Ann Berg", club="North")
    enter(made, actor_of_module, "Bo Lind")
    made.refresh_from_db()
    return made


@pytest.fixture
def main(db, main_of_module):
    return deepcopy(main_of_module)


def owed(event, *entries):
    players = [entry.player_id for entry in entries]
    amounts = open_amounts(event.pk, players)
    return [amounts.get(player, {}).get("EUR", 0) for player in players]


def test_a_typed_name_of_one_player_of_the_event_is_that_player(main, actor):
    ann, side = main.entries.get(player__name="Ann Berg"), side_of(main, actor)
    for typed, is_same in (
        ({"name": "ANN  Berg"}, True),
        ({"name": "Ann Berg", "club": "north"}, True),
        ({"name": "Ann Berg", "club": "South"}, False),
        ({"name": "Ann Berg", "is_new_person": True}, False),
        ({"name": "Anna Berg"}, False),
    ):
        with stories.rolled_back():
            entry = enter(side, actor, **typed)
            assert (entry.player_id == ann.player_id) is is_same, typed
            assert owed(main.event, entry) == [27_00]
            assert differences_in_books(main.event) == []


def test_a_person_chooses_between_namesakes(main, actor):
    side = side_of(main, actor)
    second = enter(main, actor, "Ann Berg", club="South")
    assert refusal(enter, side, actor, "Ann Berg") == "several-people"
    details = EntryDetails(PlayerDetails("Ann Berg"))
    assert {row.club for row in registration.candidates(side, details)} == {"North", "South"}
    assert enter(side, actor, "Ann Berg", player_id=second.player_id).player_id == second.player_id
    assert refusal(enter, side, actor, "Ann Berg") == "several-people"
    assert enter(side, actor, "Ann Berg", is_new_person=True, country="DEU").player.country == "DEU"


def test_an_entry_is_split_off_with_its_charges_and_payments_stay(main, actor):
    side, ann = side_of(main, actor), main.entries.get(player__name="Ann Berg")
    entry = enter(side, actor, "Ann Berg")
    pay(main.event, ann.player_id, 27_00, actor)
    player_merging.split_off_entry(entry, actor, "Ann Berg of the South")
    entry.refresh_from_db()
    assert owed(main.event, ann, entry) == [-20_00, 27_00]
    assert differences_in_books(main.event) == []
    assert main.event.journal.get(verb="split entry").reason == "Ann Berg of the South"
    assert refusal(player_merging.split_off_entry, entry, actor) == "not-two-people"


def merge_both(event, player, other, actor):
    preview = player_merging.preview_merge(event, player, other, actor)
    return player_merging.merge_players(event, player, other, actor, preview.digest)


def test_merged_players_pay_once_and_keep_what_both_paid(main, actor):
    side, ann = side_of(main, actor), main.entries.get(player__name="Ann Berg")
    other = enter(side, actor, "Ann Berg", is_new_person=True)
    former = other.player_id
    paid = new_payment(27_00)
    row = payments.take_payment(main.event, former, paid, actor)
    receipts.issue_receipt(main.event, row.pk, actor)
    merge = merge_both(main.event, ann.player_id, former, actor)
    assert [row.amounts for row in merge.differences] == [[Amount(-7_00, "EUR")]]
    assert (merge.after, merge.receipts) == ((), 1)
    other.refresh_from_db()
    assert other.player_id == ann.player_id
    assert not Player.objects.filter(pk=former).exists()
    [line] = [line for line in cash_desk_list(main.event) if line.player.pk == ann.player_id]
    assert (line.charged, line.paid) == ((Amount(27_00, "EUR"),), (Amount(27_00, "EUR"),))
    assert [page.payer for page in list_receipts(main.event)] == ["Ann Berg", "Ann Berg"]
    assert differences_in_books(main.event) == []
    assert sums_to_zero(side)


def test_a_merge_shows_what_it_changes_and_changes_nothing_before(main, actor):
    side, ann = side_of(main, actor), main.entries.get(player__name="Ann Berg")
    other = enter(side, actor, "Ann Berg", is_new_person=True)
    shown = player_merging.preview_merge(main.event, ann.player_id, other.player_id, actor)
    assert (shown.after, owed(main.event, ann, other)) == ((Amount(27_00, "EUR"),), [7_00, 27_00])
    pay(main.event, ann.player_id, 7_00, actor)
    work = player_merging.merge_players
    assert refusal(work, main.event, ann.player_id, other.player_id, actor, shown.digest) == "merge-changed"
    bo = main.entries.get(player__name="Bo Lind")
    assert (
        refusal(player_merging.preview_merge, main.event, ann.player_id, bo.player_id, actor)
        == "both-entered"
    )


def test_a_merge_is_refused_by_a_tournament_in_the_bin_only_if_both_are_in_it(main, actor):
    shared, side = (
        setup.create_tournament(main.event, setup.TournamentPlan(name, PRESETS["tournament"], (3,)), actor)
        for name in ("Shared", "Side")
    )
    ann = main.entries.get(player__name="Ann Berg")
    other = enter(side, actor, "Ann Berg", is_new_person=True)
    enter(shared, actor, "Ann Berg", player_id=other.player_id)
    both = enter(shared, actor, "Ann Berg", player_id=ann.player_id)
    change_event_fees(main.event, EventFees("EUR"), actor)
    recycle_bin.delete_tournament(shared, actor)
    merge = (main.event, ann.player_id, other.player_id, actor)
    assert refusal(player_merging.preview_merge, *merge) == "both-in-bin"
    assert players_of_event(main.event)[other.player_id].tournaments == ("Side",)
    recycle_bin.restore_tournament(shared, actor)
    registration.remove(both, actor)
    recycle_bin.delete_tournament(shared, actor)
    merge_both(*merge)
    assert {entry.tournament.name for entry in ann.player.entries.all()} == {"Open", "Side", "Shared"}


def test_prizes_and_payouts_follow_the_merged_player(actor):
    made = with_pot(stories.released(actor, 4), actor)
    stories.play_out(made, actor, random.Random(1))
    winner = Entry.objects.select_related("player").get(pk=final_of(made).winner_id)
    awards.award_prizes(made.pk, actor)
    payout = NewPayout(uuid.uuid4(), Amount(50_00, "EUR"), AccountKind.CASH, "M1 1L2 2")
    payouts.pay_out(made.event, winner.player_id, payout, actor)
    other = enter(side_of(made, actor), actor, winner.player.name, is_new_person=True)
    merge = merge_both(made.event, other.player_id, winner.player_id, actor)
    assert merge.after == (Amount(-10_00, "EUR"),)
    assert PayoutSignature.objects.filter(player=other.player_id).count() == 1
    assert sums_to_zero(made)
    assert player_statement(other.player).corrected == []
    turn_final(made, actor)
    assert owed(made.event, other) == [30_00]
    assert [(row.before.minor, row.now.minor) for row in player_statement(other.player).corrected] == [
        (80_00, 40_00)
    ]
    assert sums_to_zero(made)
    winner.refresh_from_db()
    new_player = player_merging.split_off_entry(winner, actor)
    winner.refresh_from_db()
    assert (winner.player_id, owed(made.event, other, winner)) == (new_player.pk, [40_00, -10_00])
    assert [player_statement(player).corrected for player in (other.player, new_player)] == [[], []]
    assert sums_to_zero(made)


def test_a_line_of_a_bank_statement_is_recorded_once_after_players_are_merged(main, actor):
    ann = main.entries.get(player__name="Ann Berg")
    other = enter(side_of(main, actor), actor, "Ann Berg", is_new_person=True)
    lines = [IncomingPayment(2, "2026-11-20", Amount(27_00, "EUR"), "", "Ann Berg", "line 2")]
    for is_taken_back in (True, False):
        (proposal,) = bank_statement.propose(main.event, lines)
        bank_statement.record_payments(main.event, lines, {proposal.key: other.player_id}, actor)
        if is_taken_back:
            payments.undo_payment(main.event, LedgerTransaction.objects.get(deed="payment").pk, actor)
    merge_both(main.event, ann.player_id, other.player_id, actor)
    assert bank_statement.propose(main.event, lines) == []


def test_payments_of_a_list_move_with_the_split_entry(main, actor):
    side = side_of(main, actor)
    entry = enter(side, actor, "Ann Berg")
    text = "Name;Paid\nAnn Berg;27"
    assert take_in(side, actor, text)[0] == [27_00]
    player_merging.split_off_entry(entry, actor)
    entry.refresh_from_db()
    assert owed(main.event, main.entries.get(player__name="Ann Berg"), entry) == [7_00, 0]
    assert refusal(take_in, side, actor, text) == "nothing-to-import"


def test_a_split_winner_pays_what_a_hedge_says(actor):
    made = with_pot(stories.released(actor, 4), actor)
    for semifinal in stories.playable(made):
        stories.play(semifinal, actor)
    agree(final_of(made), 15_00, 15_00)
    stories.play(final_of(made), actor)
    awards.award_prizes(made.pk, actor)
    winner = Entry.objects.select_related("player").get(pk=final_of(made).winner_id)
    former = enter(side_of(made, actor), actor, winner.player.name)
    player_merging.split_off_entry(winner, actor)
    winner.refresh_from_db()
    assert owed(made.event, former, winner) == [-10_00, -35_00]
    assert sums_to_zero(made)


def test_only_directors_split_off_an_entry_with_prizes(client, actor):
    made = with_pot(stories.released(actor, 4), actor)
    stories.play_out(made, actor, random.Random(1))
    winner = Entry.objects.select_related("player").get(pk=final_of(made).winner_id)
    enter(side_of(made, actor), actor, winner.player.name)
    page = reverse("entry-action", args=[made.event.slug, made.slug, winner.pk, "split"])
    api = reverse("v1:entry-action", args=[winner.pk, "split"])
    helper = stories.helper(made.event, Role.DESK, actor)
    client.force_login(helper.user)
    form = reverse("entry-edit", args=[made.event.slug, made.slug, winner.pk])
    assert page in client.get(form).content.decode()
    awards.award_prizes(made.pk, actor)
    assert page not in client.get(form).content.decode()
    answers = [client.post(address, content_type="application/json") for address in (page, api)]
    assert [answer.status_code for answer in answers] == [403, 403]
    with pytest.raises(Denied):  # prizes that are posted after the front door looked
        player_merging.split_off_entry(winner, helper)
    assert Entry.objects.get(pk=winner.pk).player_id == winner.player_id
    client.force_login(actor.user)
    assert page in client.get(form).content.decode()
    assert client.post(page).status_code == 302
    assert sums_to_zero(made)


def test_a_split_entry_keeps_the_conditions_of_its_player(main, actor):
    side, member = side_of(main, actor), Condition.MEMBER
    change_fees(side, FeeSchedule("EUR", Fee(20_00, {member: 5_00})), actor)
    entry = enter(side, actor, "Ann Berg", choices=FeeChoices(frozenset({member}), frozenset()))
    ann = main.entries.get(player__name="Ann Berg")
    player_merging.split_off_entry(entry, actor)
    entry.refresh_from_db()
    assert owed(main.event, ann, entry) == [7_00, 12_00]
    assert refusal(player_merging.split_off_entry, entry, actor) == "not-two-people"
    assert Player.objects.filter(event=main.event).count() == 3


def test_a_merge_shows_prizes_of_others_that_change(actor):
    first_only = PrizeStructure("EUR", (Part("main", 1, 1, 1),), condition=Condition.MEMBER)
    made = with_pot(stories.released(actor, 4), actor, first_only)
    Player.objects.filter(entries__tournament=made).update(conditions=["member"])
    stories.play_out(made, actor, random.Random(1))
    winner = Entry.objects.select_related("player").get(pk=final_of(made).winner_id)
    Player.objects.filter(pk=winner.player_id).update(conditions=[])
    awards.award_prizes(made.pk, actor)
    other = enter(side_of(made, actor, 0), actor, winner.player.name, is_new_person=True)
    Player.objects.filter(pk=other.player_id).update(conditions=["member"])
    merge = player_merging.preview_merge(made.event, winner.player_id, other.player_id, actor)
    (change,) = merge.prizes
    assert (change.amount_before, change.amount_after) == (Amount(120_00, "EUR"), Amount(0, "EUR"))
    assert merge.digest != replace(merge, prizes=()).digest


def test_a_list_pays_once_although_its_entry_was_removed_before_the_merge(main, actor):
    side, third = side_of(main, actor), side_of(main, actor, 10_00)
    text = "Name;Paid\nAnna Berg;20"
    take_in(side, actor, text)
    other = side.entries.get()
    enter(third, actor, "Anna Berg")
    registration.remove(other, actor)
    ann = main.entries.get(player__name="Ann Berg")
    merge_both(main.event, ann.player_id, other.player_id, actor)
    Player.objects.filter(pk=ann.player_id).update(name="Anna Berg")
    assert take_in(side, actor, text)[0] == []


def test_the_fee_of_the_event_is_charged_once_although_an_entry_withdrew(main, actor):
    ann = main.entries.get(player__name="Ann Berg")
    other = enter(side_of(main, actor), actor, "Ann Berg", is_new_person=True)
    registration.withdraw(other, actor)
    merge_both(main.event, ann.player_id, other.player_id, actor)
    assert owed(main.event, ann) == [27_00]
    assert differences_in_books(main.event) == []


def test_a_merge_leaves_the_entries_as_paid_as_they_were(actor):
    made = stories.tournament(actor)
    first, second = side_of(made, actor), side_of(made, actor, 10_00)
    paid = enter(first, actor, "Ann Berg")
    open_entry = enter(second, actor, "Ann Berg", is_new_person=True)
    pay(made.event, paid.player_id, 20_00, actor)
    merge_both(made.event, open_entry.player_id, paid.player_id, actor)
    marks = {entry.tournament_id: entry.is_paid for entry in made.event.players.get().entries.all()}
    assert marks == {first.pk: True, second.pk: False}
    assert differences_in_books(made.event) == []


def test_the_reason_of_a_correction_survives_a_merge(actor):
    made = with_pot(stories.released(actor, 4), actor)
    stories.play_out(made, actor, random.Random(1))
    winner = Entry.objects.select_related("player").get(pk=final_of(made).winner_id)
    awards.award_prizes(made.pk, actor)
    payout = NewPayout(uuid.uuid4(), Amount(80_00, "EUR"), AccountKind.CASH)
    row = payouts.pay_out(made.event, winner.player_id, payout, actor)
    turn_final(made, actor)
    assert receipts.issue_receipt(made.event, row.pk, actor).lines == [["prize", made.name, -80_00, "EUR"]]
    other = enter(side_of(made, actor, 0), actor, winner.player.name, is_new_person=True)
    merge_both(made.event, other.player_id, winner.player_id, actor)
    (line,) = payout_list(made.event).owing
    assert "The sheet was misread." in line.reasons
