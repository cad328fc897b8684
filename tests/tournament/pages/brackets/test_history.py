"""The state of a tournament at a past moment, for directors."""

from copy import deepcopy
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.tournament import stories
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Format
from tournament.drawing import swaps
from tournament.drawing.swaps import Swap
from tournament.models import Event, Feed, Result, Round

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played_of_module(actor_of_module):
    made = stories.released(actor_of_module, 4)
    stories.play(stories.playable(made)[0], actor_of_module, score=(3, 1))
    return made


@pytest.fixture
def played(owner, client, played_of_module):
    client.force_login(owner.user)
    return deepcopy(played_of_module)


def look(client, made, at) -> str:
    page = client.get(f"/e/{made.event.slug}/{made.slug}/as-at/", {"at": at})
    return page.content.decode()


def test_the_history_before_the_draw_is_empty_and_the_present_moment_shows_the_current_state(client, played):
    yesterday = timezone.now() - timedelta(days=1)
    assert "Nothing was drawn yet" in look(client, played, yesterday.strftime("%Y-%m-%dT%H:%M"))
    assert "3–1" in look(client, played, timezone.now().strftime("%Y-%m-%dT%H:%M:%S"))


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


@pytest.mark.parametrize("moment", ["yesterday", "0001-01-01T00:00:00", "9999-12-31T23:59:59-12:00"])
def test_an_invalid_moment_is_refused_on_the_form(client, played, moment):
    Event.objects.update(time_zone="Europe/Berlin")
    assert "Enter a day and a time." in look(client, played, moment)


def test_a_journal_line_links_to_the_state_at_its_moment(client, played):
    page = client.get(f"/e/{played.event.slug}/journal/").content.decode()
    assert f"/e/{played.event.slug}/{played.slug}/as-at/?at=" in page


EARLIER = "This draw was made by an earlier version of the program"


@pytest.fixture
def drawn_by_an_earlier_version(client):
    """A loser drops out of a pairing with a bye, as in byes by lot of earlier versions. And the director."""
    owner = stories.director()
    made = stories.released(owner, 7, format=Format(consolation="progressive"))
    client.force_login(owner.user)
    byes = Feed.objects.filter(target__round__bracket__tournament=made, entry=None, source=None)
    way, bye = (
        byes.exclude(target__round__bracket__key="main")[0],
        byes.get(target__round__bracket__key="main"),
    )
    way.source, way.outcome = bye.target, "loser"
    way.save()
    return owner, made


def swap_first_round(made, owner):
    seats = [seat for seat in entry_seats(made) if seat.entry and seat.opponent]
    wanted = Swap(seats[0].feed, seats[2].feed, (seats[0].entry, seats[2].entry))
    swaps.swap(made.pk, wanted, owner, "They share a car")


def test_a_draw_of_an_earlier_version_says_that_seats_may_be_wrong_before_a_change_by_hand(
    client, drawn_by_an_earlier_version
):
    owner, made = drawn_by_an_earlier_version
    before = timezone.now().strftime("%Y-%m-%dT%H:%M:%S")
    assert EARLIER not in look(client, made, before)
    Round.objects.update(drawn_at=timezone.now() - timedelta(hours=2))
    swap_first_round(made, owner)
    an_hour_ago = timezone.now() - timedelta(hours=1)
    assert EARLIER in look(client, made, an_hour_ago.strftime("%Y-%m-%dT%H:%M:%S"))
    in_a_minute = timezone.now() + timedelta(minutes=1)
    assert EARLIER not in look(client, made, in_a_minute.strftime("%Y-%m-%dT%H:%M:%S"))


def test_a_draw_of_this_version_is_certain(client):
    owner = stories.director()
    made = stories.released(owner, 7, format=Format(consolation="progressive"))
    client.force_login(owner.user)
    swap_first_round(made, owner)
    Round.objects.update(drawn_at=timezone.now() - timedelta(hours=2))
    an_hour_ago = timezone.now() - timedelta(hours=1)
    page = look(client, made, an_hour_ago.strftime("%Y-%m-%dT%H:%M:%S"))
    assert "An earlier state" in page
    assert EARLIER not in page
