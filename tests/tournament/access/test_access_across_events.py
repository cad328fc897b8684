"""Two owners in one installation: neither reaches the other's data by any name or number."""

import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    ask,
    browser_of,
    everything_stored,
    is_turned_away,
    shared_out,
    world,
)
from tests.tournament.access.world import EVERYBODY, OWNER, World, has_a_record
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails

__all__ = ["world"]

pytestmark = pytest.mark.django_db


def neighbour_of(world: World) -> dict[Any, Any]:
    """Somebody with an event of their own, now asking; of ours by what of theirs stands in its place."""
    owner = stories.director("neighbour")
    theirs = stories.tournament(owner)
    for name in ("Neighbour One", "Neighbour Two"):
        registration.enter(theirs.pk, EntryDetails(PlayerDetails(name)), owner)
    draws.make(theirs.pk, draws.DrawPlan(), owner)
    draws.release(theirs.pk, owner)
    client = Client()
    client.force_login(owner.user, backend="django.contrib.auth.backends.ModelBackend")
    world.role = "neighbour"
    world.sessions["neighbour"] = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert theirs.event.slug != world.tournament.event.slug
    ours = [world.tournament, world.novice]
    return {
        world.tournament.event.slug: theirs.event.slug,
        **{ours_event.slug: theirs.slug for ours_event in ours},
        **{ours_event.pk: theirs.pk for ours_event in ours},
    }


def test_the_owner_of_another_event_sees_and_changes_nothing_of_this_one(world):
    """Neither at our addresses nor at their own, with our ids in the address or in what is sent."""
    has_a_record(world)
    has_a_screen(world)
    rows = [(row, row.arguments(world)) for row in shared_out(TABLE)]
    before = everything_stored()
    names = [player["name"] for player in before["Player"]]
    theirs = neighbour_of(world)
    for row, given in rows:
        at_home = [theirs.get(one, one) for one in given]
        of_ours = [one for one in at_home if isinstance(one, uuid.UUID | int) and one not in theirs.values()]
        is_for_some = row.roles != EVERYBODY
        assert not given or not is_for_some or is_turned_away(ask(world, row)), row
        if at_home == given or not (is_for_some or of_ours):
            continue
        answer = ask(world, replace(row, arguments=lambda _, at_home=at_home: at_home))
        assert answer.status_code < 500, row
        assert not of_ours or answer.status_code not in (200, 201), row
        assert row.verb != "GET" or not of_ours or is_turned_away(answer), (row, answer.status_code)
        if not answer.streaming:
            assert [name for name in names if name in answer.content.decode(errors="replace")] == [], row
    ours_is_as_it_was(before, everything_stored())


def ours_is_as_it_was(before: dict[str, list], after: dict[str, list]) -> None:
    """Every row of ours, and no new one names any of them. Anybody may invite an account, which is told of it."""
    ids = {row["id"] for rows in before.values() for row in rows if isinstance(row.get("id"), uuid.UUID)}
    for model, rows in before.items():
        known, now = by_key(rows), by_key(after[model])
        assert {key: now.get(key) for key in known} == known, model
        new = [row for key, row in now.items() if key not in known]
        assert [
            row for row in new if ids & {value for value in row.values() if isinstance(value, uuid.UUID)}
        ] == []


def by_key(rows: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    told_of_an_invitation = {"has_unread_activity"}
    return {
        row.get("id") or next(iter(row.values())): {
            name: value for name, value in row.items() if name not in told_of_an_invitation
        }
        for row in rows
    }


def test_nothing_is_changed_by_a_browser_that_does_not_show_the_secret_of_a_form(world):
    """No page of another site can act through a director's browser or a player's phone."""
    world.role = OWNER
    has_a_record(world)
    before = everything_stored()
    strict, done = Client(enforce_csrf_checks=True), []
    for row in shared_out([one for one in TABLE if one.verb != "GET" and OWNER in one.roles]):
        strict.cookies = browser_of(world, row).cookies
        path = reverse(row.name, args=row.arguments(world))
        answer = strict.generic(row.verb, path, "{}", content_type="application/json")
        if answer.status_code != 403:
            done.append((str(row), answer.status_code))
    assert done == []
    assert everything_stored() == before
