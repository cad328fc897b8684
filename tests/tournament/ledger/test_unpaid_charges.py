"""The charges that players have not paid: by tournament, pot and entry, whatever else they owe."""

import random

import pytest

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.money.stories import change_fees, final_of, pay, turn_final, with_pot
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import AccountKind, Entry
from tournament.money import awards, fees, payouts
from tournament.queries.money.unpaid_pots import unpaid_pots

pytestmark = pytest.mark.django_db


def names(tournament):
    return [(row.name, row.amount.minor, row.players) for row in unpaid_pots(tournament)]


@pytest.fixture
def main(actor):
    """A tournament of four players, who paid 30 EUR each."""
    return with_pot(stories.released(actor, 4), actor)


def test_fees_of_another_tournament_leave_the_pot_paid(main, actor):
    plan = setup.TournamentPlan("Side", PRESETS["tournament"], (3,))
    side = setup.create_tournament(main.event, plan, actor)
    fees.set_schedule(side.pk, FeeSchedule("EUR", Fee(20_00)), actor)
    player = main.entries.select_related("player").first().player
    entry = registration.enter(side.pk, EntryDetails(PlayerDetails(player.name)), actor)
    assert entry.player_id == player.pk
    assert (names(main), names(side)) == ([], [("Main pot", 20_00, 1)])
    assert main.entries.filter(is_paid=True).count() == 4
    assert not Entry.objects.get(pk=entry.pk).is_paid
    pay(main.event, player.pk, 5_00, actor)
    assert names(side) == [("Main pot", 15_00, 1)]


def test_a_fee_that_was_raised_and_lowered_again_stays_paid(main, actor):
    player = main.entries.first().player_id
    plan = setup.TournamentPlan("Side", PRESETS["tournament"], (3,))
    side = setup.create_tournament(main.event, plan, actor)
    fees.set_schedule(side.pk, FeeSchedule("EUR", Fee(20_00)), actor)
    name = main.entries.get(player=player).player.name
    registration.enter(side.pk, EntryDetails(PlayerDetails(name)), actor)
    for price in (40_00, 30_00):
        change_fees(main, FeeSchedule("EUR", Fee(price)), actor)
    assert (names(main), names(side)) == ([], [("Main pot", 20_00, 1)])


def test_a_prize_to_be_given_back_leaves_the_pot_paid(main, actor):
    stories.play_out(main, actor, random.Random(1))
    awards.award_prizes(main.pk, actor)
    players = list(main.entries.values_list("player", flat=True))
    payouts.pay_out_all(main.event, open_amounts(main.event_id, players), AccountKind.BANK, actor)
    turn_final(main, actor)
    awards.award_prizes(main.pk, actor)
    assert [minor["EUR"] for minor in open_amounts(main.event_id, players).values()].count(40_00) == 1
    assert names(main) == []
    assert main.entries.filter(is_paid=True).count() == 4


def test_a_prize_pays_what_its_winner_owes(main, actor):
    for entry in main.entries.all():
        pay(main.event, entry.player_id, -30_00, actor)
    assert names(main) == [("Main pot", 120_00, 4)]
    stories.play_out(main, actor, random.Random(1))
    awards.award_prizes(main.pk, actor)
    assert names(main) == [("Main pot", 60_00, 2)]
    assert final_of(main).winner.is_paid
