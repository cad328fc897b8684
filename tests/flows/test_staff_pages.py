"""Pages of the staff in a real browser: they show what others do, and leave alone what somebody is typing."""

import re
from contextlib import ExitStack

from playwright.sync_api import Page, Response, expect

from tests.flows.page_checks import nothing_grave
from tests.flows.test_room import apart, sign_in
from tests.tournament import stories
from tournament.accounts import links
from tournament.models import Entry, Pairing

HERE = "/e/friday-night/open/"
JOURNAL = "/e/friday-night/journal/"
NOTICE = "[data-notice]"


def four_players() -> tuple[list[Entry], Pairing, str]:
    """Two entries, a match, and the director's sign-in link."""
    director = stories.director()
    made = stories.released(director, 4)
    entries = list(made.entries.select_related("player")[:2])
    return entries, stories.playable(made)[0], links.make_sign_in_link(director.user)


def is_live(response: Response) -> bool:
    return response.request.headers.get("x-live") == "1"


def open_live(page: Page, address: str) -> None:
    """Opens the page and waits until it follows changes."""
    with page.expect_response(is_live):
        page.goto(address)


def press(page: Page, address: str, button: str, **typed: str) -> None:
    page.goto(address)
    for name, value in typed.items():
        page.locator(f"form [name={name}]").first.fill(value)
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_load_state()


def test_a_page_shows_what_others_do_and_keeps_what_is_typed(stage, new_page):
    (first, second), pairing, link = apart(stage, four_players)
    page = new_page({"width": 1280, "height": 500})
    sign_in(page, link)
    other = page.context.new_page()

    entry = f"{HERE}entries/{first.pk}/"
    open_live(page, entry)
    name = page.get_by_label("Name", exact=True)
    name.fill("Zoë Typed")
    place = page.evaluate("scrollY")
    press(other, entry, "Check in")
    expect(page.locator(".head .badge--in")).to_be_visible()
    expect(page.locator(NOTICE)).to_be_hidden()
    press(other, entry, "Save", club="Adria")
    expect(page.locator(NOTICE)).to_be_in_viewport()
    expect(name).to_have_value("Zoë Typed")
    expect(name).to_be_focused()
    assert page.evaluate("scrollY") == place
    nothing_grave(page)
    page.get_by_role("link", name="Reload").click()
    expect(page.get_by_label("Club", exact=True)).to_have_value("Adria")
    expect(page.locator(NOTICE)).to_be_hidden()
    press(other, entry, "Save", name="Zoë Renamed")
    expect(page).to_have_title(re.compile("Zoë Renamed"))

    open_live(page, JOURNAL)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    line = page.locator(f"#{page.locator('.journal__line').nth(-2).get_attribute('id')}")
    expect(line).to_be_in_viewport()
    before = line.bounding_box()
    press(other, f"{HERE}entries/{second.pk}/", "Check in")
    expect(page.locator(".journal__line").first).to_contain_text(second.player.name)
    assert abs(line.bounding_box()["y"] - before["y"]) < 2, "the line that is read stays where it is"

    match = f"{HERE}desk/{pairing.pk}/"
    open_live(page, match)
    press(other, match, "Enter the final score", left="3", right="1")
    expect(page.get_by_role("heading", name="Current result")).to_be_visible()
    expect(page.locator(".next-step")).to_contain_text(re.compile("1 of 3 matches"))


def test_more_windows_of_one_browser_than_it_has_connections_all_update_themselves(stage, new_page):
    (entry, _), _, link = apart(stage, four_players)
    page = new_page()
    sign_in(page, link)
    windows = [page.context.new_page() for _ in range(7)]
    with ExitStack() as asking:
        for window in windows:
            asking.enter_context(window.expect_response(is_live))
            window.goto(JOURNAL)
    press(page, f"{HERE}entries/{entry.pk}/", "Check in")
    for window in windows:
        expect(window.locator(".journal__line").first).to_contain_text(entry.player.name)
