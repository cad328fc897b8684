"""The kiosk on a tablet, upright and across: find a name while typing, check in by one tap, and be gone."""

from playwright.sync_api import Page, expect

from tests.flows.page_checks import nothing_grave
from tests.flows.test_two_phones import apart
from tests.tournament import stories
from tournament.entries import kiosk
from tournament.models import Entry

UPRIGHT, ACROSS = {"width": 768, "height": 1024}, {"width": 1024, "height": 768}
FINGER = 60


def a_hall_at_the_door() -> str:
    """Returns the address of the kiosk of an event of thirty players."""
    director = stories.director()
    made = stories.released(director, 30)
    return f"/k/{kiosk.turn_on(made.event, director)}/"


def test_players_check_in_at_a_tablet(stage, new_page):
    start = apart(stage, a_hall_at_the_door)
    for size in (UPRIGHT, ACROSS):
        page = new_page(size)
        checks_in_while_typing(page, start)
        page.clock.install()
        page.reload()
        page.clock.run_for(21_000)
        expect(page.get_by_placeholder("Your name")).to_be_visible()
        assert page.url.endswith(start)
    names = apart(
        stage, lambda: list(Entry.objects.filter(checked_in_at=None).values_list("player__name", flat=True))
    )
    assert len(names) == 29


def checks_in_while_typing(page: Page, start: str) -> None:
    page.goto(start)
    page.get_by_placeholder("Your name").press_sequentially("sule 24")
    name = page.get_by_role("button", name="Şule 24")
    expect(page.locator(".kiosk__name")).to_have_count(1)
    box = name.bounding_box()
    assert box
    assert box["height"] >= FINGER
    nothing_grave(page)
    name.tap() if page.evaluate("'ontouchstart' in window") else name.click()
    expect(page.get_by_role("heading", name="Şule 24")).to_be_visible()
    expect(page.get_by_text("You are checked in.")).to_be_visible()
    expect(page.get_by_text("against")).to_be_visible()
