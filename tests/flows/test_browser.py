"""A director, two phones and a spectator in real browsers: from nothing to a bracket that moves automatically."""

import re

from playwright.sync_api import Page, expect

from tests.flows.page_checks import PHONE, nothing_grave
from tournament.accounts import directors, links

LIST = "Ana Novak;SLO\nΒασίλης Ρήγας;GRE\n小林 陽菜;JPN\nZoë Brandt;GER\n"
PLAYERS = ("Ana Novak", "Βασίλης Ρήγας", "小林 陽菜", "Zoë Brandt")


def sign_in(page: Page, stage) -> None:
    page.goto(stage.query(lambda: links.make_sign_in_link(directors.get_director())))
    page.locator("main").get_by_role("button").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def make_and_draw(page: Page) -> None:
    page.goto("/events/new/")
    nothing_grave(page)
    page.locator("main input[name=name]").fill("Friday night")
    page.get_by_role("button", name="Create event").click()
    page.get_by_role("button", name="Publish the event").click()
    page.locator(".messages").get_by_role("button", name="Undo").click()
    expect(page.locator(".message--success")).to_contain_text("The event is private")
    page.get_by_role("button", name="Publish the event").click()
    expect(page.locator(".message--success")).to_contain_text("The event is public")
    page.goto("/e/friday-night/new/")
    page.locator("main input[name=name]").fill("Open")
    for length in page.locator("input[type=number][name^=length_], input[name=others]").all():
        length.fill("3")
    page.get_by_role("button", name="Create tournament").click()
    page.goto("/e/friday-night/open/entries/import/")
    page.get_by_label("Paste the list").fill(LIST)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Βασίλης Ρήγας").first).to_be_visible()
    nothing_grave(page)
    page.go_back()
    expect(page.get_by_label("Paste the list")).to_have_value(LIST)
    page.get_by_role("button", name="Preview").click()
    page.locator("main form").filter(has=page.locator("[name=digest]")).get_by_role("button").first.click()
    page.goto("/e/friday-night/open/draw/")
    page.locator("button[value=draw]").click()


def release(page: Page) -> None:
    page.goto("/e/friday-night/open/draw/")
    page.get_by_role("button", name="Release the draw").click()
    expect(page.locator("main")).to_contain_text("released", ignore_case=True)


def link_of(director: Page, name: str) -> str:
    """The director hands it out."""
    director.goto(f"/e/friday-night/open/entries/?words={name}")
    expect(director.get_by_role("link", name="Show all")).to_be_visible()
    director.get_by_role("link", name=name).first.click()
    director.locator("button[formaction$='/link/']").click()
    link = director.locator("main").get_by_text(re.compile(r"/p/[\w-]+/")).first.inner_text()
    path = re.search(r"/p/[\w-]+/", link)
    assert path is not None
    return path.group()


def phone_of(director: Page, new_page, name: str) -> Page:
    phone = new_page(PHONE, is_mobile=True, has_touch=True)
    phone.goto(link_of(director, name))
    return phone


def in_order(director: Page) -> list[str]:
    """The players from top to bottom: the first two meet, and the others."""
    director.goto("/e/friday-night/open/")
    return sorted(PLAYERS, key=director.locator("main").inner_text().index)


def open_my_match(phone: Page) -> None:
    phone.goto("/me/")
    phone.locator("main a[href^='/me/']").first.click()
    phone.wait_for_load_state()


def enter_a_gammon(phone: Page) -> None:
    """Three taps (left side won, a gammon, cube at 2), then the resulting line of the card."""
    for name, value in (("winner", "left"), ("kind", "gammon"), ("cube", "2")):
        phone.locator(f"label:has(input[name={name}][value='{value}'])").click()
    phone.locator("form.card .savebar__save").click()


def test_a_director_sets_up_an_event_and_the_bracket_advances(stage, new_page):
    director = new_page()
    sign_in(director, stage)
    make_and_draw(director)
    hidden = new_page()
    hidden.goto("/e/friday-night/open/")
    assert not any(name in hidden.locator("main").inner_text() for name in PLAYERS)
    nothing_grave(hidden)
    release(director)
    first, second, *others = in_order(director)
    watching = new_page()
    watching.goto("/e/friday-night/open/")
    of_one_match = new_page()
    of_one_match.goto("/e/friday-night/open/")
    of_one_match.locator(".meeting", has_text=first).locator(".meeting__number a").click()
    expect(of_one_match.locator("#live")).to_contain_text("has not begun")
    for page in (watching, of_one_match):
        page.evaluate("window.notReloaded = true")
    two_phones_play(*(phone_of(director, new_page, name) for name in (first, second)))
    final = watching.locator("main")
    expect(final.get_by_text(first)).to_have_count(2)
    expect(of_one_match.locator("#live")).to_contain_text("Game by game")
    two_without_scripts_play(director, new_page, *others)
    expect(final.get_by_text(others[0])).to_have_count(2)
    for page in (watching, of_one_match):
        assert page.evaluate("window.notReloaded") is True


def two_phones_play(left: Page, right: Page) -> None:
    open_my_match(left)
    enter_a_gammon(left)
    expect(left.locator("main")).to_contain_text(re.compile("reported|confirm", re.I))
    nothing_grave(left)
    right.reload()
    right.get_by_role("link").filter(
        has_text=re.compile("score|card|confirm|look|report", re.I)
    ).first.click()
    right.get_by_role("button", name="Yes").click()


def two_without_scripts_play(director: Page, new_page, *names: str) -> None:
    left, right = (new_page(PHONE, java_script_enabled=False) for _ in names)
    for phone, name in zip((left, right), names, strict=True):
        phone.goto(link_of(director, name))
    open_my_match(left)
    enter_a_gammon(left)
    left.locator("main button[type=submit]").first.click()
    expect(left.locator("main")).to_contain_text(names[1])
    open_my_match(right)
    right.get_by_role("button", name="Yes").click()
    expect(right.locator("main")).to_contain_text(names[0])
