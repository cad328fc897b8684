"""An empty page of the staff says what it is for and what to do first, and has one button that leads there."""

import re

import pytest

from tests.tournament import stories
from tests.tournament.pages.places import at

pytestmark = pytest.mark.django_db
EMPTY = re.compile(r'<div class="empty".*?</div>', re.DOTALL)
PRIMARY = re.compile(r'<a class="button button--primary" href="([^"]+)"')


@pytest.mark.parametrize(
    "name", ["event-overview", "tables", "screens", "event-people", "entries", "draw", "standings"]
)
def test_an_empty_page_lists_first_steps_with_one_button(browser, owner, name):
    if name == "event-overview":
        arguments = (stories.event(owner).slug,)
    else:
        places = at(stories.tournament(owner))
        arguments = places if name in ("entries", "draw", "standings") else places[:1]
    (empty,) = EMPTY.findall(browser.open(name, *arguments).text)
    (address,) = PRIMARY.findall(empty)
    if address.startswith("#"):
        assert f'id="{address[1:]}"' in browser.text
    else:
        assert browser.go(address).status == 200


def test_a_journal_without_a_match_leads_back_to_all_lines(browser, owner):
    event = stories.event(owner)
    browser.open("event-journal", event.slug, query="?player=Nobody")
    assert "The journal lists every change" in EMPTY.findall(browser.text)[0]
