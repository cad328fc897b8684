"""Two owners in one installation: neither reaches what is the other's, by whatever name or number they call it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access_screens import has_a_screen
from tests.tournament.access_table import TABLE
from tests.tournament.access_world import (
    EVERYBODY,
    OWNER,
    Row,
    has_a_record,
)
from tests.tournament.test_access import (
    ask,
    browser_of,
    everything_stored,
    is_turned_away,
    world,
)
from tournament.models import Tournament

__all__ = ["world"]

pytestmark = pytest.mark.django_db
ELSEWHERE = "owner of another event"


@pytest.fixture
def theirs(world) -> Tournament:
    """What the other owner has: an event with a tournament of the same name, drawn and playing."""
    other = stories.director("other")
    made = stories.released(other, 4)
    client = Client()
    client.force_login(other.user, backend="django.contrib.auth.backends.ModelBackend")
    world.sessions[ELSEWHERE] = client.cookies["sessionid"].value
    world.role = ELSEWHERE
    return made


def test_an_owner_of_another_event_is_turned_away_from_every_address_of_this_one(world, theirs):
    has_a_record(world)
    before = everything_stored()
    let_in = [
        str(row)
        for row in TABLE
        if row.roles != EVERYBODY and row.arguments(world) and not is_turned_away(ask(world, row))
    ]
    assert let_in == []
    assert everything_stored() == before


def test_nothing_of_another_event_is_found_under_the_address_of_ones_own(world, theirs):
    has_a_record(world)
    has_a_screen(world)
    before = everything_stored()
    found = []
    for row in TABLE:
        arguments = row.arguments(world)
        of_here = arguments[:1] == [world.tournament.event.slug]
        own = [theirs.event.slug, *arguments[1:]]
        names_more = [one for one in arguments[1:] if one not in (world.tournament.slug, world.novice.slug)]
        if of_here and any(looks_like_an_id(one) for one in names_more):
            moved = Row(row.name, row.verb, row.roles, lambda _, own=own: own, row.body)
            answer = ask(world, moved)
            if answer.status_code in (200, 201):
                found.append((str(row), arguments, answer.status_code))
    assert found == []
    assert everything_stored() == before


def looks_like_an_id(value: object) -> bool:
    return not isinstance(value, str) or len(value) > 30


def test_nothing_is_changed_by_a_browser_that_does_not_show_the_secret_of_a_form(world):
    """So no page elsewhere can make a director's browser or a player's phone do anything."""
    world.role = OWNER
    has_a_record(world)
    before = everything_stored()
    done = []
    for row in TABLE:
        if row.verb != "GET" and OWNER in row.roles and row.name != "v1:nowhere":
            known = browser_of(world, row)
            strict = Client(enforce_csrf_checks=True)
            strict.cookies = known.cookies
            path = reverse(row.name, args=row.arguments(world))
            answer = strict.generic(row.verb, path, "{}", content_type="application/json")
            if answer.status_code != 403:
                done.append((str(row), answer.status_code))
    assert done == []
    assert everything_stored() == before
