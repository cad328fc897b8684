"""The auction of players through the pages alone: from switching it on to a sold lot and its public list."""

from tests.tournament import stories
from tournament.models import CalcuttaLot, CalcuttaShare


def test_a_director_runs_an_auction_and_shows_its_buyers_without_amounts(browser, owner):
    made = stories.released(owner, 4)
    slugs = made.event.slug, made.slug
    browser.open("calcutta", *slugs)
    assert browser.says("No auction in this tournament")
    browser.press("Save the terms", currency="EUR", minimum="0", step="5", split="70/20")
    assert browser.says("Enter whole percentages with a sum of 100")
    browser.open("calcutta", *slugs)
    browser.press("Save the terms", currency="EUR", minimum="10", step="5", rake="10", split="100/00")
    assert browser.says("Enter up to 10 places, each above zero.")
    browser.press("Save the terms", currency="EUR", minimum="10", step="5", rake="10", split="70/30")
    public, rules = (f"/e/{made.event.slug}/{made.slug}/{page}/" for page in ("auction", "rules"))
    assert browser.client.get(public).status_code == 404
    assert public not in browser.client.get(rules).content.decode()
    entry = made.entries.earliest("entered_at")
    browser.press("Add the lot", entries=str(entry.pk))
    browser.press("Record the bid", name="Guest", amount="9")
    assert browser.says("The next bid is at least")
    browser.press("Record the bid", name="Guest", amount="50")
    browser.press("Sold to the last bidder")
    assert browser.says("Pot: €45")
    lot = CalcuttaLot.objects.get()
    browser.press("Add a lot for each player")
    assert sorted(len(row.seats.all()) for row in CalcuttaLot.objects.all()) == [1, 1, 1, 1]
    assert CalcuttaShare.objects.get(lot=lot).owner.name == "Guest"
    browser.press(
        "Save the terms", currency="EUR", minimum="10", step="5", rake="10", split="100", is_public="on"
    )
    page = browser.client.get(public).content.decode()
    assert "Guest" in page
    assert "€" not in page
    assert public in browser.client.get(rules).content.decode()
