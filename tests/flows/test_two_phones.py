"""Two phones and the desk in real browsers: cards that differ are brought together, a dispute with a photo is ruled."""

import re
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, expect

from tests.flows.page_checks import PHONE, nothing_grave
from tests.tournament import stories
from tests.tournament.images import image_file
from tournament.accounts import links


def apart(stage, work):
    """Work with the rows of the stage in a thread of its own, for a browser leaves no room here."""

    def run():
        with stage.database():
            return work()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


def two_players() -> tuple[str, str, str, str]:
    """Tokens of both, the director's sign-in link, and the address of the desk."""
    director = stories.director()
    made = stories.released(director, 2, lengths=(3,), two_cards=True)
    pairing = stories.playable(made)[0]
    tokens = [links.make_link(entry, director) for entry in (pairing.left, pairing.right)]
    return *tokens, links.make_sign_in_link(director.user), f"/e/{made.event.slug}/{made.slug}/desk/"


def open_card(phone: Page, token: str) -> None:
    phone.goto(f"/p/{token}/")
    phone.locator("main a[href^='/me/']").first.click()
    phone.wait_for_load_state()


def enter(phone: Page, kind: str) -> None:
    """The left side wins a game, the cube at 1."""
    for name, value in (("winner", "left"), ("kind", kind), ("cube", "1")):
        phone.locator(f"form.card label:has(input[name={name}][value='{value}'])").click()
    phone.locator("form.card .savebar__save").click()
    expect(phone.locator(".games li")).to_have_count(1)


def test_differing_cards_are_aligned_and_a_dispute_is_ruled_with_a_photo(stage, new_page):
    left_token, right_token, link, desk_address = apart(stage, two_players)
    desk, left, right = new_page(), new_page(PHONE, has_touch=True), new_page(PHONE, has_touch=True)
    desk.goto(link)
    desk.locator("main").get_by_role("button").click()
    desk.wait_for_url(lambda url: "/sign-in/" not in url)
    desk.goto(desk_address)
    for phone, token in ((left, left_token), (right, right_token)):
        open_card(phone, token)
    enter(left, "gammon")
    enter(right, "single")
    for phone in (left, right):
        expect(phone.locator(".differences")).to_contain_text("another kind of win")
    nothing_grave(right)
    right.get_by_role("button", name=re.compile("Accept .* version")).click()
    expect(left.locator(".differences")).to_have_count(0)
    expect(right.locator(".differences")).to_contain_text("You changed your card")

    right.get_by_text("Something is wrong? Ask the desk").click()
    right.get_by_label("What is wrong?").fill("The cube was at 2")
    photo = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": image_file(size=(640, 480))}
    right.get_by_label("A photo, if it helps").set_input_files(photo)
    right.get_by_role("button", name="Let the desk decide").click()
    for phone in (left, right):
        expect(phone.locator(".dispute")).to_contain_text("The cube was at 2")
        phone.locator(".photos img").scroll_into_view_if_needed()
        expect(phone.locator(".photos img")).to_have_js_property("naturalWidth", 640)

    expect(desk.locator(".row--disputed")).to_contain_text("The cube was at 2")
    desk.get_by_role("link", name=re.compile("Decide")).click()
    nothing_grave(desk)
    desk.get_by_role("button", name="Decide", exact=True).click()
    expect(desk.locator("[name=decision]:invalid").first).to_be_focused()
    desk.get_by_label("This score, entered here").check()
    for name in ("left", "right"):
        desk.locator(f".panel--dispute input[name={name}]").fill("3" if name == "left" else "0")
    desk.get_by_label("Ruling, for the players to read").fill("Both saw the cube at 2.")
    desk.get_by_label("Rule").select_option("CUBE-4")
    desk.get_by_role("button", name="Decide", exact=True).click()
    expect(desk.locator(".ruling")).to_contain_text("Both saw the cube at 2.")
    nothing_grave(desk)
    for phone in (left, right):
        expect(phone.locator(".ruling")).to_contain_text("Both saw the cube at 2.")
    nothing_grave(right)
