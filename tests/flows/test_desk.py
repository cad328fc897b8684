"""The desk of an event in a real browser: one tap for each frequent action, filters, keyboard, live number."""

import re
import uuid
from collections.abc import Callable

from playwright.sync_api import Page, expect

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow
from rules.ruleset import PRESETS
from tests.flows.page_checks import nothing_grave
from tests.flows.test_room import apart, sign_in
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.events import setup
from tournament.models import Pairing, Tournament
from tournament.results import desk
from tournament.room import tables

DESK = "/e/friday-night/desk/"


def two_tournaments() -> tuple[Tournament, Actor, str]:
    """A knock-out of 8 with one table, and a Swiss of 4 whose first round is played; the sign-in link of the desk."""
    director = stories.director()
    made = stories.released(director, 8, lengths=(3,))
    plan = setup.TournamentPlan("Swiss", PRESETS["tournament"], (3,), format=Format(Kind.SWISS, rounds=2))
    swiss = setup.create_tournament(made.event, plan, director)
    stories.draw_and_release(swiss, director, 4)
    for pairing in stories.playable(swiss):
        stories.play(pairing, director)
    tables.add(made.event_id, "1", director)
    return made, director, links.make_sign_in_link(director.user)


def report(pairing: Pairing) -> None:
    desk.enter(pairing, Keeper.LEFT, NewRow(uuid.uuid4(), pairing.match_id, FinalScore(3, 1)), Actor())


def tap(page: Page, name: str) -> None:
    """The only tap of an action: from the open desk, which is shown again afterwards."""
    page.get_by_role("button", name=re.compile(name)).first.click()
    page.wait_for_load_state()


def test_frequent_actions_take_one_tap_and_the_rest_the_keyboard(stage, new_page):
    made, _director, link = apart(stage, two_tournaments)
    matches = apart(stage, lambda: stories.playable(made))
    page = new_page()
    sign_in(page, link)
    page.goto(DESK)
    expect(page).to_have_title(re.compile(r"^\(2\) Desk"))

    tap(page, "^Pair and release round 2")
    expect(page.locator(".message--success")).to_contain_text("The round is released")
    expect(page).to_have_url(re.compile(DESK))
    tap(page, "^Call (?!selected)")
    expect(page.locator(".message--success")).to_contain_text("Table 1")
    expect(page).to_have_title(re.compile("^Desk"))

    apart(stage, lambda: report(matches[1]))
    page.evaluate("document.dispatchEvent(new CustomEvent('live:ask'))")
    expect(page).to_have_title(re.compile(r"^\(1\) Desk"))
    expect(page.locator("[data-urgent]")).to_contain_text("1")
    tap(page, "^Confirm (?!selected)")
    expect(page.locator(".message--success")).to_contain_text("Posted: ")

    page.get_by_label("Tournament").select_option("open")
    expect(page.locator("tr[data-row]")).to_have_count(3)
    page.locator("h2").first.click()
    name = matches[2].left.player.name
    page.keyboard.press("/")
    page.keyboard.type(name[:-1])
    expect(page.locator("tr[data-row]")).to_have_count(1)
    assert "find=" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("tr[data-row]")).to_have_count(3)
    sort_and_read_the_keys(page)
    page.locator("h2").first.click()
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/open/desk/{matches[2].pk}/"))
    enter_by_number(page, matches[2], lambda: apart(stage, lambda: report(matches[3])))


def sort_and_read_the_keys(page: Page) -> None:
    page.get_by_role("link", name="Players").click()
    expect(page.get_by_role("columnheader", name="Players")).to_have_attribute("aria-sort", "ascending")
    page.wait_for_load_state()  # the script that reads keys
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Open match 12 to enter its result")
    nothing_grave(page)
    page.keyboard.press("Escape")


def enter_by_number(page: Page, match: Pairing, report_another: Callable[[], None]) -> None:
    """The keys are “e”, the number, Enter, points, Enter, points, Enter. The next result needs no click.

    The report of another match changes the page, but the form and its focus stay.
    """
    left, right = match.left.player.name, match.right.player.name
    page.goto("/e/friday-night/open/desk/")
    page.keyboard.press("e")
    for typed in ("3", "1", "3"):
        page.keyboard.type(typed)
        expect(page.locator(".quick__points label bdi")).to_have_text([left, right])
        page.keyboard.press("Enter")
    message = page.locator("#quick .message--success")
    expect(message).to_contain_text(f"Posted: {left} 1–3 {right}")
    expect(message).to_be_in_viewport(ratio=1)
    expect(page.locator("#quick [name=who]")).to_be_focused()
    assert "entered" not in page.url, "a reload does not show the message again"
    report_another()
    page.evaluate("document.dispatchEvent(new CustomEvent('live:ask'))")
    expect(page.get_by_role("button", name=re.compile("^Confirm (?!selected)")).first).to_be_visible()
    expect(page.locator("#quick [name=who]")).to_be_focused()
    expect(page.locator(".next-step")).to_be_visible()
