"""The store of a phone: answers that overtake each other, and a player's version that replaces the server's."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from tests import browsers
from tests.tournament.pages.cards.test_card_script import HALL, STATIC, answer_with

GAME = {"what": "game", "winner": "left", "win": 1, "ending": "played", "cube": 1}
CARD = {
    "match": "m",
    "entry": "e",
    "tail": "m",
    "keys": ["a", "b", "c"],
    "written": [],
    "rows": [],
    "version": 5,
}
VERSION = "async () => (await cardStore.states())[0].card.doc.version"
UNSENT = "async () => (await cardStore.states())[0].waiting.map((row) => row.supersedes || row.line.winner)"


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as started:
        browser = browsers.launch(started)
        page = browser.new_page()
        page.route("**/*", answer_with(body="<title>A phone</title>", content_type="text/html"))
        page.goto(HALL)
        page.add_script_tag(path=STATIC / "store.js")
        page.evaluate("(card) => cardStore.saveFromPage(card)", CARD)
        yield page
        browser.close()


def answered(page: Page, version: int, requested: int) -> int:
    """The stored version after the server answered with a card, for a request at the version `requested`."""
    card = {**CARD, "version": version}
    page.evaluate("([card, requested]) => cardStore.saveFromServer(card, {}, requested)", [card, requested])
    return int(page.evaluate(VERSION))


def test_an_answer_that_was_overtaken_does_not_replace_a_newer_card(page):
    assert answered(page, version=7, requested=5) == 7
    assert answered(page, version=6, requested=5) == 7, "asked before the newer card came"
    assert answered(page, version=3, requested=7) == 3, "the server was restored from a backup"


def test_the_players_version_replaces_what_was_written_elsewhere(page):
    desk_row, penalty = {"key": "x", **GAME, "winner": "right"}, {"key": "y", "what": "penalty"}
    page.evaluate("(line) => cardStore.add('m/e', 'm', line)", GAME)
    written = {**CARD, "version": 6, "tail": "x", "keys": ["d", "f"], "written": ["x"], "rows": [desk_row]}
    page.evaluate("(card) => cardStore.saveFromServer(card, {}, 5)", written)
    page.evaluate("() => cardStore.replaceWithMine('m/e')")
    assert page.evaluate(UNSENT) == ["x", "left"]
    with_penalty = {**written, "rows": [desk_row, penalty]}
    page.evaluate("(card) => cardStore.saveFromServer(card, {}, 6)", with_penalty)
    assert not page.evaluate("async () => cardStore.isReplaceable((await cardStore.states())[0])")


def test_a_refusal_of_a_row_that_the_player_has_replaced_stops_nothing(page):
    page.evaluate("(line) => cardStore.add('m/e', 'm', line)", GAME)
    row = page.evaluate("async () => (await cardStore.states())[0].waiting[0]")
    refuse = "(row) => cardStore.setTrouble('m/e', row, { code: 'split', detail: '' })"
    trouble = "async () => (await cardStore.states())[0].card.trouble"
    page.evaluate("() => cardStore.replaceWithMine('m/e')")
    assert not page.evaluate(refuse, row)
    assert page.evaluate(trouble) is None
    row = page.evaluate("async () => (await cardStore.states())[0].waiting[0]")
    assert page.evaluate(refuse, row)
    assert page.evaluate(trouble) == {"code": "split", "detail": ""}
