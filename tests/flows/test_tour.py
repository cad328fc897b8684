"""A new director follows the next-step line from nothing to the archive."""

from playwright.sync_api import Page, expect

from tests.flows.page_checks import nothing_grave
from tests.flows.test_browser import sign_in

PLAYERS = ("Ana Novak", "Βασίλης Ρήγας", "小林 陽菜", "Zoë Brandt")


def follow(page: Page, words: str) -> None:
    """Takes the next step that the page names."""
    page.locator(".next-step .button--primary").filter(has_text=words).click()


def press(page: Page, words: str) -> None:
    page.locator("main").get_by_role("button", name=words, exact=True).click()


def create_event_and_tournament(page: Page, name: str) -> None:
    page.locator("input[name=name]").fill(name)
    press(page, "Create event")
    expect(page.get_by_role("heading", level=1)).to_have_text("New tournament")
    page.locator("button.preset", has_text="Swiss, 5 rounds").click()
    page.locator("input[name=name]").fill("Open")
    page.locator("input[name=rounds]").fill("2")
    press(page, "Create tournament")


def enter_results_of_round(page: Page) -> None:
    """Both matches, by their numbers."""
    for _ in range(2):
        number = page.locator(".match-table__number").first.inner_text()
        page.locator("#quick [name=who]").fill(number)
        page.locator("#quick [name=own]").fill("7")
        page.locator("#quick [name=other]").fill("2")
        press(page, "Enter the result")
        expect(page.locator(".message--success")).to_be_visible()
        page.wait_for_load_state()


def undo(page: Page) -> None:
    page.locator(".messages").get_by_role("button", name="Undo").click()
    nothing_grave(page)


def test_the_next_step_line_leads_from_nothing_to_the_archive(stage, new_page):
    page = new_page()
    sign_in(page, stage)
    page.get_by_role("link", name="Create your first event").click()
    create_event_and_tournament(page, "First evening")
    for player in PLAYERS:
        page.locator("#id_name").fill(player)
        page.locator("#id_name").press("Enter")
        expect(page.locator("#entry-rows")).to_contain_text(player)
    follow(page, "Lengths and draw")
    press(page, "Draw")
    press(page, "Release the draw")
    follow(page, "Slips for phones")
    page.locator("[data-select=entry] [name=all]").check()
    press(page, "Print slips")
    follow(page, "Go to the desk")
    enter_results_of_round(page)
    page.locator(".urgent").get_by_role("button", name="Pair and release round 2").click()
    enter_results_of_round(page)
    follow(page, "Winners and results")
    expect(page.get_by_role("link", name="Ana Novak").first).to_be_visible()
    follow(page, "Publish the event")
    follow(page, "Overview of the event")
    follow(page, "Archive the event")
    press(page, "Archive the event")
    expect(page.locator(".message--success")).to_contain_text("The event is in the archive")
    undo(page)
    expect(page.locator(".message--success")).to_contain_text("out of the archive")
