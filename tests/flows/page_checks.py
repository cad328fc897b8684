"""Checks of every page: axe, widths, large text, right-to-left layout, keyboard and long names."""

import re
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests import servers

PHONE = {"width": 360, "height": 720}

WIDTHS = (360, 768, 1440)
GRAVE = Path(__file__).with_name("grave.js").read_text()
FIRST_CONTENT = Path(__file__).with_name("first_content.js").read_text()
CONTENT_WITHIN = {1440: 200, 360: 160}
ONE_LINE = 24
NAMES_IN_TITLE = re.compile(r"/(desk|players|match|entries)/[0-9a-f-]+/")
NOT_FOR_PHONES = re.compile(r"/(reach|sheet)/")
HEIGHT = 800
STOPS_OF_PAGE, STOPS_OF_CONTENT = 15, 8
LONG = ["Donaudampfschifffahrtsgesellschaftskapitän", "Παπαχατζηκωνσταντινοπούλου-Αρχοντοπούλου"]
HANGS_OVER = """() => {
  if (!document.body) return [];
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide <= 1) return [];
  const scrolls = (node) => node && (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(node).overflowX)
    || scrolls(node.parentElement));
  const out = (box) => box.width && (box.right > window.innerWidth + 1 || box.left < -1);
  const found = [...document.body.querySelectorAll("*")].filter((node) =>
    out(node.getBoundingClientRect()) && !scrolls(node.parentElement));
  return [wide, ...found.slice(0, 3).map((node) => node.outerHTML.slice(0, 120))];
}"""
LETTERS = "(size) => { document.documentElement.style.fontSize = size; }"
NAMES = """(long) => {
  document.querySelectorAll("main bdi, header bdi").forEach((name, number) => {
    name.textContent = long[number % long.length];
  });
}"""
WATCH = """(isWhole) => {
  const isSeen = (held) => {
    const around = held.closest("label, .key, .choice, summary") || held;
    return [held, around, held.nextElementSibling || held].map((one) => getComputedStyle(one)).some((style) =>
      style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
  };
  document.activeElement?.blur();
  if (!isWhole) {
    const main = document.querySelector("main");
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
  scrollTo(0, 0);
  window.stops = [];
  addEventListener("focusin", (event) => stops.push([event.target.outerHTML.slice(0, 120), isSeen(event.target)]));
}"""


def nothing_grave(page: Page) -> None:
    """axe finds nothing serious, and nothing hangs over the edge of the screen."""
    page.wait_for_load_state()  # a click before may still be leading to another page
    axe_finds_nothing(page)
    fits(page, "as it is")


def axe_finds_nothing(page: Page, *, is_known: bool = False) -> None:
    """On the first run only: pages are the same on every database."""
    if not servers.uses_sqlite():
        if not page.evaluate("'axe' in window"):
            page.evaluate(f"{AXE_SCRIPT}; null")
        assert page.evaluate(GRAVE, is_known) == [], page.url


def keyboard_reaches_every_control(page: Page, *, is_whole: bool) -> None:
    """Tab moves through the first elements of the whole page or of its content, each with a visible focus."""
    page.evaluate(WATCH, is_whole)
    for _ in range(STOPS_OF_PAGE if is_whole else STOPS_OF_CONTENT):
        page.keyboard.down("Tab")
    page.keyboard.up("Tab")
    stops = page.evaluate("stops")
    assert stops, f"nothing on {page.url} can be reached by keyboard"
    unseen = [stop for stop, is_seen in stops if not is_seen]
    assert not unseen, (page.url, unseen)


def fits_large_text_and_other_scripts(page: Page) -> None:
    """All unfolded: on a phone with letters twice as large, from right to left and with very long names; on a tablet
    with both long names and large letters."""
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    page.evaluate(LETTERS, "200%")
    fits(page, "twice the letters on a phone")
    page.evaluate(LETTERS, "")
    page.evaluate(NAMES, LONG)
    fits(page, "long names")
    page.evaluate("document.documentElement.dir = 'rtl'")
    fits(page, "right to left with long names")
    page.evaluate("document.documentElement.dir = 'ltr'")
    page.set_viewport_size({"width": WIDTHS[1], "height": HEIGHT})
    page.evaluate(LETTERS, "200%")
    fits(page, "twice the letters")


def fits(page: Page, how: str) -> None:
    hanging = page.evaluate(HANGS_OVER)
    assert not hanging, (page.url, how, hanging)


def content_begins_high(page: Page, width: int) -> None:
    """The first content begins within the limit for this width. A title may wrap once, one of names four times."""
    if width == WIDTHS[0] and NOT_FOR_PHONES.search(page.url):
        return
    top, words = page.evaluate(FIRST_CONTENT)
    lines = 4 if NAMES_IN_TITLE.search(page.url) else 1
    assert top <= CONTENT_WITHIN[width] + lines * ONE_LINE, (page.url, width, top, words)


def look_at(page: Page, *paths: str, status: int = 200) -> None:
    """Each page on a tablet; by keyboard and axe at the widest by day, at the narrowest by night; and for other eyes.

    The keyboard passes the head of the first page only, which is the same on the others.
    A page is left at the width at which the next one is met, since each new width lays out all of it anew.
    """
    page.add_init_script(AXE_SCRIPT)
    for number, path in enumerate(paths):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": WIDTHS[1], "height": HEIGHT})
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == status, path
        fits(page, "on a tablet")
        page.set_viewport_size({"width": WIDTHS[2], "height": HEIGHT})
        keyboard_reaches_every_control(page, is_whole=number == 0)
        nothing_grave(page)
        content_begins_high(page, WIDTHS[2])
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        axe_finds_nothing(page, is_known=True)
        fits(page, "on a phone")
        content_begins_high(page, WIDTHS[0])
        fits_large_text_and_other_scripts(page)
