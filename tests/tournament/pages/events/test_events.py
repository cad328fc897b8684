"""Events: creation with defaults, changes and the overview with its next step."""

from datetime import date

import pytest
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.pages.places import at
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Event
from tournament.pages.events.time_zones import grouped_zones

pytestmark = pytest.mark.django_db


def test_creating_an_event_leads_to_its_first_tournament(browser):
    browser.open("event-new").press("Create event", name="Kocaeli Açık", time_zone="Europe/Istanbul")
    made = Event.objects.get()
    assert (made.name, made.time_zone) == ("Kocaeli Açık", "Europe/Istanbul")
    assert browser.path == f"/e/{made.slug}/new/"


def test_a_new_event_starts_today_where_the_last_one_was(browser, owner):
    plan = setup.EventPlan("Last year", date(2025, 11, 22), "Clubhouse", "Asia/Tokyo")
    setup.create_event(plan, owner)
    fields = browser.open("event-new").fields("Create event")
    assert (fields["venue"], fields["time_zone"]) == ("Clubhouse", "Asia/Tokyo")
    assert fields["starts_on"] == timezone.localdate().isoformat()


def test_an_event_without_a_name_is_refused_and_keeps_the_typed_values(browser):
    browser.open("event-new").press("Create event", venue="Harbour hall", starts_on="some day")
    assert browser.status == 422
    assert browser.says("Give the event a name.")
    assert browser.says("Enter the day as 2026-11-21.")
    fields = browser.fields("Create event")
    assert (fields["venue"], fields["starts_on"]) == ("Harbour hall", "some day")
    assert not Event.objects.exists()


def test_a_stranger_signs_in_first_and_comes_back_here(stranger):
    stranger.open("event-new")
    assert stranger.path == "/sign-in/?next=/events/new/"


def test_time_zones_are_grouped_by_continent_without_deprecated_names():
    groups = {str(title): dict(zones) for title, zones in grouped_zones()}
    assert {"Europe/Kyiv", "Europe/Oslo"} <= groups["Europe"].keys()
    assert groups["America"]["America/Argentina/Buenos_Aires"] == "Buenos Aires (Argentina)"
    assert {"Asia/Calcutta", "Africa/Asmera", "America/Godthab"}.isdisjoint(
        zone for zones in groups.values() for zone in zones
    )


def test_visitors_read_description_contact_website_and_last_day(browser, stranger, club_night):
    slug = club_night.event.slug
    browser.open("event-edit", slug).press(
        "Save",
        starts_on="2026-11-28",
        ends_on="2026-11-30",
        description="Fees: 20 €\n<b>House rules</b>",
        contact="desk@example.org",
        website="example.org/open",
    )
    stranger.open("event", slug)
    assert stranger.says("28–30 November 2026")
    assert "&lt;b&gt;House rules&lt;/b&gt;" in stranger.text
    assert 'href="mailto:desk@example.org"' in stranger.text
    assert 'href="https://example.org/open"' in stranger.text


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("website", "javascript:alert(1)", "Enter the address as https://example.org/."),
        ("ends_on", "2020-01-01", "Check both days."),
    ],
)
def test_an_impossible_website_or_last_day_is_refused(browser, club_night, field, value, sentence):
    browser.open("event-edit", club_night.event.slug).press("Save", **{field: value})
    assert browser.says(sentence)
    assert getattr(Event.objects.get(), field) in ("", None)


def test_an_event_is_changed_and_keeps_its_address_and_a_time_zone_that_the_form_does_not_offer(
    browser, club_night
):
    slug = club_night.event.slug
    Event.objects.update(time_zone="Etc/GMT-3")
    browser.open("event-edit", slug).press("Save", name="Saturday night", venue="Upstairs")
    event = Event.objects.get()
    assert (event.name, event.venue, event.slug) == ("Saturday night", "Upstairs", slug)
    assert event.time_zone == "Etc/GMT-3"


def test_an_event_without_a_tournament_offers_to_add_one(browser, owner):
    event = stories.event(owner)
    browser.open("event-overview", event.slug)
    assert browser.says("No tournament yet")
    assert browser.says(f"/e/{event.slug}/new/")


def next_step(browser, tournament) -> str:
    text = browser.open("event-overview", tournament.event.slug).text
    current = text.partition('aria-current="step"')[2]
    return current.partition("</a>")[0].rpartition(">")[2]


def test_the_overview_proposes_each_step_from_entries_to_play(browser, owner, club_night):
    assert next_step(browser, club_night) == "Enter players"
    for name in ("Ana", "小林"):
        registration.enter(club_night.pk, EntryDetails(PlayerDetails(name)), owner)
    assert next_step(browser, club_night) == "Draw"
    draws.make(club_night.pk, draws.DrawPlan(), owner)
    assert next_step(browser, club_night) == "Release"
    draws.release(club_night.pk, owner)
    assert next_step(browser, club_night) == "Play"


def test_helpers_at_the_desk_see_no_page_that_is_not_theirs(at_desk, hall):
    at_desk.open("event-overview", hall.tournament.event.slug)
    assert at_desk.says("Go to the desk")
    assert not at_desk.says("People and roles")
    assert not at_desk.says("Event details")
    assert at_desk.open("entries", *at(hall.tournament)).status == 200
    assert not at_desk.says("Set-up")


def test_the_pages_of_the_event_lead_back_to_the_tournament_they_were_opened_from(browser, owner):
    made = stories.released(owner, 4)
    assert not browser.open("room", made.event.slug).says("Back to Open")
    room = browser.open("draw", *at(made)).text.partition(">Room<")[0].rpartition('href="')[2].rstrip('"')
    assert browser.go(room).says("Back to Open")
    for name in ("tables", "event-desk", "forecast"):
        assert browser.open(name, made.event.slug).says("Back to Open"), name
    other = stories.released(owner, 4)
    assert not browser.open("room", other.event.slug).says("Back to")
