"""Prizes that are awarded, paid out, and corrected afterwards."""

import random
import uuid
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import transaction
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import (
    SPLIT,
    change_event_fees,
    change_fees,
    claims,
    final_of,
    pay,
    sums_to_zero,
    turn_final,
    with_pot,
)
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.corrections import Change
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws, jackpots, round_previews
from tournament.entries import choices, registration
from tournament.events import recycle_bin
from tournament.fees.amounts import Amount
from tournament.fees.schedule import Condition, EventFees, Fee, FeeChoices, FeeSchedule, SidePool
from tournament.ledger.balances import balances_of, open_amounts
from tournament.models import (
    AccountKind,
    Deed,
    Entry,
    LedgerAccount,
    LedgerTransaction,
    Pairing,
    ResultKind,
    Tournament,
)
from tournament.money import awards, fees, payouts, prize_structures, receipts
from tournament.money.payouts import NewPayout
from tournament.money.withdrawals import remaining_charges, waive_charges
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure
from tournament.queries.corrections.money_changes import money_changes
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.fee_changes import prize_changes
from tournament.queries.money.organizers import yearly_pots
from tournament.queries.money.prize_steps import PrizeAction, prize_steps
from tournament.queries.money.receipts import find_receipt
from tournament.queries.money.unpaid_pots import unpaid_pots
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.results import desk
from tournament.templatetags.money import price

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def knockout_of_module(actor_of_module):
    """Four players whose final is played. The sides of the final are its winner and its loser."""
    made = with_pot(stories.released(actor_of_module, 4), actor_of_module)
    stories.play_out(made, actor_of_module, random.Random(1))
    return made


@pytest.fixture
def knockout(db, knockout_of_module):
    return deepcopy(knockout_of_module)


def pay_prize(made, name, minor, actor, **more):
    entry = next(entry for entry in Entry.objects.filter(tournament=made) if entry.name == name)
    payout = NewPayout(uuid.uuid4(), Amount(minor, "EUR"), AccountKind.CASH, **more)
    return payouts.pay_out(made.event, entry.player_id, payout, actor)


def play_all_rounds(made, actor) -> None:
    stories.play_out(made, actor, random.Random(1))
    while next_rounds([made])[made.pk].state is NextRoundState.COMPLETE:
        round_previews.pair_and_release(made.pk, actor)
        stories.play_out(made, actor, random.Random(1))


def test_prizes_are_awarded_once_and_only_at_the_end(actor):
    made = with_pot(stories.released(actor, 4), actor)
    assert refusal(awards.award_prizes, made.pk, actor) == "nothing-to-award"
    stories.play_out(made, actor, random.Random(1))
    assert len(awards.award_prizes(made.pk, actor)) == 2
    assert awards.award_prizes(made.pk, actor) == ()
    final = final_of(made)
    loser = final.right if final.winner_id == final.left_id else final.left
    assert claims(made) == {final.winner.name: 80_00, loser.name: 40_00}
    assert sums_to_zero(made)


def test_a_correction_after_the_payout_leaves_a_claim_and_a_debt_and_its_undo_restores_both(knockout, actor):
    awards.award_prizes(knockout.pk, actor)
    winner, loser = sorted(claims(knockout), key=claims(knockout).get, reverse=True)
    pay_prize(knockout, winner, 80_00, actor)
    pay_prize(knockout, loser, 40_00, actor)
    assert claims(knockout) == {}
    before = LedgerTransaction.objects.count()
    correction = turn_final(knockout, actor)
    assert claims(knockout) == {winner: -40_00, loser: 40_00}
    assert LedgerTransaction.objects.filter(deed=Deed.PAYOUT).count() == 2
    assert LedgerTransaction.objects.count() == before + 4
    reversal = LedgerTransaction.objects.filter(deed=Deed.REVERSAL).first()
    assert reversal.journal_line.reason == "The sheet was misread."
    assert sums_to_zero(knockout)
    corrections.undo(correction.pk, actor)
    assert claims(knockout) == {}
    assert sums_to_zero(knockout)


def test_the_preview_of_a_correction_says_what_players_will_owe_and_get(knockout, actor):
    awards.award_prizes(knockout.pk, actor)
    winner, loser = sorted(claims(knockout), key=claims(knockout).get, reverse=True)
    pay_prize(knockout, winner, 80_00, actor)
    final = final_of(knockout)
    change = Change(
        ResultKind.WALKOVER, final.left_id if final.winner_id == final.right_id else final.right_id
    )
    changes = {row.entry.name: row for row in money_changes(corrections.preview(final.pk, change))}
    amounts = {
        name: (row.before.minor, row.after.minor, row.paid.minor, row.balance.minor)
        for name, row in changes.items()
    }
    assert amounts == {winner: (80_00, 40_00, 80_00, 40_00), loser: (40_00, 80_00, 0, -80_00)}


def test_an_award_follows_later_fees_and_the_money_of_the_organizer(knockout, actor, client):
    awards.award_prizes(knockout.pk, actor)
    final = final_of(knockout)
    winner, loser = final.winner.name, (final.left if final.winner == final.right else final.right).name
    pay_prize(knockout, winner, 80_00, actor)
    dearer = FeeSchedule("EUR", Fee(60_00))
    change = fees.preview_schedule(knockout, dearer)
    rows = prize_changes(knockout, change.prizes)
    amounts = {row.person.name: (row.before.minor, row.after.minor, row.paid.minor) for row in rows}
    assert amounts == {winner: (80_00, 160_00, 80_00), loser: (40_00, 80_00, 0)}
    client.force_login(actor.user)
    address = reverse("fees", args=[knockout.event.slug, knockout.slug])
    page = client.post(address, {"currency": "EUR", "entry": "60"}).content.decode()
    assert "2 awarded prizes change with the pot" in page
    assert "€160 instead of €80 · €80 paid out" in page
    posted = fees.set_schedule(knockout.pk, dearer, actor, change.digest)
    assert posted.digest == change.digest
    payouts.undo_payout(knockout.event, knockout.event.ledger_transactions.get(deed="payout").pk, actor)
    assert sorted(claims(knockout).values()) == [-30_00, -30_00, 80_00 - 30_00, 160_00 - 30_00]
    knockout.refresh_from_db()
    knockout.prize_structure |= {"added": 60_00}
    knockout.save(update_fields=["prize_structure"])
    awards.award_prizes(knockout.pk, actor)
    pot = LedgerAccount.objects.filter(tournament=knockout, kind=AccountKind.POT)
    assert (max(claims(knockout).values()), sum(balances_of(pot).values())) == (200_00 - 30_00, 0)
    assert sums_to_zero(knockout)


def test_a_side_pool_that_the_prizes_do_not_name_goes_to_the_furthest(knockout, actor):
    set_prizes(knockout, SPLIT, actor)
    knockout.refresh_from_db()
    change_fees(knockout, FeeSchedule("EUR", Fee(30_00), pools=(SidePool("1", "Pool", Fee(15_00)),)), actor)
    winner = final_of(knockout).winner
    others = knockout.entries.exclude(pk=winner.pk)[:1]
    joined = FeeChoices(frozenset(), frozenset("1"))
    choices.set_choices(knockout.pk, {entry.pk: joined for entry in (winner, *others)}, actor)
    awards.award_prizes(knockout.pk, actor)
    assert claims(knockout)[winner.name] == 80_00 + 30_00 - 15_00
    assert differences_in_books(knockout.event) == []


def test_the_organizer_adds_no_money_that_nobody_can_win(knockout, actor):
    extra = PoolPrizes("extra", condition=Condition.MEMBER, added=500_00, is_open=True)
    set_prizes(knockout, replace(SPLIT, pools=(extra,)), actor)
    of_members = replace(SPLIT, condition=Condition.MEMBER, guaranteed=400_00, yearly=10_00)
    set_prizes(knockout, of_members, actor)
    assert not LedgerTransaction.objects.filter(event=knockout.event, deed="added_money").exists()
    set_prizes(knockout, replace(of_members, added=100_00, yearly=0, series_share=10_000), actor)
    pot = LedgerAccount.objects.filter(tournament=knockout, kind=AccountKind.POT)
    assert sum(balances_of(pot).values()) == 0
    assert differences_in_books(knockout.event) == []


def test_the_preview_of_fees_without_a_side_pool_says_who_loses_its_prize(knockout, actor):
    pool = FeeSchedule("EUR", Fee(30_00), pools=(SidePool("1", "Pool", Fee(15_00)),))
    change_fees(knockout, pool, actor)
    loser = knockout.entries.exclude(pk__in=(final_of(knockout).left_id, final_of(knockout).right_id))[0]
    players = {pk: FeeChoices(frozenset(), frozenset("1")) for pk in (loser.pk, final_of(knockout).winner_id)}
    choices.set_choices(knockout.pk, players, actor)
    set_prizes(knockout, replace(SPLIT, pools=(PoolPrizes("1", (1,)),)), actor)
    registration.withdraw(loser, actor)
    assert max(claims(knockout).values()) == 80_00 + 30_00 - 15_00
    without_pool = FeeSchedule("EUR", Fee(30_00))
    shown = fees.preview_schedule(knockout, without_pool)
    assert [str(change.amount_after) for change in shown.prizes] == ["80.00 EUR"]
    assert fees.set_schedule(knockout.pk, without_pool, actor, shown.digest).digest == shown.digest


def test_fees_keep_the_currency_of_an_awarded_jackpot_until_its_result_is_taken_back(actor):
    made = stories.released(actor, 4)
    change_fees(made, FeeSchedule("EUR", Fee(30_00)), actor)
    jackpot = jackpots.open_jackpot(made.pk, jackpots.JackpotPlan(4, 1, Decimal("12")), actor)
    for entry in made.entries.select_related("player"):
        jackpots.join(jackpot.pk, entry, actor)
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key == "jackpot 1"]:
        stories.play(waiting[0], actor)
    awards.award_prizes(made.pk, actor)
    change_fees(made, FeeSchedule("EUR", Fee(20_00)), actor)
    schedule = FeeSchedule("JPY", Fee(30_00))
    assert refusal(fees.set_schedule, made.pk, schedule, actor) == "prizes-awarded-in-currency"
    final = stories.pairings(made).get(round__bracket__key="jackpot 1", round__number=2)
    desk.retract(final, "It was not played.", actor)
    awards.award_prizes(made.pk, actor)
    made.refresh_from_db()
    shown = fees.preview_schedule(made, schedule)
    assert fees.set_schedule(made.pk, schedule, actor, shown.digest).digest == shown.digest


def set_prizes(made, structure, actor) -> None:
    """Also in another currency than the fees, as prizes that were set before the fees changed."""
    made.prize_structure = structure_as_json(structure) if structure else {}
    made.save(update_fields=["prize_structure"])
    awards.award_prizes(made.pk, actor)


def test_prizes_of_another_currency_or_pot_replace_what_was_awarded_and_added(knockout, actor):
    pools = (PoolPrizes("1", added=50_00, is_open=True),)
    set_prizes(knockout, replace(SPLIT, added=60_00, pools=pools), actor)
    set_prizes(knockout, replace(SPLIT, currency="USD", guaranteed=300_00), actor)
    winner = final_of(knockout).winner.player_id
    assert open_amounts(knockout.event_id, [winner]) == {winner: {"USD": -200_00}}
    assert refusal(recycle_bin.delete_tournament, knockout, actor) == "prizes-are-awarded"
    set_prizes(knockout, None, actor)
    assert claims(knockout) == {}
    accounts = LedgerAccount.objects.filter(event=knockout.event, kind__in=("pot", "registration"))
    balances = {account: minor for account, minor in balances_of(accounts).items() if minor}
    assert sorted(balances.values()) == [-120_00]
    assert sums_to_zero(knockout)


def test_a_yearly_pot_pays_prizes_and_gets_them_back_if_the_prizes_change(knockout, actor):
    set_prizes(knockout, replace(SPLIT, yearly=30_00, series_minor=6_00), actor)
    assert sorted(claims(knockout).values()) == [48_00, 96_00]
    (pot,) = yearly_pots(knockout.event, actor)
    assert pot.amounts == (Amount(-24_00, "EUR"),)
    assert differences_in_books(knockout.event) == []
    set_prizes(knockout, SPLIT, actor)
    assert sorted(claims(knockout).values()) == [40_00, 80_00]
    assert yearly_pots(knockout.event, actor) == []
    assert sums_to_zero(knockout)


def test_a_guaranteed_pot_that_shrinks_after_the_award_asks_for_more_money_of_the_organizer(knockout, actor):
    set_prizes(knockout, replace(SPLIT, guaranteed=300_00), actor)
    entry = knockout.entries.exclude(pk__in=(final_of(knockout).left_id, final_of(knockout).right_id))[0]
    registration.withdraw(entry, actor)
    waive_charges(knockout.event, entry.pk, "30.00 EUR", "Fell ill", actor)
    knockout.refresh_from_db()
    assert [step.action for step in prize_steps([knockout])] == [PrizeAction.POST]
    assert awards.award_prizes(knockout.pk, actor) == ()
    pot = LedgerAccount.objects.filter(tournament=knockout, kind=AccountKind.POT)
    assert sum(balances_of(pot).values()) == 0
    assert sums_to_zero(knockout)


def correct_at_the_desk(made, actor):
    final = final_of(made)
    loser = final.left_id if final.winner_id == final.right_id else final.right_id
    desk.award(final, loser, ResultKind.WALKOVER, "The winner had left.", actor)


def take_a_condition_away(made, actor):
    choices.set_choices(made.pk, {final_of(made).left_id: FeeChoices()}, actor)


def add_money(made, actor):
    prize_structures.set_structure(made.pk, replace(FOR_MEMBERS, added=60_00), actor)


def give_fees_back(made, actor):
    final = final_of(made)
    entry = made.entries.exclude(pk__in=(final.left_id, final.right_id)).first()
    registration.withdraw(entry, actor)
    (charges,) = remaining_charges(made.event)
    waive_charges(made.event, entry.pk, charges.revision, "Ill", actor)


FOR_MEMBERS = replace(SPLIT, condition=Condition.MEMBER)
LATER_CHANGES = (correct_at_the_desk, take_a_condition_away, add_money, give_fees_back)


def test_the_desk_asks_to_post_what_later_changes_did_to_awarded_prizes(knockout, actor):
    for entry in (final_of(knockout).left, final_of(knockout).right):
        choices.set_choices(knockout.pk, {entry.pk: FeeChoices(frozenset({Condition.MEMBER}))}, actor)
    set_prizes(knockout, FOR_MEMBERS, actor)
    change_event_fees(knockout.event, EventFees("EUR", Fee(5_00)), actor)
    assert steps_of(knockout) == []
    for change in LATER_CHANGES:
        with transaction.atomic():
            change(knockout, actor)
            assert (steps_of(knockout), change.__name__) == ([PrizeAction.POST], change.__name__)
            assert differences_in_books(knockout.event) == []
            awards.award_prizes(knockout.pk, actor)
            assert (steps_of(knockout), sums_to_zero(knockout)) == ([], True)
            transaction.set_rollback(True)


def test_the_desk_asks_to_post_what_a_draw_taken_back_without_results_did(actor):
    made = with_pot(stories.released(actor, 3), actor)
    (pairing,) = stories.playable(made)
    registration.withdraw(pairing.left, actor)
    registration.withdraw(pairing.right, actor)
    awards.award_prizes(made.pk, actor)
    assert (steps_of(made), sum(claims(made).values())) == ([], 90_00)
    draws.undo(made.pk, actor, "A player is missing")
    assert steps_of(made) == [PrizeAction.POST]
    awards.award_prizes(made.pk, actor)
    assert (steps_of(made), claims(made)) == ([], {})


def steps_of(made):
    return [step.action for step in prize_steps([Tournament.objects.get(pk=made.pk)])]


def test_a_repeated_payout_pays_once_and_no_more_than_the_claim(knockout, actor):
    awards.award_prizes(knockout.pk, actor)
    entry = final_of(knockout).winner
    payout = NewPayout(uuid.uuid4(), Amount(50_00, "EUR"), AccountKind.CASH, signature="M1 2L30 40")
    first = payouts.pay_out(knockout.event, entry.player_id, payout, actor)
    assert payouts.pay_out(knockout.event, entry.player_id, payout, actor) == first
    assert claims(knockout)[entry.name] == 30_00
    receipt = find_receipt(knockout.event, receipts.issue_receipt(knockout.event, first.pk, actor).pk)
    assert (receipt.payer, receipt.is_payout) == (entry.player.registered_name, True)
    assert [amount.minor for _text, amount in receipt.lines] == [-80_00, 30_00]
    assert refusal(pay_prize, knockout, entry.name, 30_01, actor) == "payout-above-claim"
    assert refusal(pay_prize, knockout, entry.name, 1_00, actor, signature="<svg>") == "signature-unreadable"
    payouts.undo_payout(knockout.event, first.pk, actor)
    assert find_receipt(knockout.event, receipt.row.pk).cancelled_by
    assert refusal(payouts.pay_out, knockout.event, entry.player_id, payout, actor) == "key-reused"
    assert claims(knockout)[entry.name] == 80_00
    assert refusal(payouts.undo_payout, knockout.event, first.pk, actor) == "reversed-already"
    assert sums_to_zero(knockout)


def test_what_a_player_owes_is_taken_out_of_the_prize_before_all_are_paid(knockout, actor):
    awards.award_prizes(knockout.pk, actor)
    winner = final_of(knockout).winner.player_id
    pay(knockout.event, winner, -30_00, actor)
    players = list(Entry.objects.filter(tournament=knockout).values_list("player", flat=True))
    shown = open_amounts(knockout.event_id, players)
    paid = payouts.pay_out_all(knockout.event, shown, AccountKind.BANK, actor)
    assert sorted(row.transfers.get().amount for row in paid) == [40_00, 50_00]
    repeated = refusal(payouts.pay_out_all, knockout.event, shown, AccountKind.BANK, actor)
    assert repeated == "open-amount-changed"
    assert claims(knockout) == {}
    assert sums_to_zero(knockout)


def test_a_jackpot_charges_who_joins_and_pays_its_winner_before_the_tournament_is_over(actor):
    made = with_pot(stories.released(actor, 4), actor)
    jackpot = jackpots.open_jackpot(made.pk, jackpots.JackpotPlan(4, 1, Decimal("12.50")), actor)
    entries = list(made.entries.select_related("player"))
    for entry in entries[:3]:
        jackpots.join(jackpot.pk, entry, actor)
    jackpots.leave(jackpot.pk, entries[0], actor)
    assert price(jackpot.price, Tournament.objects.get(pk=made.pk)) == "€12.50"
    assert made.event.journal.get(verb="open jackpot").after["price"] == "12.50 EUR"
    only_prizes = Tournament(prize_structure={"currency": "EUR"})
    assert price(Decimal("750.00"), only_prizes) == "€750"
    assert price(Decimal("7.50"), Tournament(prizes={"currency": "Taler"})) == "7.50 Taler"
    assert price(Decimal("7.50"), Tournament(prizes={"currency": "JPY"})) == "¥7.50"
    assert claims(made) == {entry.name: -12_50 for entry in entries[1:3]}
    for entry in (entries[0], entries[3]):
        jackpots.join(jackpot.pk, entry, actor)
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key == "jackpot 1"]:
        stories.play(waiting[0], actor)
    assert [(step.action, step.is_jackpot) for step in prize_steps([made])] == [(PrizeAction.AWARD, True)]
    assert [(row.name, row.amount.minor, row.players) for row in unpaid_pots(made)] == [
        ("Jackpot 1", 50_00, 4)
    ]
    (change,) = awards.award_prizes(made.pk, actor)
    assert change.amount_after == Amount(50_00, "EUR")
    assert sorted(claims(made).values()) == [-12_50, -12_50, -12_50, 37_50]
    assert steps_of(made) == []
    final = change.entry.tournament.brackets.get(key="jackpot 1").rounds.last().pairings.get()
    for step in (PrizeAction.POST, PrizeAction.AWARD):
        if step is PrizeAction.POST:
            desk.retract(final, "", actor)
        else:
            stories.play(Pairing.objects.get(pk=final.pk), actor)
        assert steps_of(made) == [step]
        awards.award_prizes(made.pk, actor)
        assert (steps_of(made), sum(claims(made).values()) / 100) == (
            [],
            0 if step is PrizeAction.AWARD else -50,
        )
    stories.play_out(made, actor, random.Random(1))
    assert len(awards.award_prizes(made.pk, actor)) in (2, 3)
    assert sum(claims(made).values()) == 120_00
    assert sums_to_zero(made)


def test_a_jackpot_that_does_not_fill_or_is_left_by_withdrawing_costs_nothing(actor):
    made = with_pot(stories.released(actor, 4), actor)
    jackpot = jackpots.open_jackpot(made.pk, jackpots.JackpotPlan(4, 1, Decimal("10")), actor)
    first, second = made.entries.all()[:2]
    jackpots.join(jackpot.pk, first, actor)
    jackpots.join(jackpot.pk, second, actor)
    registration.withdraw(first, actor)
    assert claims(made) == {second.name: -10_00}
    jackpots.close(jackpot, actor)
    assert claims(made) == {}


@pytest.mark.parametrize(
    "chosen",
    [
        Format(Kind.DOUBLE),
        Format(Kind.SWISS, rounds=2),
        Format(Kind.LIVES, lives=2),
        Format(Kind.GROUPS, groups=2, qualifiers=1),
    ],
    ids=lambda chosen: chosen.kind,
)
def test_every_format_pays_its_pot_out(actor, chosen):
    bracket = "play-off" if chosen.kind is Kind.GROUPS else "main"
    structure = PrizeStructure("EUR", (Part(bracket, 1, 1, 2), Part(bracket, 2, 2, 1)))
    made = with_pot(stories.released(actor, 4, format=chosen), actor, structure)
    play_all_rounds(made, actor)
    awards.award_prizes(made.pk, actor)
    assert sum(claims(made).values()) == 120_00
    assert sums_to_zero(made)
