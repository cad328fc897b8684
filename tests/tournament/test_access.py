"""The table of access, tried: whoever may does it, whoever may not is turned away and changes nothing."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.access_screens import has_a_screen
from tests.tournament.access_table import TABLE
from tests.tournament.access_world import EVERYBODY, OWNER, ROLES, STRANGER, Row, World, has_a_record
from tests.tournament.conftest import Hall
from tournament import drawing, jackpots, links, questions, registration, setup
from tournament.jackpots import JackpotPlan
from tournament.models import ApiToken, PersonalLink, Tournament
from tournament.registration import EntryCard, PlayerCard
from tournament.room import calls, tables

pytestmark = pytest.mark.django_db

TURNED_AWAY = (401, 403, 404)
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def not_drawn_yet(hall: Hall) -> Tournament:
    plan = setup.TournamentPlan("Novice", PRESETS["tournament"])
    made = setup.create_tournament(hall.tournament.event, plan, hall.owner)
    for name in ("New Comer", "New Goer"):
        registration.enter(made.pk, EntryCard(PlayerCard(name)), hall.owner)
    return made


@pytest.fixture
def world(hall) -> World:
    return world_of(hall)


def world_of(hall: Hall) -> World:
    links.make_api_token(hall.owner.user, "program")
    novice = not_drawn_yet(hall)
    table, _ = tables.add(hall.tournament.event_id, "1-2", hall.owner)
    tables.pin(table, hall.other.left.player, "", hall.owner)
    calls.call(hall.other.pk, None, hall.owner)
    waiting_token = links.ask_for_link(hall.pairing.left)
    return World(
        hall=hall,
        sessions=signed_in(hall),
        novice=novice,
        newcomer=novice.entries.first(),
        api_token=ApiToken.objects.get(),
        waiting=PersonalLink.objects.get(approved_at__isnull=True),
        waiting_token=waiting_token,
        sign_in_token=links.make_sign_in_link(hall.owner.user).split("/")[2],
        jackpot=jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(4, 5), hall.owner),
        question=questions.ask_about_disagreement(
            hall.tournament, hall.other.match, Keeper.LEFT, "", hall.desk
        ),
    )


def signed_in(hall: Hall) -> dict[str, str]:
    """The session of everybody who has an account."""
    actors = {"owner": hall.owner, "director": hall.director, "desk": hall.desk, "monitor": hall.monitor}
    sessions = {}
    for role, actor in actors.items():
        client = Client()
        client.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
        sessions[role] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return sessions


def browser_of(world: World, row: Row) -> Client:
    """Of whoever asks, with the cookies they have."""
    client, hall = Client(), world.hall
    phones = {"player": hall.left, "player of another match": hall.elsewhere}
    if world.role in world.sessions:
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[world.role]
    tokens = [row.cookie(world)] if row.cookie else []
    tokens += [phones[world.role]] if world.role in phones else []
    if tokens:
        client.cookies["link"] = ".".join(tokens)
    return client


def ask(world: World, row: Row):
    path, client = reverse(row.name, args=row.arguments(world)), browser_of(world, row)
    if row.verb == "GET":
        return client.get(path)
    body = row.body(world)
    if row.name.startswith("v1:") and not has_a_file(body):
        text = json.dumps(body, default=str)
        return client.generic(row.verb, path, text, content_type="application/json")
    return client.post(path, body)


def has_a_file(body) -> bool:
    return any(isinstance(value, SimpleUploadedFile) for value in body.values())


def is_turned_away(answer) -> bool:
    to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
    return to_sign_in or answer.status_code in TURNED_AWAY


def everything_stored() -> dict[str, list]:
    models = [
        model
        for label in ("matches", "tournament", "auth")
        for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


@contextmanager
def undone() -> Iterator[None]:
    """Everything inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("role", ROLES)
def test_whoever_may_not_is_turned_away_and_changes_nothing(world, role):
    world.role = role
    has_a_record(world)
    before = everything_stored()
    for row in TABLE:
        if role not in row.roles:
            answer = ask(world, row)
            assert is_turned_away(answer), (row, answer.status_code)
            if role == STRANGER and row.name.startswith("v1:") and row.roles:
                assert (row, answer.status_code) == (row, 401)
    after = {**everything_stored(), "User": before["User"]}
    assert after == before


@pytest.mark.parametrize("role", ROLES)
def test_whoever_may_does_it(world, role):
    world.role = role
    wrong = {}
    for row in TABLE:
        if role in row.roles:
            with undone():
                row.ready(world)
                answer = ask(world, row)
            if answer.status_code != row.status(world) or is_turned_away(answer):
                wrong[str(row), *row.arguments(world)] = answer.status_code, answer.content[-3000:]
    assert wrong == {}


def test_no_other_verb_is_answered(world):
    has_a_record(world)
    for name in sorted({row.name for row in TABLE}):
        known = [row for row in TABLE if row.name == name]
        world.role = STRANGER if known[0].roles == EVERYBODY else OWNER
        for verb in set(VERBS) - {row.verb for row in known}:
            path, client = reverse(name, args=known[0].arguments(world)), browser_of(world, known[0])
            assert (name, verb, client.generic(verb, path).status_code) == (name, verb, 405)


def neighbour_of(world: World) -> dict[Any, Any]:
    """Somebody with an event of their own, now asking; of ours by what of theirs stands in its place."""
    owner = stories.director("neighbour")
    theirs = stories.tournament(owner)
    for name in ("Neighbour One", "Neighbour Two"):
        registration.enter(theirs.pk, EntryCard(PlayerCard(name)), owner)
    drawing.make(theirs.pk, drawing.DrawPlan(), owner)
    client = Client()
    client.force_login(owner.user, backend="django.contrib.auth.backends.ModelBackend")
    world.role = "neighbour"
    world.sessions["neighbour"] = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert theirs.event.slug != world.tournament.event.slug
    ours = [world.tournament, world.novice]
    return {
        world.tournament.event.slug: theirs.event.slug,
        **{one.slug: theirs.slug for one in ours},
        **{one.pk: theirs.pk for one in ours},
    }


def test_the_owner_of_another_event_sees_and_changes_nothing_of_this_one(world):
    """Neither at our addresses nor at their own, with our ids in the address or in what is sent."""
    has_a_record(world)
    has_a_screen(world)
    rows = [(row, row.arguments(world)) for row in TABLE if row.roles != EVERYBODY]
    before = everything_stored()
    names = [player["name"] for player in before["Player"]]
    theirs = neighbour_of(world)
    for row, given in rows:
        if not given:
            continue
        assert is_turned_away(ask(world, row)), row
        at_home = [theirs.get(one, one) for one in given]
        if at_home == given:
            continue
        answer = ask(world, replace(row, arguments=lambda _, at_home=at_home: at_home))
        of_ours = [one for one in at_home if isinstance(one, uuid.UUID | int) and one not in theirs.values()]
        assert row.verb != "GET" or not of_ours or is_turned_away(answer), (row, answer.status_code)
        assert answer.status_code < 500, row
        if not answer.streaming:
            assert [name for name in names if name in answer.content.decode(errors="replace")] == [], row
    ours_is_as_it_was(before, everything_stored())


def ours_is_as_it_was(before: dict[str, list], after: dict[str, list]) -> None:
    """Every row of ours, and no new one names any of them."""
    ids = {row["id"] for rows in before.values() for row in rows if isinstance(row.get("id"), uuid.UUID)}
    for model, rows in before.items():
        known = {row["id"]: row for row in rows}
        now = {row["id"]: row for row in after[model]}
        assert {pk: now.get(pk) for pk in known} == known, model
        new = [row for pk, row in now.items() if pk not in known]
        assert [row for row in new if ids & {one for one in row.values() if isinstance(one, uuid.UUID)}] == []
