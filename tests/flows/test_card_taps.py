"""The score card on the smallest phones: everything needed is visible, and frequent actions take few taps."""

from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, expect

from tests.flows.page_checks import nothing_grave
from tests.flows.pocket import Pocket
from tests.tournament import stories
from tournament.accounts import links

SMALLEST = {"width": 320, "height": 568}
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh, Maximiliana Josephine"
COUNT_TAPS = "self.taps = 0; addEventListener('click', (event) => (self.taps += event.detail > 0));"
NEEDED = "form.card .key, form.card .savebar__save"


def apart(stage, work):
    """Work with the rows of the stage in a thread of its own, for a browser leaves no room here."""

    def run():
        with stage.database():
            return work()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


def match_and_tokens() -> tuple[str, str, str]:
    director = stories.director()
    pairing = stories.playable(stories.released(director, 2, lengths=(5,)))[0]
    pairing.right.player.name = LONG_NAME
    pairing.right.player.save()
    tokens = [links.make_link(entry, director) for entry in (pairing.left, pairing.right)]
    return str(pairing.match_id), *tokens


def open_card(stage, page: Page, match: str, token: str) -> Pocket:
    page.add_init_script(COUNT_TAPS)
    page.goto(f"/p/{token}/")
    return Pocket(page, stage.url, match).open()


def key(pocket: Pocket, value: str):
    return pocket.page.locator(f"form.card label:has([value='{value}'])")


def are_visible(page: Page, selector: str) -> bool:
    """True if all these elements are on the screen, and nothing covers their middle."""
    return page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].every((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const shown = document.elementFromPoint(left + width / 2, top + height / 2);
          return scrollY === 0 && element.contains(shown);
        })""",
        selector,
    )


def test_frequent_actions_take_few_taps_and_need_no_scrolling(stage, new_page):
    match, *tokens = apart(stage, match_and_tokens)
    mine, theirs = (
        open_card(stage, new_page(SMALLEST, is_mobile=True, has_touch=True), match, token) for token in tokens
    )
    taps = lambda pocket: pocket.page.evaluate("taps")  # noqa: E731
    assert mine.page.locator(NEEDED).count() == 2 + 4 + 4 + 1
    assert are_visible(mine.page, NEEDED)
    nothing_grave(mine.page)

    key(mine, "left").click()
    mine.save()
    expect(mine.lines).to_have_count(1)
    assert (taps(mine), mine.score()) == (2, "1–0"), "a single game: the winner and Save"
    key(mine, "left").click()
    key(mine, "gammon").click()
    assert are_visible(mine.page, f"{NEEDED}, .savebar__undo")
    mine.save()
    expect(mine.lines).to_have_count(2)
    assert (taps(mine), mine.score()) == (5, "3–0"), "another game: the winner, the kind and Save"
    mine.page.locator(".savebar__undo").click()
    expect(mine.lines).to_have_count(1)
    assert taps(mine) == 6, "an undo: one tap"
    mine.enter("left", "gammon", 2)

    question = theirs.page.get_by_role("heading", name="reports")
    expect(question).to_be_visible()
    assert are_visible(theirs.page, "#is-it-right, .ask button.button--primary, .ask__no > summary")
    nothing_grave(theirs.page)
    theirs.page.goto("/me/")
    assert are_visible(theirs.page, ".next .button--tall")
    theirs.page.get_by_role("button", name="Yes, confirm").click()
    expect(theirs.page.get_by_text("Result confirmed.")).to_be_visible()
    theirs.page.get_by_role("button", name="Undo").click()
    expect(question).to_be_visible()
    theirs.page.get_by_role("button", name="Yes", exact=True).click()
    theirs.says("final result")
