"""Live pages and screens with more brackets than one stream may name: the rest is polled."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Route, sync_playwright

from deploy.stream_hub import MAX_CHANNELS
from tests import browsers

STATIC = Path(__file__).resolve().parents[4] / "templates" / "static"
ADDRESS = "http://hall.test"
BODIES = {
    "live.js": '<div data-live="/part/" data-brackets="{ids}"><p data-part="one">Round 1</p></div>',
    "screen.js": """<time id="clock"></time><p class="cut-off" hidden></p><i id="progress"></i><i id="place"></i>
      <main id="screen" data-deck="/part/"><div class="deck" data-listens="{ids}">
      <section class="slide" data-slide="a" data-seconds="900">Round 1</section></div></main>""",
}
SILENT_STREAM = """window.followed = [];
window.EventSource = class extends EventTarget {
  constructor(address) {
    super();
    window.followed.push(new URL(address, location).searchParams.getAll("bracket").length);
    setTimeout(() => this.dispatchEvent(new Event("open")));
  }
  close() {}
};"""


class Hall:
    """The page, its script, and how often it asks for the part that changes."""

    def __init__(self, script: str, ids: int) -> None:
        self.script, self.page = script, BODIES[script].format(ids=",".join(map(str, range(ids))))
        self.polls = 0

    def answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/part/":
            self.polls += 1
            route.fulfill(status=304)
        elif path.endswith(".js"):
            route.fulfill(content_type="text/javascript", path=STATIC / path[1:])
        else:
            scripts = "".join(f'<script src="/{name}"></script>' for name in ("updates.js", self.script))
            html = f"<!doctype html><body>{self.page}{scripts}</body>"
            route.fulfill(content_type="text/html", body=html)


def test_brackets_beyond_the_stream_limit_are_polled():
    with sync_playwright() as playwright:
        browser = browsers.launch(playwright)
        for script in BODIES:
            assert _in_twenty_seconds(browser, Hall(script, 159)) == (159, 1), script
            followed, polls = _in_twenty_seconds(browser, Hall(script, 190))
            assert followed == MAX_CHANNELS, script
            assert polls >= 3, script
        browser.close()


def _in_twenty_seconds(browser: Browser, hall: Hall) -> tuple[int, int]:
    """How many brackets the stream of the page names, and how often the page asks."""
    page = browser.new_page()
    page.add_init_script(SILENT_STREAM)
    page.route("**/*", hall.answer)
    page.clock.install()
    page.goto(ADDRESS)
    for _ in range(7):
        page.clock.run_for(3_000)
        page.evaluate("fetch('/').then((answer) => answer.text())")
    followed = page.evaluate("window.followed")
    page.close()
    return followed[0], hall.polls
