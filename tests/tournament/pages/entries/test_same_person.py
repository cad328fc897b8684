"""A name that another tournament of the event has: found, chosen, split and merged, through the pages alone."""

import pytest
from django.urls import reverse

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.pages.places import at
from tournament.events import setup
from tournament.fees.schedule import EventFees, Fee
from tournament.models import Player
from tournament.money import fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def side(browser, owner):
    """A second tournament of an event with Ann in the first. Players pay 7 EUR once."""
    main = stories.tournament(owner)
    fees.set_event_fees(main.event, EventFees("EUR", Fee(7_00)), owner)
    browser.open("entries", *at(main)).press("Enter", name="Ann")
    return setup.create_tournament(
        main.event, setup.TournamentPlan("Side", PRESETS["tournament"], (3,)), owner
    )


def test_a_known_name_is_the_same_player_and_one_tap_splits(browser, side):
    page = browser.open("entries", *at(side)).press("Enter", name="ann")
    assert page.says("Ann has been entered, and also plays in:")
    assert Player.objects.count() == 1
    page.press("Not the same person")
    assert page.says("Ann is now a separate player in this tournament.")
    assert not page.says("also plays in")
    assert Player.objects.count() == 2


def test_a_choice_between_namesakes_and_merging_them(browser, side):
    first = side.event.tournaments.exclude(pk=side.pk).get()
    browser.open("entries", *at(first)).press("Enter", name="Ann", club="South")
    page = browser.open("entries", *at(side)).press("Enter", name="Ann")
    assert page.says("Who is it?")
    page.press("Enter", person="new")
    assert page.says("Ann has been entered.")
    entry, kept = side.entries.get(), first.entries.get(player__club="").player
    assert browser.open("merge-players", side.event.slug, kept.pk).says("so the two cannot be merged")
    page = browser.open("merge-players", side.event.slug, kept.pk, query=f"?other={entry.player_id}")
    assert page.says("owes €7")
    assert page.says("Charged once instead of twice: -€7")
    page.press("Merge the players")
    assert page.says("Ann is one player now.")
    merged = entry.player_id
    entry.refresh_from_db()
    assert entry.player == kept
    pressed_twice = reverse("merge-players", args=[side.event.slug, kept.pk])
    answer = page.client.post(pressed_twice, {"other": merged}, follow=True)
    assert "The other player is gone." in answer.content.decode()
