"""The director looks back: a tournament as it stood at a moment."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournament import stories

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


def test_what_is_no_moment_is_told_on_the_form(client, played):
    assert "Give a day and a time." in look(client, played, "yesterday")


def test_a_line_of_the_journal_leads_to_how_it_stood_then(client, played):
    page = client.get(f"/e/{played.event.slug}/journal/").content.decode()
    assert f"/e/{played.event.slug}/{played.slug}/as-at/?at=" in page
