"""Fees set in the form, and payments taken at the cash desk, through the pages alone."""

import re
from copy import copy, deepcopy

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import change_fees, pay
from tests.tournament.pages.browser import Browser
from tournament.fees.amounts import Amount
from tournament.fees.schedule import FeeSchedule
from tournament.ledger.charging import schedule_of
from tournament.ledger.tills import till_of
from tournament.models import AccountKind, LedgerAccount, LedgerTransaction, Membership, Role
from tournament.money import tills
from tournament.money.tills import Count
from tournament.pages.money import cash_desk
from tournament.queries.money.cash_desk import cash_desk_list, totals_of
from tournament.queries.money.tills import find_till

LINES = 5
JAMAICA = {
    "currency": "USD",
    "entry": "500",
    "registration": "50",
    "share_registration": "10",
    "pool_name_1": "Side pool",
    "pool_fee_1": "200",
    "again_2": "250",
}


@pytest.fixture(scope="module")
def charged_of_module(actor_of_module):
    made = stories.entered(actor_of_module, 3)
    Browser(actor_of_module.user).open("fees", made.event.slug, made.slug).press("Save fees", **JAMAICA)
    made.refresh_from_db()
    return made


@pytest.fixture
def charged(browser, charged_of_module):
    """A tournament of three players with the fees of JAMAICA, and the owner's browser at its cash desk."""
    browser.open("cash-desk", charged_of_module.event.slug)
    return deepcopy(charged_of_module)


def totals(made):
    return totals_of(cash_desk_list(made.event))


def test_fees_set_in_the_form_are_charged_and_one_tap_takes_them(browser, charged, monkeypatch):
    assert schedule_of(charged).pool("1").fee.price == 200_00
    assert browser.says("$1,650")
    browser.press("$550 in cash")
    assert browser.says(" paid $550.")
    assert browser.fragment.startswith("line-"), "the line of the player stays in view"
    assert browser.says(f'id="{browser.fragment}"')
    assert totals(charged)[0][:3] == (Amount(1650_00, "USD"), Amount(550_00, "USD"), Amount(1100_00, "USD"))
    monkeypatch.setattr(cash_desk, "LINES", LINES)
    payer = read_all_payments_page_by_page(browser, charged)
    browser.open("player-money", charged.event.slug, payer.pk)
    browser.press(f"Take back {payer.registered_name} $550", reason="Wrong player")
    assert browser.says("Payment of ")
    assert LedgerTransaction.objects.latest("pk").journal_line.reason == "Wrong player"
    assert totals(charged)[0][1] == Amount(0, "USD")
    browser.press("Take", amount="50")
    assert totals(charged)[0][1] == Amount(50_00, "USD")


def read_all_payments_page_by_page(browser, made):
    """The only payment becomes the oldest of two pages; the search finds it."""
    first = LedgerTransaction.objects.get(deed="payment")
    undo = f"/payments/{first.pk}/undo/"
    payer = made.event.players.get(pk=first.journal_line.subject_id)
    other = made.event.players.exclude(pk=payer.pk).earliest("pk")
    for minor in [1] * LINES + [-LINES]:
        pay(made.event, other.pk, minor, stories.director(), currency="USD", method=AccountKind.BANK)
    browser.follow("All payments")
    assert (browser.text.count(">Receipt<"), browser.says(undo)) == (LINES, False)
    assert browser.follow("More").says(undo)
    browser.press("Find", find=payer.registered_name)
    assert (browser.text.count(">Receipt<"), browser.says(undo)) == (1, True)
    return payer


def test_a_part_is_paid_by_transfer_and_the_selected_pay_the_rest(browser, charged):
    browser.follow("Other").press("Take", amount="50.50", method="bank")
    assert totals(charged)[0][1] == Amount(50_50, "USD")
    stale = re.findall(r'name="players" value="([^"]+)"', browser.text)
    browser.press("$550 in cash", nth=0)
    browser.press("Selected paid in cash", players=stale)
    assert browser.says("has changed. Load the page again and check it.")
    browser.press(
        "Selected paid in cash", players=re.findall(r'name="players" value="([^"]+)"', browser.text)
    )
    assert totals(charged)[0][2] == Amount(0, "USD")
    assert browser.says("2 payments recorded. In all $1,049.50.")
    assert browser.press("Undo").says("2 payments taken back.")
    assert totals(charged)[0][2].minor > 0
    browser.press(
        "Selected paid in cash", players=re.findall(r'name="players" value="([^"]+)"', browser.text)
    )
    assert totals_are_kept_without_fees(browser, charged)


def test_a_payment_typed_beside_another_one_is_refused(browser, charged):
    other_tab = copy(browser).follow("Other")
    browser.follow("Other").press("Take", amount="4")
    assert other_tab.press("Take", amount="4").says("has changed. Load the page again and check it.")
    assert totals(charged)[0][1] == Amount(4_00, "USD")
    other_tab.press("Take", amount="4")
    assert totals(charged)[0][1] == Amount(8_00, "USD")


def test_the_page_of_a_player_takes_cash_in_one_tap_and_nobody_is_left_to_select(browser, charged, owner):
    player, *others = charged.event.players.all()
    for other in others:
        pay(charged.event, other.pk, 550_00, owner, currency="USD")
    assert browser.open("cash-desk", charged.event.slug).has_button("Selected paid in cash")
    browser.open("player-money", charged.event.slug, player.pk).press("$550 in cash")
    assert totals(charged)[0][2] == Amount(0, "USD")
    assert not browser.open("cash-desk", charged.event.slug).has_button("Selected paid in cash")


def totals_are_kept_without_fees(browser, made):
    """The claims of players stay on the page when their charges are taken back."""
    change_fees(made, FeeSchedule("USD"), stories.director())
    return browser.open("cash-desk", made.event.slug).says("Last payments")


def test_a_wrong_amount_is_named_and_records_nothing(browser, charged):
    browser.follow("Other").press("Take", amount="ten")
    assert browser.says("Write the amount as a number, such as 12 or 12.50.")
    assert 'value="ten"' in browser.text
    for button in ("Take", "Refund"):
        browser.press(button, amount="-50")
        assert browser.says("Enter an amount above zero.")
    assert LedgerTransaction.objects.filter(deed__in=("payment", "refund")).count() == 0


def test_more_than_is_open_and_more_than_the_till_holds_are_asked_once(browser, charged):
    browser.follow("Other").press("Take", amount="5500")
    assert browser.says("owes $550. To take $5,500 anyway")
    browser.press("Take", above_debt="on")
    assert browser.says(" paid $5,500.")
    browser.press("Undo").follow("Other").press("Card $550", nth=0)
    assert totals(charged)[0][1] == Amount(550_00, "USD")
    assert LedgerAccount.objects.filter(kind="card").count() == 1
    browser.press("Undo").follow("Other").press("Refund", amount="20")
    browser.press("Refund", above_claim="on")
    assert browser.says("Your till holds $0.")
    browser.press("Refund", above_till="on")
    assert browser.says(" got $20 back.")


def test_other_fees_are_charged_only_after_a_look(browser, charged, owner):
    browser.open("fees", charged.event.slug, charged.slug).press("Save fees", entry="400")
    assert browser.says("The new fees change the charges of 3 entries.")
    assert totals(charged)[0][0] == Amount(1650_00, "USD")
    cancelled = Browser(owner.user).open("fees", charged.event.slug, charged.slug)
    cancelled.press("Save fees", entry="400").follow("Cancel")
    assert cancelled.fields("Save fees")["entry"] == "500"
    browser.press("Save and charge the differences")
    assert totals(charged)[0][0] == Amount(1350_00, "USD")


def test_a_helper_at_the_desk_does_not_read_payments_in_the_journal(browser, charged):
    browser.press("$550 in cash")
    assert browser.open("event-journal", charged.event.slug).says("took a payment of")
    helper = stories.helper(charged.event, Role.DESK, stories.director())
    Membership.objects.get_or_create(event=charged.event, user=helper.user, defaults={"role": Role.DESK})
    assert not Browser(helper.user).open("event-journal", charged.event.slug).says("took a payment of")


def test_taking_back_cash_of_another_till_or_of_a_count_asks_first(browser, charged, owner):
    helper = stories.helper(charged.event, "cash", owner)
    player = charged.entries.first().player
    row = pay(charged.event, player.pk, 20_00, helper, currency="USD")
    address = ("player-money", charged.event.slug, player.pk)
    question = browser.open(*address).press(f"Take back {player.registered_name} $20", reason="Twice")
    assert question.says(f"in the till of <bdi>{helper.user.username}</bdi>")
    assert not question.says("was counted after that")
    assert not hasattr(LedgerTransaction.objects.get(pk=row.pk), "reversed_by")
    question.press("Take back")
    assert LedgerTransaction.objects.get(pk=row.pk).reversed_by.journal_line.reason == "Twice"
    assert browser.says("Payment of")
    assert browser.path.endswith(f"/{player.pk}/money/") or str(player.pk) in browser.path
    row = pay(charged.event, player.pk, 20_00, owner, currency="USD")
    last = find_till(charged.event, till_of(owner), "USD").last_transfer
    tills.close_till(charged.event, till_of(owner), "USD", Count(20_00, last, "Ana"), owner)
    question = browser.open(*address).press(f"Take back {player.registered_name} $20")
    assert question.says("signed by <bdi>Ana</bdi>")
    question.press("Take back", back="no name of a page")
    assert hasattr(LedgerTransaction.objects.get(pk=row.pk), "reversed_by")


def test_amounts_of_two_currencies_are_separated_and_rates_name_the_own_currencies(browser, charged, owner):
    player = charged.entries.first().player
    pay(charged.event, player.pk, 40_50, owner, currency="EUR", above_debt=True)
    pay(charged.event, player.pk, 20_00, owner, currency="USD")
    assert browser.open("cash-desk", charged.event.slug).says("€40.50 · $20")
    assert browser.says('Open <span class="cash__count">(3 players)</span></dt><dd>$1,630</dd>')
    hint = browser.open("exchange-rates", charged.event.slug)
    assert hint.says("Write 1.05 if 1 USD is worth 1.05 EUR.")


def test_the_list_is_sorted_by_open_amount_and_by_what_was_paid(browser, charged, owner):
    first, second, third = cash_desk_list(charged.event)
    pay(charged.event, second.player.pk, 500_00, owner, currency="USD")
    pay(charged.event, third.player.pk, 50_00, owner, currency="USD")
    in_order = {
        "": [first, second, third],
        "?sort=-name": [third, second, first],
        "?sort=-open": [first, third, second],
        "?sort=open": [second, third, first],
        "?sort=-paid": [second, third, first],
        f"?sort=-open&paid={second.player.pk}": [first, second, third],
    }
    for query, lines in in_order.items():
        browser.open("cash-desk", charged.event.slug, query=query)
        places = [browser.text.index(f'id="line-{line.player.pk}"') for line in lines]
        assert places == sorted(places), query
    browser.open("cash-desk", charged.event.slug, query="?show=open").follow("Open")
    assert browser.path.endswith("?sort=-open&amp;show=open") or browser.path.endswith(
        "?sort=-open&show=open"
    )
    assert browser.says('aria-sort="descending"')


def test_a_handover_of_cash_that_the_box_does_not_hold_says_what_is_missing(browser, charged):
    slug = charged.event.slug
    browser.open("tills", slug).press("Put cash in", amount="50", currency="EUR", reason="Float")
    browser.press("Hand over", amount="50", currency="EUR")
    assert not browser.says("The cash box lacks")
    browser.press("Hand over", amount="20", currency="EUR")
    assert browser.says("Handover recorded.")
    assert browser.says("The cash box lacks €20.")
