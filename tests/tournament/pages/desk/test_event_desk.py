"""The desk of an event: all its tournaments, filters and order, several matches at once, and the number on the tab."""

import re
import uuid
from copy import deepcopy

import pytest
from django.urls import reverse

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.events import setup
from tournament.models import Call, Pairing, Result, Tournament
from tournament.results import desk
from tournament.room import tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture(scope="module")
def second_of_module(hall_of_module) -> Tournament:
    """Another released tournament of the event, with four players."""
    plan = setup.TournamentPlan("Doubles", PRESETS["tournament"], (5,))
    made = setup.create_tournament(hall_of_module.tournament.event, plan, hall_of_module.owner)
    stories.draw_and_release(made, hall_of_module.owner, 4)
    return made


@pytest.fixture
def second_tournament(hall, second_of_module) -> Tournament:
    return deepcopy(second_of_module)


@pytest.fixture
def page(at_desk, hall, second_tournament) -> Browser:
    return at_desk.open("event-desk", hall.tournament.event.slug)


def listed(page: Browser) -> list[int]:
    return [int(pk) for pk in re.findall(r'data-row="(\d+)"', page.text)]


def report(pairing: Pairing) -> None:
    desk.enter(pairing, Keeper.LEFT, NewRow(uuid.uuid4(), pairing.match_id, FinalScore(3, 2)), Actor())


def keys(pairings: list[Pairing]) -> set[int]:
    return {pairing.pk for pairing in pairings}


def test_filters_and_order_are_in_the_address_and_are_remembered(page, hall, second_tournament):
    page.go(f"{page.path}?tournament={second_tournament.slug}&state=ready&sort=-number")
    assert listed(page) == [pairing.pk for pairing in reversed(stories.playable(second_tournament))]
    page.go(page.path.partition("?")[0])
    assert listed(page) == [pairing.pk for pairing in reversed(stories.playable(second_tournament))]
    here = reverse("desk", args=at(hall.tournament))
    assert set(listed(page.go(here))) == keys(stories.playable(hall.tournament))
    page.open("event-desk", hall.tournament.event.slug, query="?state=open")
    assert len(listed(page)) == 4


def test_each_filter_limits_the_list(page, hall, second_tournament):
    both = (hall.tournament, second_tournament)
    first, *waiting = stories.playable(second_tournament)[0], *list(stories.pairings(second_tournament))[2:]
    finals = [stories.pairings(made).last() for made in both]
    ready = [pairing for made in both for pairing in stories.playable(made)]
    here = reverse("event-desk", args=[second_tournament.event.slug])
    for query, expected in (
        (f"find={first.left.player.name}&tournament={second_tournament.slug}", [first]),
        ("state=decided", []),
        (f"state=waiting&tournament={second_tournament.slug}", waiting),
        ("round=final&state=all&bracket=main", finals),
        ("state=nonsense&sort=nonsense&round=nonsense", ready),
    ):
        assert set(listed(page.go(f"{here}?{query}"))) == keys(expected), query


def test_the_number_of_a_match_opens_it_unless_several_tournaments_have_it(page, hall, second_tournament):
    match = stories.playable(second_tournament)[0]
    page.press("Show", find="1", tournament=second_tournament.slug)
    assert page.path == reverse("desk-match", args=[*at(second_tournament), match.pk])
    page.open("event-desk", second_tournament.event.slug, query="?state=open").press(
        "Show", find="1", tournament=""
    )
    assert set(listed(page)) == {match.pk, stories.playable(hall.tournament)[0].pk}


def test_a_result_by_a_number_of_several_tournaments_is_chosen(page, second_tournament):
    wanted = stories.playable(second_tournament)[0]
    page.press("Enter the result", who="1", own=5, other=1)
    assert len(page.buttons("5–1")) == 4
    page.press(f"{second_tournament.name} · Match 1")
    assert Result.objects.get().pairing_id == wanted.pk


def test_the_desk_lists_open_matches_of_all_tournaments_and_counts_them(page, hall, second_tournament):
    assert set(listed(page)) == keys(stories.playable(hall.tournament)) | keys(
        stories.playable(second_tournament)
    )
    tables.add(hall.tournament.event_id, "1", hall.owner)
    page.go(page.path)
    assert f"{len(listed(page))} matches wait, and tables are free" in page.text
    assert "Matches of all tournaments" not in page.text
    page.open("desk", *at(second_tournament))
    assert "Matches of all tournaments" in page.text


def test_selected_matches_are_called_to_free_tables(page, hall, second_tournament):
    tables.add(hall.tournament.event_id, "1-2", hall.owner)
    chosen = [*stories.playable(second_tournament), stories.playable(hall.tournament)[0]]
    address = reverse("desk-selected", args=[second_tournament.event.slug, "call"])
    page.client.post(address, {"match": [pairing.pk for pairing in chosen]})
    assert Call.objects.count() == 2
    assert page.go(page.path).says("1 selected match waits: no table is free")


def test_selected_reports_are_confirmed_unless_they_changed(page, hall, second_tournament):
    first, second = stories.playable(hall.tournament)[:2]
    report(first)
    report(second)
    values = re.findall(r'name="match" value="(\d+:[^"]+)"', page.go(page.path).text)
    stale, gone = f"{second.pk}:{uuid.uuid4()}", f"{second.pk + 1000}:{uuid.uuid4()}"
    address = reverse("desk-selected", args=[second_tournament.event.slug, "confirm"])
    page.client.post(
        address, {"match": [gone, *(value for value in values if value.startswith(f"{first.pk}:")), stale]}
    )
    assert Result.objects.get().pairing_id == first.pk
    assert page.go(page.path).says("1 result confirmed.")
    assert page.says("The score card has changed since you looked")
    assert page.says("A selected match is no longer in the draw.")
    page.client.post(address, {"match": ["rubbish", "7:rubbish"]})
    assert page.go(page.path).says("No reported match is selected.")


def test_every_page_of_the_staff_shows_how_much_needs_them(page, hall, second_tournament, stranger):
    links.request_link(hall.pairing.left)
    event, place = [second_tournament.event.slug], at(second_tournament)
    for name, arguments in (
        ("event-overview", event),
        ("desk", place),
        ("entries", place),
        ("bracket", place),
    ):
        page.open(name, *arguments)
        assert "<title>(1) " in page.text, name
        assert "<span data-urgent-number>1</span>" in page.text, name
        assert reverse("room", args=event) in page.text, name
    assert page.client.get(reverse("desk-count", args=event)).content == b"1"
    assert "data-urgent" not in stranger.open("bracket", *place).text
