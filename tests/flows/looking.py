"""What has to hold on every page for every eye and hand: axe, widths, large letters, right to left, long names."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests import servers

PHONE = {"width": 360, "height": 720}
SOON = 10_000

WIDTHS = (360, 768, 1440)
SERIOUS = """async () => {
  const states = ["class", "style", "type", "dir", "open", "disabled", "checked", "aria-current", "aria-pressed"];
  const own = (node) => node.tagName + states.map((state) => node.getAttribute(state)).join();
  const whole = (node) => `${own(node)}(${[...node.children].map(whole).join("")})`;
  const seen = new Set(), again = [];
  const walk = (node, above) => {
    const look = above + whole(node);
    if (seen.has(look)) return again.push(node);
    seen.add(look);
    [...node.children].forEach((child) => walk(child, above + own(node)));
  };
  walk(document.body, "");
  const asked = { resultTypes: ["violations"], preload: false };
  const shown = await axe.run({ exclude: again }, { ...asked, runOnly: ["color-contrast"] });
  const built = await axe.run({ ...asked, rules: { "color-contrast": { enabled: false } } });
  return [...shown.violations, ...built.violations]
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.target)]);
}"""
HEIGHT = 800
MOST_STOPS = 15
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
NAMES = """(long) => {
  document.querySelectorAll("main bdi").forEach((name, number) => { name.textContent = long[number % long.length]; });
}"""
FOCUS = """() => {
  const held = document.activeElement;
  if (!held || held === document.body) return null;
  const style = getComputedStyle(held);
  const around = held.closest("label, .key, .choice, summary") || held;
  const beside = held.nextElementSibling ? getComputedStyle(held.nextElementSibling) : style;
  const seen = [style, getComputedStyle(around), beside].some((one) =>
    one.outlineStyle !== "none" && parseFloat(one.outlineWidth) > 0);
  return [held.outerHTML.slice(0, 120), seen];
}"""


def nothing_grave(page: Page) -> None:
    """axe finds nothing serious, and nothing hangs over the edge of the screen.

    axe judges what the browser was sent, which is the same whoever keeps the rows: it looks on the first run only.
    Colours cost it most of its time, so that of what looks the same in the same place only the first is judged by them.
    """
    if not servers.uses_sqlite():
        if not page.evaluate("'axe' in window"):
            page.evaluate(f"{AXE_SCRIPT}; null")
        assert page.evaluate(SERIOUS) == [], page.url
    fits(page, "as it is")


def keyboard_reaches_what_is_there(page: Page) -> None:
    """Tab goes on from stop to stop, each one visibly held, as far as `MOST_STOPS`."""
    page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0); }")
    stops = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        held = page.evaluate(FOCUS)
        if held is None:
            break
        stops.append(held)
    assert stops, f"nothing on {page.url} can be reached by keyboard"
    unseen = [stop for stop, is_seen in stops if not is_seen]
    assert not unseen, (page.url, unseen)


def fits_other_eyes(page: Page) -> None:
    """At a phone's width, all unfolded: from right to left, with very long names, and with letters twice as large."""
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    page.evaluate("document.documentElement.dir = 'rtl'")
    fits(page, "right to left")
    page.evaluate("document.documentElement.dir = 'ltr'")
    page.evaluate(NAMES, LONG)
    fits(page, "long names")
    page.set_viewport_size({"width": WIDTHS[1], "height": HEIGHT})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits(page, "twice the letters")


def fits(page: Page, how: str) -> None:
    page.wait_for_load_state()  # a click before may still be leading to another page
    hanging = page.evaluate(HANGS_OVER)
    assert not hanging, (page.url, how, hanging)


def look_at(page: Page, *paths: str, status: int = 200) -> None:
    """Each page by keyboard and at every width: the widest by day, the narrowest by night; and then for other eyes."""
    for path in paths:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": WIDTHS[-1], "height": HEIGHT})
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == status, path
        keyboard_reaches_what_is_there(page)
        nothing_grave(page)
        page.set_viewport_size({"width": WIDTHS[1], "height": HEIGHT})
        fits(page, "on a tablet")
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        nothing_grave(page)
        fits_other_eyes(page)
