"""Every row of the access table: roles without permission are refused and change nothing."""

import json
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.access.table import TABLE
from tests.tournament.access.world import (
    EVERYBODY,
    OWNER,
    ROLES,
    STRANGER,
    Ask,
    Row,
    World,
    has_a_record,
)
from tests.tournament.conftest import Hall
from tournament.accounts import links
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import ApiToken, PersonalLink, Tournament
from tournament.results import questions
from tournament.room import calls, tables

pytestmark = pytest.mark.django_db

REFUSED_STATUSES = (401, 403, 404)
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def undrawn_tournament(hall: Hall) -> Tournament:
    plan = setup.TournamentPlan("Novice", PRESETS["tournament"])
    novice = setup.create_tournament(hall.tournament.event, plan, hall.owner)
    for name in ("New Comer", "New Goer"):
        registration.enter(novice.pk, EntryDetails(PlayerDetails(name)), hall.owner)
    return novice


@pytest.fixture
def world(hall) -> World:
    return make_world(hall)


def make_world(hall: Hall) -> World:
    links.make_api_token(hall.owner.user, "program")
    novice = undrawn_tournament(hall)
    table, _ = tables.add(hall.tournament.event_id, "1-2", hall.owner)
    tables.pin(table, hall.second_pairing.left.player, "", hall.owner)
    calls.call(hall.second_pairing.pk, None, hall.owner)
    waiting_token = links.request_link(hall.pairing.left)
    return World(
        hall=hall,
        sessions=sign_in_all(hall),
        novice=novice,
        newcomer=novice.entries.first(),
        api_token=ApiToken.objects.get(),
        waiting=PersonalLink.objects.get(approved_at__isnull=True),
        waiting_token=waiting_token,
        sign_in_token=links.make_sign_in_link(hall.owner.user).split("/")[2],
        jackpot=jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(4, 5), hall.owner),
        question=questions.open_for_dispute(
            hall.tournament, hall.second_pairing.match, Keeper.LEFT, "", hall.desk
        ),
    )


def sign_in_all(hall: Hall) -> dict[str, str]:
    """Returns a session key for each role with an account."""
    actors = {
        "owner": hall.owner, "director": hall.director, "desk": hall.desk, "monitor": hall.monitor,
        "cashier": hall.cashier, "administrator": stories.administrator(),
    }  # fmt: skip
    sessions = {}
    for role, actor in actors.items():
        client = Client()
        client.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
        sessions[role] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return sessions


def browser_of(world: World, row: Row) -> Client:
    """Returns a browser with the cookies of the role, and no others."""
    client, hall = world.browser, world.hall
    client.cookies.clear()
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


def is_refused(answer) -> bool:
    to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/sign-in/")
    return to_sign_in or answer.status_code in REFUSED_STATUSES


def stored_rows() -> dict[str, list]:
    models = [
        model
        for label in ("matches", "tournament", "auth")
        for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def test_a_role_without_permission_is_refused_and_changes_nothing(world):
    has_a_record(world)
    before = stored_rows()
    for row in TABLE:
        for world.role in [role for role in ROLES if role not in row.roles]:
            answer = ask(world, row)
            assert is_refused(answer), (world.role, row, answer.status_code)
            if world.role == STRANGER and row.name.startswith("v1:") and row.roles:
                assert (row, answer.status_code) == (row, 401)
    after = {**stored_rows(), "User": before["User"]}
    assert after == before


def group_by_preparation(rows: list[Row]) -> Iterator[tuple[Ask, list[Row]]]:
    """Yields each preparation with its rows, in their order."""
    for ready in dict.fromkeys(row.ready for row in rows):
        yield ready, [row for row in rows if row.ready == ready]


def test_no_other_verb_is_answered(world):
    has_a_record(world)
    for name in sorted({row.name for row in TABLE}):
        rows_of_name = [row for row in TABLE if row.name == name]
        world.role = STRANGER if rows_of_name[0].roles == EVERYBODY else OWNER
        for verb in set(VERBS) - {row.verb for row in rows_of_name}:
            client = browser_of(world, rows_of_name[0])
            path = reverse(name, args=rows_of_name[0].arguments(world))
            assert (name, verb, client.generic(verb, path).status_code) == (name, verb, 405)
