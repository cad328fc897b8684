"""The room in real browsers: tap, drag, the update of a phone, and a worker that calls the next match."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from playwright.sync_api import Locator, Page, expect

from tests.flows.page_checks import PHONE, nothing_grave
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.models import Call, Tournament
from tournament.room import tables

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


def drag(page: Page, item: Locator, target: Locator) -> None:
    """Moves the mouse with a pressed button in steps, as a hand does."""
    item.hover()
    page.mouse.down()
    target.hover()
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def moved_by_mouse_and_keyboard(desk: Page) -> None:
    """A match is dragged to table 2 and back to the waiting ones; undone; then moved by keys. Ends at table 2."""
    table_2 = desk.locator(".spot", has=desk.locator(".spot__name", has_text=re.compile("^2$")))
    name = desk.locator(".waiting__match").nth(0).get_attribute("data-drag-name")
    drag(desk, desk.locator(".waiting__match strong").nth(0), desk.locator("li[data-drop]"))
    expect(table_2.locator("[data-drag]")).to_have_attribute("data-drag-name", name)
    expect(desk.locator(".message--success")).to_contain_text("Table 2: ")

    drag(desk, table_2.locator("[data-handle]"), desk.locator(".waiting .row").last)
    expect(desk.locator(".message--success")).to_contain_text("The call is taken back")
    desk.get_by_role("button", name="Undo").click()
    expect(table_2.locator("[data-drag]")).to_have_attribute("data-drag-name", name)
    desk.get_by_role("button", name="Undo").wait_for(state="detached")

    handle = table_2.locator("[data-handle]")
    handle.focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#drag-words")).to_contain_text(f"{name} is picked up.")
    desk.keyboard.press("End")
    expect(desk.locator("#drag-words")).to_contain_text("Waiting.")
    desk.keyboard.press("Escape")
    expect(desk.locator("#drag-words")).to_have_text("Nothing is moved.")
    expect(handle).to_be_focused()
    desk.keyboard.press("Space")
    desk.keyboard.press("ArrowDown")
    expect(desk.locator("#drag-words")).to_contain_text("Without a table.")
    desk.keyboard.press("Enter")
    expect(desk.locator(".spot", has_text="without a table")).to_contain_text(name.partition(" – ")[0])
    desk.locator(".spot", has_text="without a table").locator("[data-handle]").focus()
    desk.keyboard.press("Enter")
    desk.keyboard.press("2")
    expect(desk.locator("#drag-words")).to_contain_text("Table 2.")
    desk.keyboard.press("Enter")
    expect(table_2.locator("[data-drag]")).to_have_attribute("data-drag-name", name)
    expect(desk.locator(".aloud__line").first).to_contain_text("Table 2: ")
    assert desk.evaluate("window.notReloaded") is True


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

    waiting = desk.locator(".waiting__match")
    expect(waiting).to_have_count(4)
    desk.evaluate("window.notReloaded = true")
    waiting.nth(0).locator("strong").click()
    desk.get_by_role("button", name="Put the chosen match at table 1").click()
    expect(desk.locator(".message--success")).to_contain_text("Table 1: ")
    expect(phone.locator("main")).to_contain_text("You are called. Go there now.")
    expect(phone.locator(".board__call strong")).to_have_text("Table 1")
    expect(phone).to_have_title("● Called to table 1")
    assert phone.evaluate("tones") == 8
    phone.reload()
    expect(phone).to_have_title("● Called to table 1")
    assert phone.evaluate("tones") == 0, "one call rings once"

    moved_by_mouse_and_keyboard(desk)
    nothing_grave(desk)

    watching.goto(ROOM)
    watching.locator(".spot--called").nth(1).get_by_role("button", name="Take back").click()
    watching.locator(".waiting__match input").nth(0).check()
    watching.get_by_role("button", name="Put the chosen match at table 2").click()
    expect(watching.locator(".spot--called")).to_have_count(2)

    apart(stage, lambda: table_one_is_decided(made, director))
    expect(desk.locator(".waiting .row")).to_have_count(1)
    expect(desk.locator(".aloud__line").first).to_contain_text(re.compile(rf"Table 1: .*{made.name}"))
    assert desk.evaluate("window.notReloaded") is True
