"""Two players hedge their match: its winner gives the loser an amount, beside the prizes."""

from copy import deepcopy

import pytest
from django.db import IntegrityError

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.money.stories import agree, claims, final_of, phone, sums_to_zero, turn_final, with_pot
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import advancing
from tournament.corrections import Change
from tournament.drawing import swaps
from tournament.drawing.swaps import Swap
from tournament.models import Hedge, ResultKind
from tournament.money import awards, hedging, settling
from tournament.money.settling import Agreement
from tournament.queries.corrections.money_changes import money_changes
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.settlements import load_settlement_page
from tournament.results import desk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def final_of_module(actor_of_module):
    """The final of four players, for prizes of 80 and 40 EUR."""
    made = with_pot(stories.released(actor_of_module, 4), actor_of_module)
    for semifinal in stories.playable(made):
        stories.play(semifinal, actor_of_module)
    (pairing,) = stories.playable(made)
    return pairing


@pytest.fixture
def final(db, final_of_module):
    return deepcopy(final_of_module)


def test_the_winner_gives_what_was_agreed_and_a_correction_turns_it_round(final, actor):
    made, left, right = final.round.bracket.tournament, final.left.name, final.right.name
    agree(final, 15_00, 80_00)
    stories.play(final, actor)
    awards.award_prizes(made.pk, actor)
    assert claims(made) == {left: 65_00, right: 55_00}
    lines = {line.name: line for line in payout_list(made.event).to_pay}
    assert [(prize.label, prize.amount.minor) for prize in lines[left].prizes] == [
        ("place 1", 80_00),
        (f"hedge with {right}, match 3", -15_00),
    ]
    assert {prize.label: prize.amount.minor for prize in lines[right].prizes} == {
        "place 2": 40_00,
        f"hedge with {left}, match 3": 15_00,
    }
    assert not any(line.taken_out for line in lines.values())
    preview = corrections.preview(final.pk, Change(ResultKind.PLAYED, final.right_id, 1, 3))
    shown = {row.name: row.after.minor for row in money_changes(preview)}
    correction = turn_final(made, actor)
    assert shown == {left: 120_00, right: 0}
    assert claims(made) == {left: 120_00}
    assert sums_to_zero(made)
    corrections.undo(correction.pk, actor)
    assert claims(made) == {left: 65_00, right: 55_00}
    desk.retract(final, "Wrong table", actor)
    awards.award_prizes(made.pk, actor)
    assert not any("hedge" in prize.label for line in payout_list(made.event).to_pay for prize in line.prizes)
    assert sums_to_zero(made)


def test_a_proposal_counts_only_after_the_other_player_accepts_it(final, actor):
    left, right = phone(final.left), phone(final.right)
    first = hedging.propose(final, (20_00, 0), left)
    second = hedging.propose(final, (30_00, 0), left)
    assert refusal(hedging.accept, final, first.pk, right) == "no-hedge"
    assert refusal(hedging.accept, final, second.pk, left) == "own-proposal"
    assert hedging.close(final, second.pk, right)
    assert refusal(hedging.accept, final, second.pk, right) == "no-hedge"
    hedging.propose(final, (20_00, 0), left)
    stories.play(final, actor)
    awards.award_prizes(final.round.bracket.tournament_id, actor)
    assert claims(final.round.bracket.tournament) == {final.left.name: 80_00, final.right.name: 40_00}


def test_an_accepted_hedge_is_cancelled_only_by_both_while_the_match_is_open(final, actor):
    left, right = phone(final.left), phone(final.right)
    hedge = agree(final, 20_00, 0)
    assert refusal(hedging.propose, final, (10_00, 0), left) == "hedge-agreed"
    for _repeated in range(2):
        assert not hedging.close(final, hedge.pk, left)
    with stories.rolled_back():
        assert hedging.close(final, hedge.pk, right)
        assert load_settlement_page(final).hedge is None
    stories.play(final, actor)
    assert refusal(hedging.close, final, hedge.pk, right) == "posted-already"


def test_nobody_promises_more_than_the_winner_is_certain_of(actor):
    made = with_pot(stories.released(actor, 4), actor)
    first, second = stories.playable(made)
    assert load_settlement_page(first).hedge_limits == (40_00, 40_00)
    for amounts, code in (
        ((40_01, 0), "hedge-above-prize"),
        ((0, 0), "hedge-empty"),
        ((-1, 5), "hedge-empty"),
    ):
        assert refusal(hedging.propose, first, amounts, phone(first.left)) == code
    agree(first, 30_00, 0)
    stories.play(first, actor)
    stories.play(second, actor)
    (final,) = stories.playable(made)
    is_left = final.left_id == first.left_id
    assert load_settlement_page(final).hedge_limits == ((50_00, 80_00) if is_left else (80_00, 50_00))
    promiser, other = (final.left, final.right) if is_left else (final.right, final.left)
    assert load_settlement_page(final, other.pk).hedge_limits == (80_00, 80_00)
    above = (50_01, 0) if is_left else (0, 50_01)
    assert refusal(hedging.propose, final, above, phone(promiser)) == "hedge-above-prize"
    hedge = hedging.propose(final, above, phone(other))  # earlier promises of the opponent are private
    assert refusal(hedging.accept, final, hedge.pk, phone(promiser)) == "hedge-above-prize"
    stories.play(final, actor, "right" if is_left else "left")
    awards.award_prizes(made.pk, actor)
    assert claims(made)[first.right.name] == 30_00
    assert claims(made)[first.left.name] == 10_00
    assert sums_to_zero(made)


def test_a_settlement_replaces_the_hedge(final, actor):
    made = final.round.bracket.tournament
    agree(final, 20_00, 20_00)
    settlement = settling.propose(final, Agreement(final.left_id, (70_00, 50_00)), phone(final.left))
    settling.confirm(final, settlement.pk, Keeper.RIGHT, phone(final.right))
    awards.award_prizes(made.pk, actor)
    assert claims(made) == {final.left.name: 70_00, final.right.name: 50_00}


def test_the_database_refuses_a_hedge_with_a_negative_amount(final):
    hedge = agree(final, 20_00, 20_00)
    with pytest.raises(IntegrityError, match="hedge_gives_a_positive_amount"):
        Hedge.objects.filter(pk=hedge.pk).update(left_minor=-1)


def test_a_hedge_is_found_after_its_players_changed_sides(actor):
    made = with_pot(stories.released(actor, 4), actor)
    first, second = stories.playable(made)
    one, other, third = first.left_id, first.right_id, second.left_id
    hedge = agree(first, 20_00, 10_00)
    for pair in ((one, third), (other, one), (third, other)):
        seats = {seat.entry: seat for seat in swaps.entry_seats(made)}
        swaps.swap(made.pk, Swap(seats[pair[0]].feed, seats[pair[1]].feed, pair), actor, "a mistake")
    turned = stories.pairings(made).select_related("left", "right").get(pk=first.pk)
    assert (turned.left_id, turned.right_id) == (other, one)
    assert refusal(hedging.propose, turned, (20_00, 20_00), phone(turned.left)) == "hedge-agreed"
    with pytest.raises(IntegrityError, match="one_open_hedge_of_two_players"):
        Hedge.objects.create(
            pairing=turned, left_id=other, right_id=one, currency="EUR", left_minor=1, right_minor=1,
            proposed_by_id=other, proposed_at=hedge.proposed_at,
        )  # fmt: skip


def test_a_hedge_that_a_settlement_replaced_promises_nothing(actor):
    made = with_pot(stories.released(actor, 4), actor)
    first, second = stories.playable(made)
    agree(first, 30_00, 0)
    settlement = settling.propose(first, Agreement(first.left_id, (40_00, 0)), phone(first.left))
    settling.confirm(first, settlement.pk, Keeper.RIGHT, phone(first.right))
    advancing.advance_waiting()
    stories.play(second, actor)
    (final,) = stories.playable(made)
    assert load_settlement_page(final).hedge_limits == (80_00, 80_00)


def test_a_hedge_with_a_player_who_left_the_match_promises_nothing(actor):
    made = with_pot(stories.released(actor, 8), actor)
    quarters = list(stories.playable(made))
    for quarter in quarters:
        stories.play(quarter, actor)
    semifinal = stories.pairings(made).filter(round__number=2)[0]
    agree(semifinal, 30_00, 30_00)
    quarter = next(row for row in quarters if row.left_id == semifinal.right_id)
    preview = corrections.preview(quarter.pk, Change(ResultKind.PLAYED, quarter.right_id, 1, 3))
    corrections.correct(preview, preview.digest, "misread", actor)
    for row in stories.pairings(made).filter(round__number=2):
        stories.play(row, actor, "left")
    page = load_settlement_page(stories.pairings(made).get(round__number=3))
    assert len(set(page.hedge_limits)) == 1


def test_books_without_the_result_of_a_hedge_are_no_fault(final, actor):
    made, hedge = final.round.bracket.tournament, agree(final, 15_00, 15_00)
    stories.play(final, actor)
    awards.award_prizes(made.pk, actor)
    desk.retract(final, "Wrong table", actor)
    for entry in (final.left, final.right):
        hedging.close(final_of(made), hedge.pk, phone(entry))
    assert differences_in_books(made.event) == []
