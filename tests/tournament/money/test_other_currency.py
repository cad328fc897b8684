"""Prizes of a tournament whose fees change their currency."""

import random
from dataclasses import replace

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import SPLIT, change_fees, claims, final_of, sums_to_zero, with_pot
from tests.tournament.refusals import refusal
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.money import awards, fees, prize_structures
from tournament.prizes.stored import parse_structure
from tournament.prizes.structure import Part
from tournament.results import desk

pytestmark = pytest.mark.django_db

YEN = FeeSchedule("JPY", Fee(3_000))
WITH_AMOUNTS = replace(SPLIT, parts=(*SPLIT.parts, Part("main", 3, 4, minor=10_00)), added=50_00)


def yen_of_players(made):
    """What players may claim in yen beside their fees, the highest first."""
    players = made.entries.values_list("player", flat=True)
    amounts = open_amounts(made.event_id, list(players)).values()
    return sorted((YEN.entry.price - row["JPY"] for row in amounts if "JPY" in row), reverse=True)


def test_prizes_follow_the_currency_of_the_fees(actor):
    made = with_pot(stories.released(actor, 4), actor, WITH_AMOUNTS)
    change_fees(made, YEN, actor)
    made.refresh_from_db()
    stored = parse_structure(made.prize_structure)
    assert (stored.currency, stored.added, stored.parts[2].minor) == ("JPY", 50, 10)
    lines = made.event.journal.filter(verb="set prizes")
    assert [line.after for line in lines] == [{"currency": "JPY"}]
    stories.play_out(made, actor, random.Random(1))
    awards.award_prizes(made.pk, actor)
    assert yen_of_players(made) == [8_020, 4_010, 10, 10]
    assert sums_to_zero(made)


def test_fees_keep_their_currency_while_prizes_in_it_are_awarded(actor):
    made = with_pot(stories.released(actor, 4), actor, WITH_AMOUNTS)
    stories.play_out(made, actor, random.Random(1))
    awards.award_prizes(made.pk, actor)
    assert refusal(fees.set_schedule, made.pk, YEN, actor) == "prizes-awarded-in-currency"
    prize_structures.set_structure(made.pk, None, actor)
    awards.award_prizes(made.pk, actor)
    made.refresh_from_db()
    change_fees(made, YEN, actor)
    made.refresh_from_db()
    assert (made.fees["currency"], made.prize_structure) == ("JPY", {})
    prize_structures.set_structure(made.pk, replace(SPLIT, currency="JPY"), actor)
    awards.award_prizes(made.pk, actor)
    assert yen_of_players(made) == [8_000, 4_000, 0, 0]
    assert sums_to_zero(made)


def test_fees_keep_their_currency_while_only_added_money_in_it_is_posted(actor):
    made = with_pot(stories.released(actor, 4), actor, replace(SPLIT, added=50_00))
    stories.play_out(made, actor, random.Random(1))
    awards.award_prizes(made.pk, actor)
    desk.retract(final_of(made), "It was not played.", actor)
    awards.award_prizes(made.pk, actor)
    assert claims(made) == {}
    assert refusal(fees.set_schedule, made.pk, YEN, actor) == "prizes-awarded-in-currency"
