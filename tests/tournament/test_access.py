"""The table of access, tried: whoever may is let in, whoever may not is turned away and changes nothing."""

import json

import pytest
from django.apps import apps
from django.test import Client
from django.urls import get_resolver, reverse

from tests.tournament.access_table import ROLES, TABLE, Row
from tests.tournament.conftest import Hall
from tournament import links
from tournament.models import ApiToken, PersonalLink, Question

pytestmark = pytest.mark.django_db

TURNED_AWAY = (401, 403, 404)


@pytest.fixture
def full_hall(hall) -> Hall:
    """With a question at the desk, a phone that waits and an API token."""
    links.make_api_token(hall.owner.user, "program")
    hall.api_token = ApiToken.objects.get()
    links.ask_for_link(hall.pairing.left)
    hall.waiting = PersonalLink.objects.get(approved_at__isnull=True)
    hall.question = Question.objects.create(
        tournament=hall.tournament, match=hall.other.match, kind="disagreement", asked_by="left",
        key=hall.other.match_id, opened_at=hall.waiting.made_at,
    )  # fmt: skip
    return hall


def client_of(role: str, hall: Hall) -> Client:
    client = Client()
    users = {"owner": hall.owner.user, "director": hall.director.user, "desk": hall.desk.user}
    phones = {"player": hall.left, "player of another match": hall.elsewhere}
    if role in users:
        client.force_login(users[role], backend="django.contrib.auth.backends.ModelBackend")
    elif role in phones:
        client.cookies["link"] = phones[role]
    return client


def ask(client: Client, row: Row, hall: Hall):
    path = reverse(row.name, args=row.arguments(hall))
    if row.name.startswith("v1:") and row.verb != "GET":
        text = json.dumps(row.body(hall))
        return client.generic(row.verb, path, text, content_type="application/json")
    return client.get(path) if row.verb == "GET" else client.post(path, row.body(hall))


def is_turned_away(answer) -> bool:
    to_sign_in = answer.status_code == 302 and "/sign-in/" in answer["Location"]
    return to_sign_in or answer.status_code in TURNED_AWAY


def everything_stored() -> dict[str, list]:
    models = [
        model
        for label in ("matches", "tournament", "auth")
        for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


@pytest.mark.parametrize("role", ROLES)
def test_whoever_may_not_is_turned_away_and_changes_nothing(full_hall, role):
    client = client_of(role, full_hall)
    before = everything_stored()
    let_in = [
        str(row) for row in TABLE if role not in row.roles and not is_turned_away(ask(client, row, full_hall))
    ]
    assert let_in == []
    assert everything_stored() == before


NEEDS_A_TOKEN_OF_ITS_OWN = ("sign-in-link", "poster-wait")
CHANGING = [(row, role) for row in TABLE for role in ROLES if role in row.roles and row.verb != "GET"]


@pytest.mark.parametrize("role", ROLES)
def test_whoever_may_look_is_let_in(full_hall, role):
    client = client_of(role, full_hall)
    looking = [row for row in TABLE if role in row.roles and row.verb == "GET"]
    answers = {
        str(row): ask(client, row, full_hall) for row in looking if row.name not in NEEDS_A_TOKEN_OF_ITS_OWN
    }
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code >= 500} == {}
    assert [name for name, answer in answers.items() if is_turned_away(answer)] == []


@pytest.mark.parametrize(("row", "role"), CHANGING, ids=[f"{role}: {row}" for row, role in CHANGING])
def test_whoever_may_do_it_is_let_in(full_hall, row, role):
    answer = ask(client_of(role, full_hall), row, full_hall)
    assert answer.status_code < 500
    assert row.name in NEEDS_A_TOKEN_OF_ITS_OWN or not is_turned_away(answer)


def test_every_address_stands_in_the_table():
    named = {row.name for row in TABLE}
    assert {name for name in _names(get_resolver()) if name not in named} == set()


def _names(resolver, namespace=""):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _names(pattern, inner)
        else:
            yield f"{namespace}{pattern.name}"
