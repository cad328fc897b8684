"""The forecast page: likely ends in the event's time zone, hypothetical lengths and the live fragment."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest

from tests.tournament import stories
from tournament.live import channels as insiders
from tournament.models import Draw, Room, Round, Tournament
from tournament.room import tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

TIMES = re.compile(r"<time[^>]*>([^<]+)</time>–<time[^>]*>([^<]+)</time>")
LISTENS = re.compile(r'data-listens="([^"]+)"')


def spans(text: str) -> list[tuple[str, str]]:
    return TIMES.findall(text)


def test_the_forecast_compares_ends_and_changes_nothing(at_desk, hall):
    Tournament.objects.update(starts_at=datetime(2040, 7, 1, 10, tzinfo=UTC))
    hall.tournament.event.time_zone = "Asia/Tokyo"
    hall.tournament.event.save()
    page = at_desk.open("forecast", hall.tournament.event.slug)
    early, late = spans(page.text)[0]
    assert re.fullmatch(r"Sun (19:[345]\d|20:0\d)", early)
    assert len(spans(page.text.partition("<table")[2])) == 2
    assert "Current plan" not in page.text
    page.go(f"{page.path}?pause=40&tables=1&open.main.2=9")
    assert page.status == 200
    now, then = spans(page.text.partition("Current plan")[2])
    assert now == (early, late)
    assert then > now
    assert re.search(r"\d+ minutes later", page.text)
    assert list(Round.objects.values_list("length", flat=True)) == [3, 3]


def test_the_forecast_explains_sessions_of_stake_play(at_desk, hall):
    page = at_desk.open("forecast", hall.tournament.event.slug)
    assert not page.says("A session of stake play is planned like a match")
    stories.as_session(hall.pairing, 5)
    assert page.go(page.path).says("A session of stake play is planned like a match")


def test_the_fragment_is_sent_again_only_after_a_change(at_desk, hall):
    event = hall.tournament.event
    Tournament.objects.update(starts_at=datetime(2040, 7, 1, 10, tzinfo=UTC))
    page = at_desk.open("forecast", event.slug)
    address = re.search(r'data-live="([^"]+)"', page.text)[1]
    etag = unescape(re.search(r'data-etag="([^"]+)"', page.text)[1])
    same = page.client.get(address, headers={"If-None-Match": etag})
    assert (same.status_code, same["ETag"], same.content) == (304, etag, b"")
    bracket = hall.pairing.round.bracket_id
    channels = {str(bracket), insiders.private_channel(event.pk), insiders.private_channel(bracket)}
    assert set(LISTENS.search(page.text)[1].split(",")) == channels
    tables.add(event.pk, "1", hall.owner)
    Tournament.objects.update(score_delay=None)
    changed = page.client.get(address, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    channels.add(str(Room.objects.get().pk))
    assert channels <= set(LISTENS.search(changed.content.decode())[1].split(","))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("tables=0&pause=5", "greater than or equal to 1"),
        ("pause=a", "whole number"),
        ("pause=5&open.main.2=100", "99"),
        ("pause=5&open.main.2=5&open.main.2=9", "entered twice"),
    ],
)
def test_an_impossible_value_is_refused_at_its_field(at_desk, hall, query, sentence):
    page = at_desk.open("forecast", hall.tournament.event.slug)
    page.go(f"{page.path}?{query}")
    assert page.status == 422
    assert sentence in page.text


def test_an_event_without_players_says_what_is_missing(at_desk, hall):
    Draw.objects.all().delete()
    Tournament.objects.exclude(pk=hall.tournament.pk).delete()
    stories.pairings(hall.tournament).delete()
    hall.tournament.brackets.all().delete()
    hall.tournament.entries.all().delete()
    page = at_desk.open("forecast", hall.tournament.event.slug)
    assert "A forecast needs at least two entries" in page.text
    assert "What if" not in page.text
