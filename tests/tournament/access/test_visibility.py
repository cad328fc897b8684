"""Private events and tournaments: strangers get 404 at every address; staff, players and keys open the pages."""

import uuid
from dataclasses import replace

import pytest
from django.test import Client

from tests.tournament import stories
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    ask,
    browser_of,
    is_refused,
    world,
)
from tests.tournament.access.world import (
    OTHER,
    OWNER,
    PLAYER,
    STRANGER,
    Row,
    World,
    has_a_public_record,
    rows,
)
from tests.tournament.conftest import Program
from tournament.access.visibility_keys import keys_of_address
from tournament.events import setup, visibility
from tournament.models import Event, Tournament, Visibility

__all__ = ["world"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

BY_THEIR_OWN_TOKEN = {
    "screen", "screen-deck", "screen-picture", "screen-by-code", "screen-deck-by-code", "screen-picture-by-code",
    "kiosk", "kiosk-lock", "kiosk-check-in", "kiosk-entry", "kiosk-undo", "personal-link", "sign-in-link",
}  # fmt: skip


def rows_inside(world: World) -> list[Row]:
    """The rows of the access table that name something of the event."""
    outside = {"installation-account", "session-end", "api-token-revoke", "v1:token", *BY_THEIR_OWN_TOKEN}
    named = [
        row for row in TABLE if row.name not in outside and not row.name.startswith(("mfa_", "installation"))
    ]
    return [row for row in named if row.arguments(world)]


def hide(world: World, place: Event | Tournament) -> None:
    visibility.set_visibility(place, Visibility.PRIVATE, world.hall.owner)


@pytest.mark.parametrize("place", ["event", "tournament"])
def test_strangers_find_nothing_at_any_address_of_a_private_place(world, place):
    """Addresses that need a link answer as before: in the same way if the thing does not exist."""
    has_a_public_record(world)
    has_a_screen(world)
    world.role = STRANGER
    event = world.tournament.event
    for hidden in (event,) if place == "event" else (world.tournament, world.novice):
        hide(world, hidden)
    open_rows = {}
    for row in rows_inside(world):
        with stories.rolled_back():
            status = ask(world, row).status_code
        is_hidden = place == "event" or is_of_a_tournament(row, world)
        if is_hidden and status != 404 and not is_the_same_for_nothing(world, row, status):
            open_rows[str(row)] = status
    assert open_rows == {}
    for path in ("/", "/api/v1/events/"):
        assert (event.slug in Client().get(path).content.decode()) == (place == "tournament")


def is_of_a_tournament(row: Row, world: World) -> bool:
    ours = {world.tournament.slug, world.novice.slug, world.tournament.pk, world.novice.pk}
    return bool(ours & set(row.arguments(world)))


def is_the_same_for_nothing(world: World, row: Row, status: int) -> bool:
    """True if an address with unknown ids is refused with this status too."""

    def unknown(argument):
        if isinstance(argument, uuid.UUID):
            return uuid.uuid4()
        return 999_999 if isinstance(argument, int) else argument

    arguments = [unknown(argument) for argument in row.arguments(world)]
    if arguments == row.arguments(world) or status not in (302, 401, 403):
        return False
    return ask(world, replace(row, arguments=lambda _: arguments)).status_code == status


def test_staff_and_players_keep_their_pages_of_a_private_event(world):
    hide(world, world.tournament.event)
    page = rows("event", "GET", frozenset(), lambda world: [world.tournament.event.slug])[0]
    for world.role in (OWNER, "monitor", PLAYER, OTHER):
        assert ask(world, page).status_code == 200, world.role
    world.role = PLAYER
    assert browser_of(world, page).get("/me/").status_code == 200
    assert Client().get(f"/p/{world.hall.left}/").status_code == 302
    bracket = f"/e/{world.tournament.event.slug}/{world.tournament.slug}/"
    assert browser_of(world, page).get(bracket).status_code == 200
    assert Program(world.hall.left).get(f"/tournaments/{world.tournament.pk}/").status_code == 200
    world.role = "administrator"
    assert ask(world, page).status_code == 404


def test_a_hall_screen_of_a_private_event_keeps_working(world):
    has_a_screen(world)
    hide(world, world.tournament.event)
    assert Client().get("/d/a-token-of-a-screen/").status_code == 200


def test_the_key_of_an_event_opens_its_pages_and_a_new_key_replaces_it(world):
    event = world.tournament.event
    visibility.set_visibility(event, Visibility.BY_LINK, world.hall.owner)
    event.refresh_from_db()
    (key,) = keys_of_address(event)
    address, bracket = f"/e/{event.slug}/", f"/e/{event.slug}/{world.tournament.slug}/"
    visitor = Client()
    assert visitor.get(address).status_code == 404
    assert visitor.get(f"{address}?key={'0' * 32}").status_code == 404
    assert visitor.get(f"{address}?key={key}").status_code == 200
    assert visitor.get(bracket).status_code == 200  # the browser keeps the key
    assert Client().get(f"/api/v1/tournaments/{world.tournament.pk}/?key={key}").status_code == 200
    assert event.slug not in Client().get("/").content.decode()
    visibility.make_new_key(event, world.hall.owner)
    assert visitor.get(bracket).status_code == 404
    visibility.set_visibility(event, Visibility.PRIVATE, world.hall.owner)
    event.refresh_from_db()
    assert Client().get(f"{address}?key={keys_of_address(event) or key}").status_code == 404


def test_new_details_of_an_event_keep_a_visibility_that_changed_meanwhile(world):
    event, director = world.tournament.event, world.hall.owner
    visibility.set_visibility(Event.objects.get(pk=event.pk), Visibility.PRIVATE, director)
    setup.change_event(event, setup.EventPlan("Renamed", event.starts_on), director)
    event.refresh_from_db()
    assert (event.name, event.visibility) == ("Renamed", Visibility.PRIVATE)


def test_a_hidden_tournament_is_missing_on_the_pages_of_its_event(world):
    event = world.tournament.event
    hide(world, world.novice)
    for path in (f"/e/{event.slug}/", f"/e/{event.slug}/find/", f"/e/{event.slug}/join/"):
        page = Client().get(path).content.decode()
        assert "New Comer" not in page, path
        assert f"/{world.novice.slug}/" not in page, path
    listed = Client().get(f"/api/v1/events/{event.slug}/tournaments/").json()["results"]
    assert [row["slug"] for row in listed] == [world.tournament.slug]
    world.role = OWNER
    page = rows("event-overview", "GET", frozenset(), lambda world: [world.tournament.event.slug])[0]
    assert world.novice.name in ask(world, page).content.decode()


def test_a_private_place_turns_away_users_of_other_events(world):
    has_a_public_record(world)
    has_a_screen(world)
    hide(world, world.tournament.event)
    world.role = "administrator"
    for row in [row for row in rows_inside(world) if row.verb == "GET"]:
        assert is_refused(ask(world, row)), row
