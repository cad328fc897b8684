"""A closed event: links of players and screens end, and work again when it is reopened."""

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from tests.tournament.conftest import Program
from tests.tournament.pages.browser import Browser
from tournament.events import cleanup, closing
from tournament.models import Event, JournalLine
from tournament.screens.display_links import create_display
from tournament.screens.plan import Plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def works(token: str) -> bool:
    phone = Client()
    phone.cookies["link"] = token
    page, api = phone.get("/me/").status_code, Program(token).get("/me/").status_code
    assert (page == 200) == (api == 200)
    return api == 200


def test_links_end_when_the_owner_closes_the_event_and_work_again_when_it_is_reopened(hall):
    _link, screen = create_display(hall.tournament.event, "Bar", Plan(), hall.owner)
    owning = Browser(hall.owner.user).open("event-edit", hall.tournament.event.slug)
    assert works(hall.left)
    assert Client().get(reverse("screen", args=[screen])).status_code == 200
    owning.press("Archive the event")
    assert owning.says("The event is in the archive.")
    assert not works(hall.left)
    assert Client().get(reverse("screen", args=[screen])).status_code == 404
    assert Client().get(f"/p/{hall.left}/").status_code != 302
    assert Client().get(f"/e/{hall.tournament.event.slug}/").status_code == 200
    owning.press("Take out of the archive")
    assert works(hall.left)
    journal = owning.open("event-journal", hall.tournament.event.slug)
    assert journal.says("archived the event")
    assert journal.says("took the event out of the archive")


@pytest.mark.parametrize(("days", "is_closed"), [(30, True), (60, False), (0, False)])
def test_an_inactive_event_is_closed(hall, days, is_closed):
    long_ago = timezone.now() - timedelta(days=40)
    JournalLine.objects.update(at=long_ago)
    Event.objects.update(starts_on=long_ago.date(), created_at=long_ago)
    with override_settings(LINKS_LAST_DAYS=days):
        cleanup.clean_up()
    assert (Event.objects.get().closed_at is not None) == is_closed


def test_an_active_league_stays_open(hall):
    long_ago = timezone.now() - timedelta(days=400)
    Event.objects.update(starts_on=long_ago.date(), created_at=long_ago)
    with override_settings(LINKS_LAST_DAYS=30):
        closing.close_old()
    assert Event.objects.get().closed_at is None
