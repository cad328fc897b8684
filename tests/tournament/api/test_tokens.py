"""API tokens: created by people only, limited to a scope, an event and a time."""

import importlib
import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    has_a_file,
    is_refused,
    stored_rows,
    world,
)
from tests.tournament.access.world import EVERYBODY, OWNER, has_a_record
from tests.tournament.api.test_credentials import SIGN_IN, sent
from tests.tournament.conftest import API, Program
from tournament.accounts import links
from tournament.accounts.links import TokenPlan
from tournament.models import ApiToken, Scope
from tournament.runtime.errors import Refused

__all__ = ["world"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def browser(hall) -> Client:
    client = Client()
    client.force_login(hall.owner.user, backend=SIGN_IN)
    return client


def test_a_token_makes_no_token(owning):
    answer = owning.post("/account/tokens/", {"name": "another"})
    assert answer.status_code == 403
    assert ApiToken.objects.count() == 1


def test_an_old_session_makes_no_token(browser):
    session = browser.session
    session["confirmed_at"] -= 3600
    session.save()
    answer = sent(browser, "/account/tokens/", {"name": "board"})
    assert (answer.status_code, answer.json()["code"]) == (409, "sign-in-not-recent")
    assert not ApiToken.objects.exists()


def test_the_list_shows_scope_event_and_end_of_a_new_token(browser, hall):
    body = {"name": "board", "scope": "read", "days": 3, "event": hall.tournament.event.slug}
    token = sent(browser, "/account/tokens/", body).json()["token"]
    assert Program(token).get("/events/").status_code == 200
    [listed_token] = browser.get(f"{API}/account/tokens/").json()["results"]
    assert (listed_token["scope"], listed_token["event"]) == ("read", hall.tournament.event.slug)
    made = ApiToken.objects.get()
    assert made.expires_at - made.made_at == timedelta(days=3)
    assert listed_token["last_used_at"] is not None


@pytest.mark.parametrize("wrong", [{"days": 366}, {"days": 0}, {"scope": "all"}, {"event": "nowhere"}])
def test_a_token_outside_the_limits_is_refused(browser, wrong):
    assert sent(browser, "/account/tokens/", {"name": "board", **wrong}).status_code in (400, 404)
    assert not ApiToken.objects.exists()


def test_a_token_for_an_event_needs_a_role_there(hall):
    elsewhere = stories.event(stories.director("neighbour"))
    with pytest.raises(Refused, match="no role"):
        links.make_api_token(hall.owner.user, "board", TokenPlan(event=elsewhere))


def test_a_token_opens_nothing_after_its_end(owning):
    assert owning.get("/account/tokens/").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now())
    assert owning.get("/account/tokens/").status_code == 401


def test_the_database_refuses_tokens_without_a_scope_or_with_an_end_before_their_beginning(owning):
    for wrong in ({"scope": "all"}, {"expires_at": timezone.now() - timedelta(days=1)}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ApiToken.objects.update(**wrong)


def test_the_last_use_of_a_token_is_stored_every_few_minutes(owning):
    owning.get("/events/")
    first = ApiToken.objects.get().last_used_at
    owning.get("/events/")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(hours=1))
    owning.get("/events/")
    assert ApiToken.objects.get().last_used_at > first


def test_a_token_for_reading_changes_nothing_at_any_address(world):
    token = links.make_api_token(world.hall.owner.user, "board", TokenPlan(Scope.READ))
    program = Client(headers={"authorization": f"Bearer {token}"})
    has_a_record(world)
    world.role = OWNER
    before = stored_rows()
    for row in [row for row in TABLE if row.name.startswith("v1:") and row.verb != "GET"]:
        path = reverse(row.name, args=row.arguments(world))
        answer = program.generic(row.verb, path, "{}", content_type="application/json")
        assert (str(row), answer.status_code, answer.json()["code"]) == (str(row), 403, "read-only-token")
    assert stored_rows() == before


def test_a_token_for_one_event_has_no_permissions_in_others(world):
    elsewhere = stories.event(world.hall.owner, "Elsewhere")
    token = links.make_api_token(world.hall.owner.user, "board", TokenPlan(event=elsewhere))
    program = Client(headers={"authorization": f"Bearer {token}"})
    has_a_record(world)
    world.role = OWNER
    for row in [row for row in TABLE if row.name.startswith("v1:") and row.roles < EVERYBODY]:
        if row.arguments(world) and not has_a_file(row.body(world)):
            path = reverse(row.name, args=row.arguments(world))
            body = json.dumps(row.body(world), default=str)
            answer = program.generic(row.verb, path, body, content_type="application/json")
            assert is_refused(answer), (str(row), answer.status_code)
    assert program.get(f"{API}/events/{elsewhere.slug}/people/").status_code == 200
    assert Program(token).post("/events/", {"name": "Mine", "starts_on": "2030-01-01"}).status_code == 403


def test_tokens_that_existed_before_get_a_full_scope_and_an_end():
    migration = importlib.import_module("tournament.migrations.0014_ends_of_api_tokens")
    links.make_api_token(stories.director().user, "old")
    ApiToken.objects.update(made_at=timezone.now() - timedelta(days=900))
    migration.set_an_end(apps, None)
    token = ApiToken.objects.get()
    assert token.scope == Scope.FULL
    assert timedelta(days=89) < token.expires_at - timezone.now() <= timedelta(days=90)
