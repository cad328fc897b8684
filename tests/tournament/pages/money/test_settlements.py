"""Two players settle their final on their phones, and the desk sees it, through the pages alone."""

from tests.tournament import stories
from tests.tournament.money.test_awards import with_pot
from tests.tournament.pages.browser import Browser
from tournament.accounts import links
from tournament.brackets import advancing


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
    assert other.open("my-match", final.match_id).says("proposes to settle the match")
    other.open("my-settlement", final.match_id).press("Accept: end the match")
    assert other.says("You have settled the match.")
    place = (made.event.slug, made.slug, final.pk)
    assert browser.open("desk-match", *place).says("settled by agreement")
    assert browser.says("€75")
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
    assert browser.says("agreement in match 3")
    desk = Browser(stories.helper(made.event, "desk", owner).user).open("desk-match", *place)
    assert desk.says("settled by agreement")
    assert not desk.says("€75")
