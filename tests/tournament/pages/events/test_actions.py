"""Pages that publish, copy, archive and delete events and tournaments, and undo a deletion."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.ruleset import Ruleset
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.events.visibility import set_archived
from tournament.models import Entry, Event, Tournament, Visibility
from tournament.room import tables
from tournament.screens.display_links import create_display
from tournament.screens.plan import Plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return stories.director("owner")


@pytest.fixture
def browser(owner) -> Browser:
    return Browser(owner.user)


def test_a_new_event_is_private_until_its_director_publishes_it(browser):
    browser.open("event-new").press("Create event", name="Club night", time_zone="Europe/Athens")
    event = Event.objects.get()
    assert browser.says("This event is private")
    assert Client().get(f"/e/{event.slug}/").status_code == 404
    browser.press("Publish the event")
    assert browser.says("The event is public.")
    assert Client().get(f"/e/{event.slug}/").status_code == 200


def test_the_secret_address_opens_the_event_for_visitors(browser, owner):
    event = stories.event(owner)
    browser.open("event-edit", event.slug).press("Save visibility", visibility="link")
    address = browser.text.split('id="secret-address">')[1].split("<")[0]
    assert Client().get(address).status_code == 200
    browser.press("Create a new address")
    assert Client().get(address).status_code == 404


def test_a_copy_has_the_settings_tables_and_screens_but_no_players(browser, owner):
    source = stories.tournament(owner, lengths=(7, 5), confirm_after=20)
    registration.enter(source.pk, EntryDetails(PlayerDetails("Ana")), owner)
    tables.add(source.event_id, "1-3, Stream", owner)
    create_display(source.event, "By the bar", Plan(tournaments=(source.pk,)), owner)
    archived = setup.create_tournament(source.event, setup.TournamentPlan("Warm-up", Ruleset()), owner)
    create_display(source.event, "Warm-up", Plan(tournaments=(archived.pk,)), owner)
    set_archived(archived, is_archived=True, actor=owner)
    assert f"/e/{source.event.slug}/copy/" in browser.open("event-new").text
    browser.open("event-copy", source.event.slug)
    day = browser.fields("Create the copy")["starts_on"]
    assert date.fromisoformat(day) >= timezone.localdate()
    assert (date.fromisoformat(day) - source.event.starts_on).days % 7 == 0
    browser.press("Create the copy")
    copy = Event.objects.exclude(pk=source.event_id).get()
    (tournament,) = copy.tournaments.all()
    assert (copy.starts_on.isoformat(), copy.visibility) == (day, Visibility.PRIVATE)
    for name in (*setup.FIELDS, "reentry"):
        assert getattr(tournament, name) == getattr(source, name), name
    assert list(copy.room.tables.values_list("name", flat=True)) == ["1", "2", "3", "Stream"]
    assert copy.display_links.get().plan["tournaments"] == [str(tournament.pk)]
    assert Entry.objects.filter(tournament=source).count() == Entry.objects.count() == 1
    browser.open("screens", copy.slug).press("New link By the bar")
    token = browser.text.split("/d/")[1].split("/")[0]
    assert Client().get(f"/d/{token}/").status_code == 200


def test_a_deleted_event_comes_back_with_one_press(browser, owner):
    event = stories.event(owner)
    browser.open("event-edit", event.slug).press("Delete the event")
    assert browser.says("is in the bin")
    assert not Event.objects.exists()
    browser.press("Undo")
    assert Event.objects.get() == event
    browser.open("event-edit", event.slug).press("Delete the event")
    director = stories.director("other")
    stories.join(event, director, "director", owner)
    assert Browser(director.user).open("bin").says("The bin is empty"), "only its owner finds it"
    assert Client().get("/bin/").status_code == 302
    browser.open("bin").press("Remove the event for good")
    assert not Event.with_deleted.exists()


def test_a_tournament_is_copied_archived_deleted_and_restored(browser, owner):
    first = stories.tournament(owner)
    public = f"/e/{first.event.slug}/"
    browser.open("tournament-edit", first.event.slug, first.slug).press("Archive the tournament")
    page = Client().get(public).content.decode()
    assert "Archived tournaments" in page
    assert Client().get(f"{public}{first.slug}/").status_code == 200
    browser.press("Undo")
    assert "Archived tournaments" not in Client().get(public).content.decode()
    browser.open("tournament-edit", first.event.slug, first.slug).press("Copy the tournament")
    copy = Tournament.objects.exclude(pk=first.pk).get()
    assert (copy.name, copy.lengths) == ("Copy of Open", first.lengths)
    browser.press("Delete the tournament")
    assert Client().get(f"{public}{copy.slug}/").status_code == 404
    browser.press("Undo")
    assert Client().get(f"{public}{copy.slug}/").status_code == 200


def test_an_empty_installation_offers_a_sample_event_that_goes_with_one_press(browser):
    browser.open("home").press("Open the sample event")
    sample = Event.objects.get()
    assert (sample.is_sample, sample.visibility) == (True, Visibility.PRIVATE)
    assert browser.says("This is a sample event.")
    browser.open("home").press("Remove the sample event")
    assert not Event.objects.exists()
    browser.press("Undo")
    assert Event.objects.get() == sample


def test_a_list_of_players_becomes_an_event_when_it_is_imported(browser):
    assert browser.open("home").says(reverse("event-from-list"))
    browser.open("event-from-list").press("Preview", text="Ana Ek\nBo Li\n")
    assert not Event.objects.exists()
    browser.press("Import 2 players")
    event = Event.objects.get()
    assert (event.visibility, event.tournaments.get().entries.count()) == (Visibility.PRIVATE, 2)
    assert browser.path == reverse("entries", args=[event.slug, event.tournaments.get().slug])
    assert browser.says("Event created with one tournament.")


def test_a_refused_import_leaves_no_event(browser):
    browser.open("event-from-list").press("Preview", text="Ana Ek\nBo Li\n")
    sent = browser.fields("Import 2 players") | {"digest": "another"}
    answer = browser.client.post(browser.path, sent)
    assert "The entries have changed since this preview." in answer.text
    assert not Event.objects.exists()


def test_a_director_without_a_password_is_asked_for_one(owner):
    owner.user.set_unusable_password()
    owner.user.save()
    assert Browser(owner.user).open("home").says("Set a password")
    event = stories.event(owner)
    helper = stories.helper(event, "desk", owner)
    assert not Browser(helper.user).open("home").says("Set a password")
