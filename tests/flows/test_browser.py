"""A director, two phones and a spectator in real browsers: from nothing to a bracket that moves by itself."""

import re
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests import servers

PHONE = {"width": 360, "height": 720}
WIDTHS = (360, 768, 1440)
SERIOUS = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.target)]);
}"""
LIST = "Ana Novak;SLO\nΒασίλης Ρήγας;GRE\n小林 陽菜;JPN\nZoë Brandt;GER\n"
PLAYERS = ("Ana Novak", "Βασίλης Ρήγας", "小林 陽菜", "Zoë Brandt")
SOON = 10_000


def nothing_grave(page: Page) -> None:
    """axe finds nothing serious, and nothing hangs over the edge of the screen.

    axe judges what the browser was sent, which is the same whoever keeps the rows: it looks on the first run only.
    """
    if not servers.uses_sqlite():
        if not page.evaluate("'axe' in window"):
            page.evaluate(f"{AXE_SCRIPT}; null")
        assert page.evaluate(SERIOUS) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def look_at(page: Page, *paths: str) -> None:
    """Each page at every width, and the widest in the dark too."""
    for path in paths:
        page.emulate_media(color_scheme="light")
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            nothing_grave(page)
        page.emulate_media(color_scheme="dark")
        nothing_grave(page)


def sign_in(page: Page, stage) -> None:
    said = stage.manage("director")
    link = re.search(r"\S*/sign-in/\S+", said)
    assert link is not None, said
    page.goto(urlsplit(link.group()).path)
    nothing_grave(page)
    page.locator("main").get_by_role("button").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def make_and_draw(page: Page) -> None:
    page.goto("/events/new/")
    nothing_grave(page)
    page.locator("main input[name=name]").fill("Friday night")
    page.get_by_role("button", name="Make the event").click()
    page.goto("/e/friday-night/new/")
    nothing_grave(page)
    page.locator("main input[name=name]").fill("Open")
    for length in page.locator("input[type=number][name^=length_], input[name=others]").all():
        length.fill("3")
    page.get_by_role("button", name="Make the tournament").click()
    page.goto("/e/friday-night/open/entries/import/")
    nothing_grave(page)
    page.get_by_label("Paste the list").fill(LIST)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("Βασίλης Ρήγας").first).to_be_visible()
    nothing_grave(page)
    page.locator("main form").filter(has=page.locator("[name=digest]")).get_by_role("button").first.click()
    page.goto("/e/friday-night/open/draw/")
    nothing_grave(page)
    page.locator("button[value=draw]").click()


def release(page: Page) -> None:
    page.goto("/e/friday-night/open/draw/")
    page.get_by_role("button", name="Release the draw").click()
    expect(page.locator("main")).to_contain_text("released", ignore_case=True)


def phone_of(director: Page, new_page, name: str) -> Page:
    """The director hands out a link; the player opens it on a phone."""
    director.goto("/e/friday-night/open/entries/")
    director.get_by_role("link", name=name).first.click()
    nothing_grave(director)
    director.locator("button[formaction$='/link/']").click()
    link = director.locator("main").get_by_text(re.compile(r"/p/[\w-]+/")).first.inner_text()
    path = re.search(r"/p/[\w-]+/", link)
    assert path is not None
    phone = new_page(PHONE, is_mobile=True, has_touch=True)
    phone.goto(path.group())
    nothing_grave(phone)
    return phone


def opponents(director: Page) -> tuple[str, str]:
    """The two players of the first match."""
    director.goto("/e/friday-night/open/")
    text = director.locator("main").inner_text()
    return tuple(sorted(PLAYERS, key=text.index)[:2])  # type: ignore[return-value]


def open_my_match(phone: Page) -> None:
    phone.goto("/me/")
    phone.locator("main a[href^='/me/']").first.click()


def enter_a_gammon(phone: Page) -> None:
    """Three taps: the left side won, a gammon, the cube at 2; then the line that says what it comes to."""
    for name, value in (("winner", "left"), ("kind", "gammon"), ("cube", "2")):
        phone.locator(f"label:has(input[name={name}][value='{value}'])").click()
    phone.locator("form.card button[type=submit]").click()


def test_from_nothing_to_a_bracket_that_moves(stage, new_page):
    director = new_page()
    sign_in(director, stage)
    make_and_draw(director)
    hidden = new_page()
    hidden.goto("/e/friday-night/open/")
    assert not any(name in hidden.locator("main").inner_text() for name in PLAYERS)
    nothing_grave(hidden)
    release(director)
    first, second = opponents(director)
    left, right = phone_of(director, new_page, first), phone_of(director, new_page, second)
    watching = new_page()
    watching.goto("/e/friday-night/open/")
    nothing_grave(watching)
    of_one_match = new_page()
    of_one_match.goto("/e/friday-night/open/")
    of_one_match.locator(".meeting", has_text=first).locator(".meeting__number a").click()
    expect(of_one_match.locator("#live")).to_contain_text("has not begun")
    for page in (watching, of_one_match):
        page.evaluate("window.notReloaded = true")
    open_my_match(left)
    nothing_grave(left)
    enter_a_gammon(left)
    expect(left.locator("main")).to_contain_text(re.compile("reported|confirm", re.I), timeout=SOON)
    nothing_grave(left)
    right.reload()
    right.get_by_role("link").filter(
        has_text=re.compile("score|card|confirm|look|report", re.I)
    ).first.click()
    nothing_grave(right)
    right.get_by_role("button", name=re.compile("confirm", re.I)).first.click()
    final = watching.locator("main")
    expect(final.get_by_text(first)).to_have_count(2, timeout=SOON)
    expect(of_one_match.locator("#live")).to_contain_text("Game by game", timeout=SOON)
    for page in (watching, of_one_match):
        assert page.evaluate("window.notReloaded") is True


def matches_shown(page: Page, bracket: str) -> list[str]:
    """The pages of the last matches that this bracket leads to."""
    page.goto(bracket)
    links = page.locator(".meeting__number a").evaluate_all(
        "links => links.map(link => new URL(link.href).pathname)"
    )
    return [str(link) for link in links][-3:]


def test_axe_finds_nothing_grave_on_any_page_at_any_width(stage, new_page):
    director = new_page()
    stage.manage("demo")
    sign_in(director, stage)
    event, state = "/e/harbour-weekend", director.context.storage_state()
    here = f"{event}/open"
    public = ["/", "/reach/", f"{event}/", f"{event}/join/", f"{here}/", f"{here}/standings/", f"{here}/players/",
              f"{here}/bracket/consolation/", f"{here}/rules/", f"{here}/print/", f"{here}/draw-proof/",
              f"{event}/find/", *(matches := matches_shown(director, f"{event}/friday-evening/")),
              f"{matches[-1]}overlay/"]  # fmt: skip
    directors = [f"{event}/overview/", f"{event}/edit/", f"{event}/new/?preset=swiss", f"{event}/people/",
                 f"{event}/journal/", f"{event}/flow/?pause=10", f"{event}/poster/", f"{event}/screens/",
                 f"{event}/room/", f"{event}/tables/",
                 f"{here}/setup/", f"{here}/entries/", f"{here}/draw/", f"{here}/desk/", f"{here}/slips/",
                 f"{here}/cards/", "/account/tokens/", "/account/password/"]  # fmt: skip
    look_at(new_page(), *public)
    look_at(new_page(storage_state=state), *directors)


def test_a_phone_without_scripts_enters_and_confirms_a_result(stage, new_page):
    director = new_page()
    sign_in(director, stage)
    make_and_draw(director)
    release(director)
    first, second = opponents(director)
    director.goto("/e/friday-night/open/entries/")
    phones = []
    for name in (first, second):
        with_scripts = phone_of(director, new_page, name)
        state = with_scripts.context.storage_state()
        phones.append(new_page(PHONE, java_script_enabled=False, storage_state=state))
    left, right = phones
    open_my_match(left)
    enter_a_gammon(left)
    left.locator("main button[type=submit]").first.click()
    expect(left.locator("main")).to_contain_text(second)
    open_my_match(right)
    right.get_by_role("button", name=re.compile("confirm", re.I)).first.click()
    expect(right.locator("main")).to_contain_text(first)
