"""The script that guards taps on buttons that move money, in a real browser without a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tests import browsers

SCRIPT = Path(__file__).resolve().parents[4] / "templates" / "static" / "tap_guard.js"
PAGE = """<!doctype html><p role="status" data-missed="The list moved."></p><div id="list"></div>
<style>form { display: block; height: 60px } button { display: block; width: 200px; height: 50px }</style>
<script>
  const form = (name) => `<form><input type="hidden" name="key"><input type="hidden" name="player" value="${name}">` +
    `<button type="submit" id="${name}">20 EUR</button></form>`;
  const list = document.getElementById("list");
  const show = (...names) => { list.innerHTML = names.map(form).join(""); };
  show("ana", "bo", "cy");
  window.recorded = [];
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    window.recorded.push(event.target.elements.player.value);
  });
  const say = (name) => document.dispatchEvent(new CustomEvent(name));
  const swap = (...names) => { say("live:swapping"); show(...names); say("live:swapped"); };
  const tap = (left, top) => document.elementFromPoint(left, top).dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: left, clientY: top }));
  const middleOf = (name) => {
    const { left, top, width, height } = document.getElementById(name).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
</script>"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        chromium = browsers.launch(playwright)
        page = chromium.new_page()
        page.route("http://hall.test/*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        yield page
        chromium.close()


def taps(page: Page, script: str) -> tuple[list[str], list[str]]:
    """Runs the script on a new page without a pause: the players who paid, and whose buttons are busy then."""
    page.goto("http://hall.test/")
    page.add_script_tag(path=SCRIPT)
    busy = "[...document.querySelectorAll('[aria-busy=true][aria-disabled=true]')].map(({ id }) => id)"
    recorded, marked = page.evaluate(f"() => {{ {script}; return [window.recorded, {busy}]; }}")
    return recorded, marked


def test_a_tap_on_a_button_that_did_not_move_is_taken_right_after_a_change(page):
    assert taps(page, 'swap("ana", "bo", "cy"); tap(...middleOf("bo"))') == (["bo"], [])
    assert taps(page, 'swap("ana", "bo"); tap(...middleOf("bo"))') == (["bo"], [])
    scrolled = 'swap("ana", "bo"); list.style.marginTop = "-60px"; tap(...middleOf("bo"))'
    assert taps(page, scrolled) == (["bo"], []), "a finger that scrolls knows what it taps"


def test_a_tap_that_meets_a_button_that_has_just_moved_is_dropped_with_a_sign(page):
    aimed_at_ana = 'const aimed = middleOf("ana"); swap("bo", "cy"); tap(...aimed)'
    assert taps(page, aimed_at_ana) == ([], ["bo"])
    assert page.locator("[data-missed]").text_content() == "The list moved."
