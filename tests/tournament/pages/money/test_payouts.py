"""Prizes awarded at the desk and paid on the payout list, through the pages alone."""

import random
import re

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.money.stories import TERMS, change_event_fees, expected_lot, pay, with_pot
from tournament.entries import personal_data
from tournament.fees.schedule import EventFees, Fee, FeeSchedule
from tournament.ledger.balances import open_amounts
from tournament.models import CalcuttaLot, Entry, LedgerTransaction, Membership, PayoutSignature, Role
from tournament.money import awards, calcutta, fees
from tournament.money.calcutta import Buyer
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Part, PoolPrizes, PrizeStructure
from tournament.queries.money.payouts import payout_list
from tournament.queries.money.prize_steps import open_claims

SHARED = (Part("main", 1, 1, 20), Part("main", 2, 2, 50), Part("main", 3, 4, 15))
"""The finalist gets more than the winner, so that place and amount differ."""


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


def test_the_desk_leads_from_the_last_result_to_the_paid_prize(browser, played, owner):
    browser.open("event-desk", played.event.slug).press("Award")
    assert claims(played) == [{"EUR": -100_00}]
    browser.open("event-desk", played.event.slug)
    assert browser.says("1 player is waiting for prize money")
    browser.client.post(f"/e/{played.event.slug}/{played.slug}/award/")
    browser.open("payouts", played.event.slug)
    assert browser.says("No prize has changed.")
    assert browser.says(", <bdi>place 1</bdi>")
    assert not browser.says("Main, place 1")
    assert not browser.says("What players are worth now")
    browser.press("Pay €100 in cash")
    assert browser.says("Your till holds €0.")
    assert claims(played) == [{"EUR": -100_00}]
    browser.press("Give €100 in cash", above_till="on")
    assert (claims(played), browser.says(" was paid €100.")) == ([], True)
    assert browser.says("Your till is €100 short.")
    browser.open("cash-desk", played.event.slug)
    assert re.search("Prizes</dt><dd>€100<.*Paid out</dt><dd>€100<", browser.text, re.DOTALL)
    browser.open("payouts", played.event.slug)
    browser.press("Take back", reason="Not here yet")
    assert LedgerTransaction.objects.latest("pk").journal_line.reason == "Not here yet"
    players = re.findall(r'name="players" value="([^"]+)"', browser.text)
    address = f"/e/{played.event.slug}/payouts/"
    question = browser.client.post(f"{address}selected/", {"players": players, "method": "cash"})
    assert "Pay 1 player in cash" in question.content.decode()
    confirmed = {"players": players, "method": "cash", "above_till": "on"}
    browser.client.post(f"{address}selected/", confirmed)
    browser.go(address)
    assert (claims(played), browser.says("1 payout recorded.")) == ([], True)
    (loser,) = played.entries.exclude(player__in=[text.split()[0] for text in players])
    pay(played.event, loser.player_id, 5_00, owner)
    assert open_claims(played.event) is None
    browser.press("Undo")
    assert (open_claims(played.event).players, {"EUR": -100_00} in claims(played)) == (1, True)
    browser.open("envelopes", played.event.slug)
    assert browser.says("€100")


def test_a_signature_is_kept_until_the_data_of_the_player_are_removed(browser, played, owner):
    fees.set_schedule(played.pk, FeeSchedule("EUR", Fee(5_00)), owner)
    browser.open("payouts", played.event.slug)
    assert browser.says("<bdi>Main pot</bdi>: €10 is not paid yet (2 players).")
    assert browser.says("</bdi>: €110</li>"), "the prizes before they are awarded"
    browser.press("Award the prizes")
    assert browser.says("Awarded: 1 prize of 1 player.")
    browser.press("Pay this amount", signature="M1 1L20 30").press("Give €105 in cash", above_till="on")
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


def test_the_list_is_sorted_and_selected_and_keeps_its_order_while_it_is_paid(browser, owner):
    made = with_pot(stories.released(owner, 4), owner, PrizeStructure("EUR", SHARED, added=100_00))
    stories.play_out(made, owner, random.Random(1))
    awards.award_prizes(made.pk, owner)
    by_place = sorted(payout_list(made.event).to_pay, key=lambda line: line.prizes[0].first_place)
    names = [line.name for line in by_place]
    assert len(names) == 4
    at = (made.event.slug,)
    assert listed(browser.open("payouts", *at, query="?sort=place")) == names
    assert listed(browser.open("payouts", *at, query="?sort=name")) == sorted(names)
    largest = max(by_place, key=lambda line: line.won[0].minor).name
    assert listed(browser.open("payouts", *at, query="?sort=nothing"))[0] == largest
    browser.open("payouts", *at, query="?sort=place").follow("Select all")
    selected = re.findall(r'name="players" value="([^"]+)"[^>]* checked', browser.text)
    assert len(selected) == 4
    assert listed(browser) == names
    address = browser.fields("Pay selected") and browser.buttons("Pay selected")[0][0].action
    question = browser.client.post(address, {"players": selected, "method": "cash"})
    assert "/payouts/?sort=place" in question.content.decode()
    assert "/payouts/selected/?sort=place" in question.content.decode()
    assert f"/e/{made.event.slug}/payouts/?sort=place&amp;select=all" in question.content.decode()
    confirmed = {"players": selected, "method": "cash", "above_till": "on"}
    paid = browser.client.post(address, confirmed, HTTP_REFERER=f"http://testserver{address}", follow=True)
    assert paid.redirect_chain[-1][0].endswith("/payouts/?sort=place")
    assert payout_list(made.event).to_pay == ()


def listed(browser):
    return re.findall(r'name="players"[^>]* aria-label="([^"]+)"', browser.text)


def test_an_extra_prize_has_one_name_and_open_fees_are_the_reason_of_a_debt(browser, played, owner):
    pool = PoolPrizes("extra", (1,), ("main",), added=20_00, is_open=True)
    parts = (Part("main", 1, 1, 1),)
    played.prize_structure = structure_as_json(PrizeStructure("EUR", parts, added=100_00, pools=(pool,)))
    played.save(update_fields=["prize_structure"])
    browser.open("payouts", played.event.slug).press("Award the prizes")
    assert browser.says("<bdi>Extra prize, place 1")
    accounts = browser.client.get(reverse("money-file", args=[played.event.slug, "accounts", "csv"])).content
    assert b": Extra prize" in accounts
    browser.press("Pay €120 in cash").press("Give €120 in cash", above_till="on")
    change_event_fees(played.event, EventFees("EUR", Fee(10_00)), owner)
    assert browser.open("payouts", played.event.slug).says("€10 of fees is not paid yet")
    structure = PrizeStructure("EUR", parts, added=90_00, pools=(pool,))
    played.prize_structure = structure_as_json(structure)
    played.save(update_fields=["prize_structure"])
    assert browser.open("payouts", played.event.slug).says("€120 paid out in the whole event")


def test_what_owners_win_is_posted_before_debts_are_collected(browser, played, owner):
    browser.open("payouts", played.event.slug).press("Award the prizes").press("Pay €100 in cash")
    browser.press("Give €100 in cash", above_till="on")
    (line,) = payout_list(played.event).paid
    calcutta.set_terms(played.pk, TERMS, owner)
    calcutta.add_lots(played.pk, [list(played.entries.values_list("pk", flat=True))], owner)
    lot = CalcuttaLot.objects.get()
    calcutta.bid(played.pk, expected_lot(lot), Buyer(line.player.pk), 50_00, owner)
    calcutta.sell(played.pk, expected_lot(lot), owner)
    browser.open("payouts", played.event.slug)
    assert browser.says(f"<bdi>{line.name}</bdi>: €45")
    assert browser.says("Post them first: they can change these debts.")
    browser.press("Award the owners")
    assert not browser.open("payouts", played.event.slug).says("Post them first")
