"""Two owners in one installation: no name and no id gives access to the data of the other."""

import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access.money import KEY, MONEY_ROWS
from tests.tournament.access.money_api import MONEY_API_ROWS
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    ask,
    browser_of,
    group_by_preparation,
    is_refused,
    stored_rows,
    world,
)
from tests.tournament.access.tills import TILL_ROWS
from tests.tournament.access.world import EVERYBODY, OWNER, World, has_a_record
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails

__all__ = ["world"]

pytestmark = pytest.mark.django_db


def sign_in_neighbour(world: World) -> dict[Any, Any]:
    """Signs in the owner of a second event. Returns its ids and slugs by those of this event."""
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
        **{own.slug: theirs.slug for own in ours},
        **{own.pk: theirs.pk for own in ours},
    }


def test_the_owner_of_another_event_sees_and_changes_nothing_of_this_one(world):
    """Requests use addresses of this event, and those of the second event with ids of this one."""
    has_a_record(world)
    has_a_screen(world)
    rows = [(row, row.arguments(world)) for row in TABLE]
    before = stored_rows()
    names = [player["name"] for player in before["Player"]]
    theirs = sign_in_neighbour(world)
    for row, arguments in rows:
        neighbour_arguments = [theirs.get(argument, argument) for argument in arguments]
        own_ids = [
            argument
            for argument in neighbour_arguments
            if isinstance(argument, uuid.UUID | int) and argument not in theirs.values()
        ]
        is_private = row.roles != EVERYBODY
        assert not arguments or not is_private or is_refused(ask(world, row)), row
        if neighbour_arguments == arguments or not (is_private or own_ids):
            continue
        answer = ask(
            world,
            replace(row, arguments=lambda _, replaced=neighbour_arguments: replaced),
        )
        assert answer.status_code < 500, row
        assert not own_ids or answer.status_code not in (200, 201), row
        assert row.verb != "GET" or not own_ids or is_refused(answer), (row, answer.status_code)
        if not answer.streaming:
            assert [name for name in names if name in answer.content.decode(errors="replace")] == [], row
    assert_unchanged(before, stored_rows())


def test_money_of_this_event_is_out_of_reach_of_the_owner_of_another(world):
    """Requests use addresses of the second event with ids of payments, receipts, lots and players of this one."""
    theirs = sign_in_neighbour(world)
    names = {row.name for row in (*MONEY_ROWS, *TILL_ROWS)} | {f"v1:{row.name}" for row in MONEY_API_ROWS}
    asked = 0
    for ready, rows in group_by_preparation([row for row in TABLE if row.name in names]):
        with stories.rolled_back():
            ready(world)
            for row in rows:
                before, arguments, body = stored_rows(), row.arguments(world), row.body(world)
                there = [theirs.get(argument, argument) for argument in arguments]
                in_address = [value for value in there if isinstance(value, uuid.UUID | int)]
                own_ids = [value for value in in_address if value not in theirs.values()]
                own_ids += [value for value in ids_in(body) if value != KEY]
                if not own_ids or row.roles == EVERYBODY:
                    continue
                request = replace(
                    row, arguments=lambda _, replaced=there: replaced, body=lambda _, sent=body: sent
                )
                with stories.rolled_back():
                    answer = ask(world, request)
                    assert answer.status_code not in (200, 201, 204, 500), (row, answer.status_code)
                    assert row.verb != "GET" or is_refused(answer), row
                    assert_unchanged(before, stored_rows())
                    asked += 1
    assert asked > 20


def ids_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [pk for inner in value.values() for pk in ids_in(inner)]
    if isinstance(value, list):
        return [pk for inner in value for pk in ids_in(inner)]
    return [value] if isinstance(value, uuid.UUID) else []


def assert_unchanged(before: dict[str, list], after: dict[str, list]) -> None:
    """Every row is unchanged, and no new row refers to one. Only the mark of an invitation may change."""
    ids = {row["id"] for rows in before.values() for row in rows if isinstance(row.get("id"), uuid.UUID)}
    for model, rows in before.items():
        old, now = by_key(rows), by_key(after[model])
        assert {key: now.get(key) for key in old} == old, model
        new = [row for key, row in now.items() if key not in old]
        assert [
            row for row in new if ids & {value for value in row.values() if isinstance(value, uuid.UUID)}
        ] == []


def by_key(rows: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    marks_of_an_invitation = {"has_unread_activity"}
    return {
        row.get("id") or next(iter(row.values())): {
            name: value for name, value in row.items() if name not in marks_of_an_invitation
        }
        for row in rows
    }


def test_a_request_without_a_csrf_token_changes_nothing(world):
    world.role = OWNER
    has_a_record(world)
    before = stored_rows()
    strict, accepted = Client(enforce_csrf_checks=True), []
    for row in [row for row in TABLE if row.verb != "GET" and OWNER in row.roles]:
        strict.cookies = browser_of(world, row).cookies
        path = reverse(row.name, args=row.arguments(world))
        answer = strict.generic(row.verb, path, "{}", content_type="application/json")
        if answer.status_code != 403:
            accepted.append((str(row), answer.status_code))
    assert accepted == []
    assert stored_rows() == before
