"""The room in real browsers: tap, drag, the update of a phone, and a worker that calls the next match."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from playwright.sync_api import Page, expect

from tests.flows.page_checks import PHONE, SOON, nothing_grave
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.models import Call, Tournament
from tournament.room import tables

AFTER_A_SWEEP = 30_000
ROOM = "/e/friday-night/room/"
Done = TypeVar("Done")

TONES = """window.tones = 0;
AudioContext.prototype.createOscillator = ((make) => function () { window.tones += 1; return make.call(this); })(
  AudioContext.prototype.createOscillator);"""


def apart(stage, work: Callable[[], Done]) -> Done:
    """Work with the rows of the stage in a thread of its own, for a browser leaves no room here."""

    def run() -> Done:
        with stage.database():
            return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def eight_players() -> tuple[Tournament, Actor, str, str]:
    """Their tournament with two tables, its director, a player's token and the director's sign-in link."""
    director = stories.director()
    made = stories.released(director, 8, lengths=(3,))
    tables.add(made.event_id, "1-2", director)
    first = stories.playable(made)[0]
    return made, director, links.make_link(first.left, director), links.make_sign_in_link(director.user)


def table_one_is_decided(made: Tournament, director: Actor) -> None:
    tables.set_calling(made.event_id, director, by_itself=True, second_call_after=5)
    stories.post(Call.objects.get(table__name="1", ended_at=None).pairing, director)


def sign_in(page: Page, link: str) -> None:
    page.goto(link)
    page.locator("main").get_by_role("button").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def test_matches_are_called_by_tap_and_drag_and_the_next_automatically(stage, new_page):
    made, director, token, link = apart(stage, eight_players)
    desk, phone = new_page(), new_page(PHONE)
    sign_in(desk, link)
    phone.add_init_script(TONES)
    phone.goto(f"/p/{token}/")
    phone.get_by_role("button", name="Ring when I am called").click()
    expect(phone.locator("[data-ring-says]")).to_contain_text("This phone rings when you are called.")
    assert phone.evaluate("tones") == 2, "a tap lets it be heard"
    watching = new_page(storage_state=desk.context.storage_state(), java_script_enabled=False)
    desk.goto(ROOM)
    nothing_grave(desk)

    waiting = desk.locator(".waiting__match")
    expect(waiting).to_have_count(4)
    waiting.nth(0).click()
    desk.get_by_role("button", name="Put here at table 1").click()
    expect(desk.locator(".message--success")).to_contain_text("Table 1: ")
    expect(phone.locator("main")).to_contain_text("You are called. Go there now.", timeout=SOON)
    expect(phone.locator(".board__call strong")).to_have_text("Table 1")
    expect(phone).to_have_title("● Called to table 1")
    assert phone.evaluate("tones") == 8
    nothing_grave(phone)
    phone.reload()
    expect(phone).to_have_title("● Called to table 1")
    assert phone.evaluate("tones") == 0, "one call rings once"

    desk.locator(".waiting__match").nth(0).drag_to(desk.locator("[data-drop]").first)
    expect(desk.locator(".spot--called")).to_have_count(2)
    expect(desk.locator(".aloud__line").first).to_contain_text("Table 2: ")
    nothing_grave(desk)

    watching.goto(ROOM)
    watching.locator(".spot--called").nth(1).get_by_role("button", name="Take back").click()
    watching.locator(".waiting__match input").nth(0).check()
    watching.get_by_role("button", name="Put here at table 2").click()
    expect(watching.locator(".spot--called")).to_have_count(2)

    desk.evaluate("window.notReloaded = true")
    apart(stage, lambda: table_one_is_decided(made, director))
    expect(desk.locator(".waiting .row")).to_have_count(1, timeout=AFTER_A_SWEEP)
    expect(desk.locator(".aloud__line").first).to_contain_text(re.compile(rf"Table 1: .*{made.name}"))
    assert desk.evaluate("window.notReloaded") is True
