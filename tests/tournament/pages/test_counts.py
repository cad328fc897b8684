"""Entries, running matches and connected phones are counted the same on every page."""

from copy import deepcopy

import pytest
from django.urls import reverse

from matches.models import Match
from tests.tournament import stories
from tests.tournament.pages.phone_clients import phone
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.entries import registration
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.released(actor_of_module, 6)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def test_withdrawn_entries_are_counted_separately_on_every_page(made, owner, stranger, browser):
    registration.withdraw(made.entries.first(), owner)
    texts = [
        stranger.open("event", made.event.slug).text,
        stranger.open("entry-list", *at(made)).text,
        stranger.open("standings", *at(made)).text,
        browser.open("entries", *at(made)).text,
    ]
    for text in texts:
        assert "5 entries, 1 withdrawn" in text
        assert "6 entries" not in text
    assert "5, 1 withdrawn" in browser.open("event-overview", made.event.slug).text


def test_the_event_page_and_the_desk_count_the_same_running_matches(made, stranger, browser):
    stories.begin(stories.playable(made)[0])
    Match.objects.filter(pk=stories.playable(made)[1].match_id).update(state="reported")
    event = stranger.open("event", made.event.slug)
    assert "1 playing" in event.text
    assert "1 being confirmed" in event.text
    assert "2 on now" not in event.text


def test_a_match_with_a_delayed_result_counts_as_running(made, stranger):
    Tournament.objects.filter(pk=made.pk).update(score_delay=None)
    Match.objects.filter(pk=stories.playable(made)[1].match_id).update(state="reported")
    event = stranger.open("event", made.event.slug)
    assert "1 playing" in event.text
    assert "being confirmed" not in event.text


def test_a_slip_counts_as_a_phone_after_its_scan(made, owner, browser):
    tokens = links.make_links(list(Entry.objects.filter(tournament=made)), owner)
    page = browser.open("entries", *at(made))
    assert "has phone" not in page.text
    scanned = next(iter(tokens))
    phone(tokens[scanned])
    assert browser.open("entries", *at(made)).text.count("has phone") == 1
    without = browser.client.get(browser.path, {"show": "no-phone"}).text
    assert "5 entries shown" in without


def test_a_phone_with_an_older_link_counts_on_its_next_visit(made, owner, browser):
    holding = phone(links.make_link(made.entries.first(), owner))
    made.entries.first().links.update(connected_at=None)
    holding.get(reverse("my-matches"))
    assert browser.open("entries", *at(made)).text.count("has phone") == 1
