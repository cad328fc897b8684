"""A screen in the hall, an overlay and a spectator in real browsers: all follow a phone, and outlive the server."""

import re
import uuid
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, expect

from deploy.bench.proxy import GOOD_NETWORK, NetworkConditions
from rules.score import Game, Side
from tests.flows.hall import Hall, OpenMatch, game_row, open_hall
from tests.flows.page_checks import PHONE, nothing_grave
from tests.flows.stage import Stage
from tests.tournament import stories
from tournament.screens.display_links import create_display
from tournament.screens.plan import LONGEST_SECONDS, Plan, SlideKind
from tournament.screens.slides import add_slide

WALL = {"width": 1920, "height": 1080}


def opened(stage: Stage) -> tuple[Hall, str]:
    """A hall of four and the address of its screen; made in a thread of its own, for a browser leaves no room here."""

    def work() -> tuple[Hall, str]:
        hall = open_hall(stage, 4, length=5)
        with stage.database():
            director = stories.director()
            event = hall.tournament.event
            add_slide(event, "Supper at seven", b"", director)
            plan = Plan({SlideKind.BRACKETS: 8, SlideKind.SLIDES: LONGEST_SECONDS})
            return hall, f"/d/{create_display(event, 'Wall', plan, director)[1]}/"

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def follow_left(page: Page, table: OpenMatch) -> None:
    page.goto(f"/e/friday-night/open/players/{table.left}/")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Followed")).to_be_visible()
    page.goto("/e/friday-night/")
    expect(page.locator(".follow")).to_contain_text("Semifinals")
    nothing_grave(page)


def look_at_screen(page: Page, address: str) -> None:
    """Slides advance automatically, pause on request, and follow the keyboard."""
    page.goto(address)
    slide = page.locator(".slide.is-shown")
    expect(slide).to_contain_text("Semifinals")
    nothing_grave(page)
    expect(slide).to_contain_text("Supper at seven")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    expect(slide).to_contain_text("Semifinals")
    page.set_viewport_size(PHONE)
    nothing_grave(page)
    page.set_viewport_size(WALL)


def left_wins(hall: Hall, table: OpenMatch, tail: uuid.UUID) -> uuid.UUID:
    """The left player's phone enters a game after this one; returns its key."""
    row = game_row(Game(Side.LEFT), tail)
    hall.phone(table.left).send(f"/api/v1/matches/{table.match}/games/", row)
    return uuid.UUID(row["key"])


def test_a_screen_an_overlay_and_a_spectator_page_reconnect_after_a_restart(stage, new_page):
    hall, address = opened(stage)
    table, wall = hall.open_matches()[0], new_page(WALL, reduced_motion="reduce")
    look_at_screen(wall, address)
    overlay, fan = new_page(WALL), new_page(PHONE)
    overlay.goto(f"/e/friday-night/open/match/{table.match}/overlay/")
    expect(overlay.locator(".chance").first).to_have_text("50%")
    assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    follow_left(fan, table)
    pages = (wall, overlay, fan)
    for page in pages:
        page.evaluate("window.notReloaded = true")
    shows = {
        wall: wall.locator(".slide.is-shown"),
        overlay: overlay.locator(".bug"),
        fan: fan.locator(".follow"),
    }

    tail = left_wins(hall, table, table.match)
    expect(shows[overlay].locator(".points").first).to_have_text("1")
    expect(shows[fan]).to_contain_text("1–0")
    expect(shows[wall].locator(".pair--playing b").first).to_have_text("1")

    stage.kill_webs()
    stage.proxy.change(NetworkConditions(is_cut=True))
    mark = wall.locator(".cut-off")
    expect(mark).to_contain_text(re.compile(r"No connection since \d\d:\d\d"))
    expect(shows[wall]).to_contain_text("Semifinals")
    stage.proxy.change(GOOD_NETWORK)
    stage.bring_webs_back()
    expect(mark).to_be_hidden()
    tail = left_wins(hall, table, tail)
    expect(shows[wall].locator(".pair--playing b").first).to_have_text("2")
    expect(shows[overlay].locator(".points").first).to_have_text("2")
    expect(shows[fan]).to_contain_text("2–0")
    assert all(page.evaluate("window.notReloaded") for page in pages)

    wall.evaluate(
        "document.querySelector('.deck').dataset.edition = document.body.dataset.old = 'of last year'"
    )
    left_wins(hall, table, tail)
    expect(wall.locator("body[data-old]")).to_have_count(0)
    expect(wall.locator(".pair--playing b").first).to_have_text("3")
