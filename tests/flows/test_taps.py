"""Counts the taps of a director's frequent actions in a real browser."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.flows.page_checks import nothing_grave
from tests.flows.test_room import apart, eight_players, sign_in
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import Deed, Entry, LedgerTransaction, Result, Tournament
from tournament.money import fees

OPEN = "/e/friday-night/open"


class Taps:
    """Clicks, and counts the clicks."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, locator: Locator) -> None:
        self.count += 1
        locator.click()


def an_evening() -> tuple[Tournament, Actor, str]:
    """Eight players who owe fees, one match decided 3–2; and the director's sign-in link."""
    made, director, _token, link = eight_players()
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00)), director)
    stories.play(stories.playable(made)[0], director)
    return made, director, link


def test_frequent_actions_take_few_taps(stage, new_page):
    _made, _director, link = apart(stage, an_evening)
    page = new_page()
    sign_in(page, link)
    check_in_is_one_tap_without_a_reload(page)
    a_score_is_corrected_by_four_taps(page)
    a_no_show_with_withdrawal_is_two_taps(page)
    a_payment_is_one_tap_and_does_not_wait_for_the_last_one(page)
    payments = LedgerTransaction.objects.filter(deed=Deed.PAYMENT)
    assert apart(stage, payments.count) == 3
    assert apart(stage, lambda: Entry.objects.filter(checked_in_at__isnull=False).count()) == 1
    assert apart(stage, lambda: Entry.objects.filter(withdrawn_at__isnull=False).count()) == 1
    kinds = apart(
        stage, lambda: sorted(Result.objects.filter(superseded_by=None).values_list("kind", flat=True))
    )
    assert kinds == ["no_show", "played"]


def check_in_is_one_tap_without_a_reload(page: Page) -> None:
    page.goto(f"{OPEN}/entries/")
    page.evaluate("window.isSamePage = true")
    row, taps = page.locator("tbody tr").last, Taps()
    row.scroll_into_view_if_needed()
    position = page.evaluate("scrollY")
    taps.on(row.get_by_role("button", name="arrived"))
    expect(row.get_by_role("button", name="arrived")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#entry-counts")).to_contain_text("1 arrived")
    assert taps.count == 1
    assert page.evaluate("[window.isSamePage, scrollY]") == [True, position]


def a_score_is_corrected_by_four_taps(page: Page) -> None:
    page.goto(f"{OPEN}/desk/")
    taps = Taps()
    taps.on(page.get_by_role("region", name="Recent results").get_by_role("link").first)
    taps.on(page.get_by_role("link", name="Correct the result"))
    expect(page.locator("#id_left")).to_be_focused()
    page.wait_for_load_state()
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    page.keyboard.type("1")
    taps.on(page.get_by_role("button", name="Show consequences"))
    nothing_grave(page)
    taps.on(page.get_by_role("button", name="Correct the result"))
    expect(page.locator(".message--success")).to_contain_text("Result corrected")
    expect(page.locator(".standing").first).to_contain_text(re.compile("3\\s*–\\s*1"))
    assert taps.count == 4


def a_no_show_with_withdrawal_is_two_taps(page: Page) -> None:
    page.goto(f"{OPEN}/desk/")
    taps = Taps()
    taps.on(page.locator(".match-table th[scope=row] a").first)
    taps.on(page.get_by_role("button", name="no-show and withdraw").first)
    expect(page.locator(".message--success")).to_contain_text("has been withdrawn")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    assert taps.count == 2


def a_payment_is_one_tap_and_does_not_wait_for_the_last_one(page: Page) -> None:
    """Two players are tapped 150 ms apart; a double tap on the next one is one payment."""
    page.goto("/e/friday-night/cash/?show=open")
    rows = page.locator(".cash__line")
    players = rows.evaluate_all("rows => rows.map((row) => row.dataset.part)")
    first, second, third = [page.locator(f"#line-{player}").get_by_role("button") for player in players[:3]]
    page.evaluate("window.isSamePage = true")
    *boxes, third_box = [button.bounding_box() for button in (first, second, third)]
    for box in boxes:
        page.mouse.click(box["x"] + 9, box["y"] + 9)
        page.wait_for_timeout(150)
    for paid in (first, second):
        expect(paid).to_have_count(0)
    expect(page.locator(".message--success")).to_have_count(2)
    assert third.bounding_box()["y"] == third_box["y"], "no line moves under the finger"
    undo = page.locator(".message--success .button").last.bounding_box()
    assert undo["x"] + undo["width"] < third_box["x"], "no undo lies over a payment"
    third.dblclick()
    expect(third).to_have_count(0)
    expect(page.locator(".message--error")).to_have_count(0)
    expect(rows).to_have_count(len(players))
    assert page.evaluate("window.isSamePage")
