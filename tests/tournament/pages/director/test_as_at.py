"""The director looks back: a tournament as it stood at a moment."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.tournament import stories
from tournament.models import Event, Result, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(client):
    owner = stories.director()
    made = stories.released(owner, 4)
    client.force_login(owner.user)
    stories.play(stories.playable(made)[0], owner, score=(3, 1))
    return made


def look(client, made, at) -> str:
    page = client.get(f"/e/{made.event.slug}/{made.slug}/as-at/", {"at": at})
    return page.content.decode()


def test_now_it_stands_as_it_stands(client, played):
    assert "3–1" in look(client, played, timezone.now().strftime("%Y-%m-%dT%H:%M:%S"))


def test_before_the_draw_there_is_nothing(client, played):
    yesterday = timezone.now() - timedelta(days=1)
    assert "Nothing was drawn yet" in look(client, played, yesterday.strftime("%Y-%m-%dT%H:%M"))


@pytest.mark.parametrize("night", ["2025-10-26", "2025-03-30"], ids=["shown twice", "left out"])
def test_in_the_night_in_which_the_clocks_are_changed_every_time_is_a_moment(client, played, night):
    Event.objects.update(time_zone="Europe/Berlin")
    assert "Nothing was drawn yet" in look(client, played, f"{night}T02:30:00")


def test_of_an_hour_that_the_clocks_show_twice_all_is_seen(client, played):
    Event.objects.update(time_zone="Europe/Berlin")
    for rows, moment in ((Round.objects, "drawn_at"), (Result.objects, "posted_at")):
        rows.update(**{moment: datetime(2025, 10, 26, 1, 20, tzinfo=UTC)})
    assert "3–1" in look(client, played, "2025-10-26T02:30:00")
    assert "3–1" not in look(client, played, "2025-10-26T02:10:00")


@pytest.mark.parametrize("said", ["yesterday", "0001-01-01T00:00:00", "9999-12-31T23:59:59-12:00"])
def test_what_is_no_moment_is_told_on_the_form(client, played, said):
    Event.objects.update(time_zone="Europe/Berlin")
    assert "Give a day and a time." in look(client, played, said)


def test_a_line_of_the_journal_leads_to_how_it_stood_then(client, played):
    page = client.get(f"/e/{played.event.slug}/journal/").content.decode()
    assert f"/e/{played.event.slug}/{played.slug}/as-at/?at=" in page
