"""Two players settle their final on their phones, and the desk sees it, through the pages alone."""

from urllib.parse import urlencode

from django.http import QueryDict

from tests.tournament import stories
from tests.tournament.money.stories import with_pot
from tests.tournament.pages.browser import Browser
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.fees.amounts import format_number
from tournament.pages.money.settlement_forms import SettlementForm
from tournament.queries.money.settlements import load_settlement_page


def test_two_phones_hedge_and_only_they_and_people_with_money_see_it(browser, owner):
    made = with_pot(stories.released(owner, 4), owner)
    pairing = stories.playable(made)[0]
    one, other = (
        Browser().go(f"/p/{links.make_link(entry, owner)}/") for entry in (pairing.left, pairing.right)
    )
    one.open("my-settlement", pairing.match_id).press("Propose this hedge", **{"hedge-left": "45"})
    assert one.says("can give at most €40")
    for left, right in (("1e9", ""), ("", "12.345"), ("1" * 21, "-5")):
        one.press("Propose this hedge", **{"hedge-left": left, "hedge-right": right})
        assert (one.status, one.fields("Propose this hedge")["hedge-left"]) == (422, left)
    one.press("Propose this hedge", **{"hedge-left": "12.50", "hedge-right": ""})
    assert other.open("my-match", pairing.match_id).says("proposes a hedge")
    assert other.open("my-matches").says("Your opponent made a proposal")
    other.open("my-settlement", pairing.match_id).press("Accept the hedge")
    assert other.says("The hedge is agreed.")
    assert one.open("my-match", pairing.match_id).says(
        f"You agreed on a hedge with <bdi>{pairing.right.name}</bdi>."
    )
    assert not other.open("my-matches").says("Your opponent made a proposal")
    one.open("my-settlement", pairing.match_id).press("Ask to cancel the hedge")
    assert other.open("my-match", pairing.match_id).says("asks to cancel your hedge")
    place = (made.event.slug, made.slug, pairing.pk)
    assert browser.open("desk-settlement", *place).says("€12.50")
    helper = Browser(stories.helper(made.event, "desk", owner).user)
    for page in (helper.open("desk-match", *place), helper.open("event-journal", made.event.slug)):
        assert not page.says("hedge")
    assert browser.open("event-journal", made.event.slug).says("agreed on a hedge of")
    assert not browser.says("Entries ·")


def test_a_split_is_written_in_amounts_or_percent_and_the_rest_is_for_the_other(owner):
    made = with_pot(stories.released(owner, 4), owner)
    for semifinal in stories.playable(made):
        stories.play(semifinal, owner)
    page = load_settlement_page(stories.playable(made)[0])
    winner = page.favorite.entry.pk

    def split(left, right):
        form = SettlementForm(page, QueryDict(urlencode({"winner": winner, "left": left, "right": right})))
        return form.agreement().amounts if form.is_valid() else form.errors

    proposed = format_number(page.suggested[1], "en")
    for left, right in (
        ("75", "45"), ("75", ""), ("", "45"), ("62.5 %", ""), ("62,5 %", proposed), ("62.5 %", "37.5 %"),
    ):  # fmt: skip
        assert split(left, right) == (75_00, 45_00)
    assert split("33.33 %", "66.67 %") == (40_00, 80_00)
    for left, right in (("", ""), ("130", ""), ("50 %", "40 %"), ("120 %", ""), ("75", "40")):
        assert not isinstance(split(left, right), tuple)


def test_two_phones_agree_and_only_the_desk_with_money_sees_the_amounts(browser, owner):
    made = with_pot(stories.released(owner, 4), owner)
    for semifinal in stories.playable(made):
        stories.play(semifinal, owner)
    (final,) = stories.playable(made)
    one, other = (Browser().go(f"/p/{links.make_link(entry, owner)}/") for entry in (final.left, final.right))
    one.open("my-settlement", final.match_id).press("Propose this", left="75", right="50")
    assert one.says("Both amounts together must be €120.")
    one.press("Propose this", left="-5", right="125")
    assert one.says("An amount cannot be negative.")
    one.press("Propose this", left="75", right="45")
    assert not one.open("my-matches").says("Your opponent made a proposal")
    assert other.open("my-matches").says("Your opponent made a proposal")
    assert other.open("my-match", final.match_id).says("proposes to settle the match")
    other.open("my-settlement", final.match_id).press("Accept: end the match")
    assert other.says("You have settled the match.")
    other.open("my-match", final.match_id)
    assert other.says(f"Settlement with <bdi>{final.left.name}</bdi>: the match is over.")
    place = (made.event.slug, made.slug, final.pk)
    assert browser.open("desk-match", *place).says("settled by agreement")
    assert browser.says("€75")
    correct = ("desk-correct", *place)
    query = "?outcome=played&left=3&right=0"
    assert browser.open(*correct, query=query).says("The agreement of the two players no longer counts")
    browser.open("desk-correct", *place)
    assert "data-live=" in browser.text
    settled = browser.fields("Show consequences")["outcome"]
    address = f"{browser.path}?outcome={settled}&right={final.round.length}"
    refused = browser.go(address)
    assert refused.status == 422
    assert "data-live=" not in refused.text
    browser.go(f"{address}&left=0")
    assert browser.says("Confirm the correction")
    assert browser.fields("Correct the result")["outcome"] == "played"
    advancing.advance_waiting()
    browser.open("payouts", made.event.slug).press("Award the prizes")
    assert browser.says(f"€5 · <bdi>{made.name}</bdi>, <bdi>settlement with {final.left.name}, match 3</bdi>")
    assert browser.says(f"<bdi>Settlement with {final.right.name}, match 3</bdi>: gave €5, already taken out")
    desk = Browser(stories.helper(made.event, "desk", owner).user).open("desk-match", *place)
    assert desk.says("settled by agreement")
    assert not desk.says("€75")
