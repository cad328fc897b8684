"""Tournaments and events with money go into the bin only after it is settled, or after a question."""

import random
from dataclasses import replace

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import SPLIT, TERMS, expected_lot, final_of, pay, sums_to_zero
from tests.tournament.pages.browser import Browser
from tests.tournament.refusals import refusal
from tournament.events import recycle_bin
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import AccountKind, CalcuttaLot, Event, Player, Tournament
from tournament.money import awards, calcutta, fees, prize_structures
from tournament.money.calcutta import Buyer
from tournament.results import desk

pytestmark = pytest.mark.django_db

POSTED = {
    "added": replace(SPLIT, added=500_00),
    "set aside": replace(SPLIT, added=500_00, series_minor=500_00),
    "yearly": replace(SPLIT, yearly=500_00),
}


@pytest.fixture
def played(actor):
    """Four players without fees whose final is played."""
    made = stories.released(actor, 4)
    stories.play_out(made, actor, random.Random(1))
    return made


@pytest.mark.parametrize("name", POSTED)
def test_a_tournament_with_money_of_the_organizer_is_not_deleted_before_it_is_taken_back(played, actor, name):
    prize_structures.set_structure(played.pk, POSTED[name], actor)
    awards.award_prizes(played.pk, actor)
    desk.retract(final_of(played), "It was not played.", actor)
    awards.award_prizes(played.pk, actor)
    assert refusal(recycle_bin.delete_tournament, played, actor) == "money-in-pots"
    prize_structures.set_structure(played.pk, None, actor)
    awards.award_prizes(played.pk, actor)
    assert sums_to_zero(played)
    recycle_bin.delete_tournament(played, actor)
    assert not Tournament.objects.exists()


def test_a_tournament_whose_auction_has_a_buyer_with_an_open_claim_is_not_deleted(actor):
    made = stories.entered(actor, 2)
    calcutta.set_terms(made.pk, TERMS, actor)
    calcutta.add_lots(made.pk, [[made.entries.first().pk]], actor)
    lot = CalcuttaLot.objects.get()
    calcutta.bid(made.pk, expected_lot(lot), Buyer(None, "Guest"), 50_00, actor)
    calcutta.sell(made.pk, expected_lot(lot), actor)
    guest = Player.objects.get(name="Guest")
    pay(made.event, guest.pk, 50_00, actor)
    for _step in ("sale", "bid"):
        calcutta.undo_last(made.pk, expected_lot(lot), actor)
        assert refusal(recycle_bin.delete_tournament, made, actor) == "open-amounts"
    pay(made.event, guest.pk, -50_00, actor)
    recycle_bin.delete_tournament(made, actor)
    assert not Tournament.objects.exists()


@pytest.fixture
def owing(actor):
    """Two players who are charged 30 EUR: one paid 50 in cash, the other nothing."""
    made = stories.entered(actor, 2)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(30_00)), actor)
    pay(made.event, made.entries.order_by("pk")[0].player_id, 50_00, actor)
    return made


def test_an_event_with_open_money_is_deleted_only_on_purpose(owing, actor):
    assert refusal(recycle_bin.delete_event, owing.event, actor) == "money-is-open"
    assert Event.objects.exists()
    recycle_bin.delete_event(owing.event, actor, with_money=True)
    recycle_bin.delete_event(owing.event, actor)
    assert not Event.objects.exists()


def test_the_page_says_what_is_open_and_asks_before_it_deletes_an_event(owing, actor):
    browser = Browser(actor.user)
    page = browser.open("event-edit", owing.event.slug).press("Delete the event")
    for sentence in ("Players owe €30.", "Players may claim €20.", "Tills should hold €50 in cash."):
        assert page.says(sentence), sentence
    assert Event.objects.exists()
    page = page.press("Delete the event with its money")
    assert page.says("is in the bin")
    assert not Event.objects.exists()
    page.press("Undo")
    assert Event.objects.exists()


def test_an_event_whose_money_is_settled_is_deleted_with_one_press(owing, actor):
    first, second = owing.entries.order_by("pk")
    pay(owing.event, first.player_id, -20_00, actor)
    pay(owing.event, second.player_id, 30_00, actor, method=AccountKind.BANK)
    assert refusal(recycle_bin.delete_event, owing.event, actor) == "money-is-open"
    pay(owing.event, first.player_id, -30_00, actor)
    pay(owing.event, first.player_id, 30_00, actor, method=AccountKind.CARD)
    Browser(actor.user).open("event-edit", owing.event.slug).press("Delete the event")
    assert not Event.objects.exists()


def test_the_sample_event_goes_with_one_press_because_its_money_is_not_real(owing, actor):
    Event.objects.update(is_sample=True)
    Browser(actor.user).open("home").press("Remove the sample event")
    assert not Event.objects.exists()
