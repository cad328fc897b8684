"""A tournament from its creation to the champion on the director's pages, without scripts."""

import re

import pytest

from tests.tournament.pages.browser import Browser
from tournament.brackets import advancing
from tournament.models import Entry, JournalLine, Result, Tournament

pytestmark = pytest.mark.django_db

NAMES = ["Ana Horvat", "Βασίλης", "გიორგი", "小林 花", "Şule", "مريم"]
FINAL = "5"


def entered_by_hand(browser: Browser, name: str) -> None:
    browser.press("Enter", name=name)
    assert browser.says(f"{name} has been entered.")


def matches_to_play(browser: Browser) -> list[str]:
    """The numbers of the matches that can be selected, to call them."""
    return re.findall(
        r'name="match" value[^>]*></td>\s*<td class="num match-table__number">(\d+)<', browser.text
    )


def test_create_import_draw_release_play_champion(browser):
    browser.open("home").go("/events/new/").press("Create event", name="Winter Open")
    browser.press("Create tournament", name="Main", length_0=9, others=5)
    made = Tournament.objects.select_related("event").get()
    for name in NAMES[:2]:
        entered_by_hand(browser, name)

    browser.open("entries-import", made.event.slug, made.slug)
    browser.press("Preview", text="\n".join(["Name", *NAMES[1:], ""])).press("Import")
    assert browser.says("4 added, 0 changed, 1 unchanged.")
    assert Entry.objects.count() == 6

    browser.open("draw", made.event.slug, made.slug).press("Draw", seed_text="winter dice")
    browser.press("Release the draw")
    desk = browser.open("desk", made.event.slug, made.slug)
    rounds = 0
    while numbers := matches_to_play(desk):
        for number in numbers:
            length = 9 if number == FINAL else 5
            desk.press("Enter the result", who=number, own=length, other=rounds)
            desk.press(f"{length}–{rounds}")
            assert desk.says("Posted: ")
        advancing.advance_waiting()
        desk.go(desk.path)
        rounds += 1

    assert rounds == 3
    assert Result.objects.count() == 5
    overview = browser.open("event-overview", made.event.slug)
    winner = re.search(r"<dt>Winner</dt><dd><bdi>([^<]+)", overview.text)
    assert winner is not None
    assert winner.group(1) in NAMES
    assert overview.says("5 of 5")
    verbs = set(JournalLine.objects.values_list("verb", flat=True))
    assert verbs >= {"create event", "enter", "import entries", "draw", "release draw", "post result"}
