"""Prizes awarded at the desk and paid on the payout list, through the pages alone."""

import random
import re

import pytest

from tests.tournament import stories
from tournament.entries import personal_data
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import Entry, Membership, PayoutSignature, Role
from tournament.money import fees
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PrizeStructure


@pytest.fixture
def played(owner):
    """Two players, of whom the winner gets 100 EUR."""
    made = stories.released(owner, 2)
    stories.play_out(made, owner, random.Random(1))
    structure = PrizeStructure("EUR", (Part("main", 1, 1, 1),), added=100_00)
    made.prize_structure = structure_as_json(structure)
    made.save(update_fields=["prize_structure"])
    return made


def claims(made):
    players = set(Entry.objects.filter(tournament=made).values_list("player", flat=True))
    return list(open_amounts(made.event_id, players).values())


def test_the_desk_leads_from_the_last_result_to_the_paid_prize(browser, played):
    browser.open("event-desk", played.event.slug).press("Award")
    assert claims(played) == [{"EUR": -100_00}]
    browser.open("event-desk", played.event.slug)
    assert browser.says("1 player is waiting for prize money")
    browser.open("payouts", played.event.slug)
    assert browser.says(", place 1")
    assert not browser.says("Main, place 1")
    assert not browser.says("What players are worth now")
    browser.press("Pay €100 in cash")
    assert browser.says("Your till holds €0.")
    assert claims(played) == [{"EUR": -100_00}]
    browser.press("Give €100 in cash", above_till="on")
    assert (claims(played), browser.says(" was paid €100.")) == ([], True)
    assert browser.says("Your till is €100 short.")
    browser.press("Take back")
    players = re.findall(r'name="players" value="([^"]+)"', browser.text)
    address = f"/e/{played.event.slug}/payouts/"
    browser.client.post(f"{address}selected/", {"players": players, "method": "cash"})
    browser.go(address)
    assert (claims(played), browser.says("1 prize is paid out.")) == ([], True)
    browser.press("Undo")
    assert claims(played) == [{"EUR": -100_00}]
    browser.open("envelopes", played.event.slug)
    assert browser.says("€100")


def test_a_signature_is_kept_until_the_data_of_the_player_are_removed(browser, played, owner):
    fees.set_schedule(played.pk, FeeSchedule("EUR", Fee(5_00)), owner)
    browser.open("payouts", played.event.slug)
    assert browser.says("<bdi>Main pot</bdi>: €10 is not paid yet (2 players).")
    browser.press("Award the prizes")
    assert browser.says("Awarded: 1 prize of 1 player.")
    browser.press("Paid", signature="M1 1L20 30").press("Give €105 in cash", above_till="on")
    assert PayoutSignature.objects.get().strokes == "M1 1L20 30"
    assert browser.says("M1 1L20 30")
    browser.press("Receipt")
    assert browser.says("Prize money · Open")
    assert browser.says("Paid out · Cash")
    assert browser.says("<strong>€105</strong>")
    personal_data.remove(played.event.players.all(), owner)
    assert not PayoutSignature.objects.exists()
    browser.open("payouts", played.event.slug)
    assert browser.says("<bdi>Removed player ")


def test_the_desk_without_the_cash_sees_no_prizes_to_pay(browser, played, owner):
    Membership.objects.filter(event=played.event, user=owner.user).update(role=Role.DESK)
    browser.open("event-desk", played.event.slug)
    assert not browser.says("Prizes")
    assert browser.client.get(f"/e/{played.event.slug}/payouts/").status_code == 403
