"""People around a tournament of four that is being played, and the clients they use."""

import json
import uuid
from copy import deepcopy
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client, override_settings
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.tournament import stories
from tests.tournament.api import openapi
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.models import Pairing, Tournament
from tournament.runtime import publish, rate_limiter
from tournament.runtime.rate_limiter import BrokerCounts

API = "/api/v1"


class OneRoundHasher(PBKDF2PasswordHasher):
    """The hasher of the product, which takes a fifth of a second on purpose, with one round instead."""

    iterations = 1


class Program:
    """Speaks JSON to the API, with or without a token; no answer may differ from the OpenAPI document."""

    def __init__(self, token: str = "") -> None:
        self.client = Client(
            headers={"Authorization": f"Bearer {token}"} if token else {}, raise_request_exception=True
        )

    def send(self, method: str, path: str, body=None, **more):
        text = "" if body is None else json.dumps(body, default=str)
        return self.raw(method, path, text, content_type="application/json", **more)

    def raw(self, method: str, path: str, data: bytes | str = "", **more):
        """Sends bytes as they are; every answer is held against the OpenAPI document."""
        path = path if path.startswith("http") else f"{API}{path}"
        answer = self.client.generic(method, path, data, **more)
        openapi.check(method, urlsplit(path).path, answer)
        return answer

    def upload(self, method: str, path: str, content: bytes, name: str = "list.csv", **fields):
        """Sends a file as a form of a browser would."""
        sent = encode_multipart(BOUNDARY, {"file": SimpleUploadedFile(name, content), **fields})
        return self.raw(method, path, sent, content_type=MULTIPART_CONTENT)

    def get(self, path: str, **more):
        return self.raw("GET", path, **more)

    def post(self, path: str, body=None):
        return self.send("POST", path, {} if body is None else body)

    def put(self, path: str, body):
        return self.send("PUT", path, body)

    def delete(self, path: str, body=None):
        return self.send("DELETE", path, body)


@dataclass
class Hall:
    """A drawn and released tournament to 3 points, of four players by default, with clients of every role."""

    tournament: Tournament
    owner: Actor
    director: Actor
    desk: Actor
    monitor: Actor
    cashier: Actor
    pairing: Pairing
    second_pairing: Pairing
    left: str
    right: str
    elsewhere: str

    @property
    def match(self) -> str:
        return f"/matches/{self.pairing.match_id}"

    @property
    def here(self) -> str:
        return f"/tournaments/{self.tournament.pk}"


@pytest.fixture(scope="package", autouse=True)
def _fast_test_clients():
    """Skips reading the list of static files, which every new client would do, and hashes passwords once."""
    hasher = f"{OneRoundHasher.__module__}.{OneRoundHasher.__qualname__}"
    with override_settings(PASSWORD_HASHERS=[hasher], WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture(scope="package", autouse=True)
def _broker_timeout_is_long():
    """Publishes with a long timeout: the broker shares its processor with other tests."""
    patient = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=60)
    with (
        override_settings(CACHES={"default": {**settings.CACHES["default"], "OPTIONS": {}}}),
        pytest.MonkeyPatch.context() as here,
    ):
        here.setattr(publish, "_server", patient)
        here.setattr(rate_limiter, "broker_counts", BrokerCounts(timeout_seconds=60))
        yield


@pytest.fixture(autouse=True)
def _empty_rate_limits():
    cache.clear()


@pytest.fixture(scope="module")
def hall_of_module(rows_of_module) -> Hall:
    """For `usefixtures` in a module whose tests use the hall: made once, and each test gets a copy of it."""
    return make_hall()


@pytest.fixture
def hall(request, db) -> Hall:
    if "hall_of_module" in request.fixturenames:
        return deepcopy(request.getfixturevalue("hall_of_module"))
    return make_hall()


@pytest.fixture(scope="module")
def actor_of_module(rows_of_module) -> Actor:
    """For fixtures of a module that make a tournament once. `actor` is a copy of it in tests that use one of them."""
    return stories.director()


@pytest.fixture
def actor(request, db) -> Actor:
    if "actor_of_module" in request.fixturenames:
        return deepcopy(request.getfixturevalue("actor_of_module"))
    return stories.director()


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup, django_db_blocker):
    """Rows that fixtures of a module make after this one stay for all its tests. No other test sees them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def make_hall(entries: int = 4) -> Hall:
    owner = stories.director("owner")
    made = stories.released(owner, entries, lengths=(3,), confirm_after=10)
    helpers = {
        role: stories.helper(made.event, role, owner) for role in ("director", "desk", "monitor", "cash")
    }
    pairing, second_pairing = stories.playable(made)[:2]
    return Hall(
        tournament=made,
        owner=owner,
        director=helpers["director"],
        desk=helpers["desk"],
        monitor=helpers["monitor"],
        cashier=helpers["cash"],
        pairing=pairing,
        second_pairing=second_pairing,
        left=links.make_link(pairing.left, owner),
        right=links.make_link(pairing.right, owner),
        elsewhere=links.make_link(second_pairing.left, owner),
    )


@pytest.fixture
def left(hall) -> Program:
    return Program(hall.left)


@pytest.fixture
def right(hall) -> Program:
    return Program(hall.right)


@pytest.fixture
def elsewhere(hall) -> Program:
    return Program(hall.elsewhere)


@pytest.fixture
def at_desk(hall) -> Program:
    return Program(links.make_api_token(hall.desk.user, "desk"))


@pytest.fixture
def directing(hall) -> Program:
    return Program(links.make_api_token(hall.director.user, "director"))


@pytest.fixture
def owning(hall) -> Program:
    return Program(links.make_api_token(hall.owner.user, "owner"))


@pytest.fixture
def stranger() -> Program:
    return Program()


@dataclass
class Pen:
    """Writes games through a program, each after the one before."""

    program: Program
    hall: Hall
    tail: str = ""

    def game(self, winner: str = "left", **more):
        return self.send("games", {"winner": winner, **more})

    def send(self, kind: str, body: dict, **keys):
        row = {
            "key": str(uuid.uuid4()),
            "predecessor": self.tail or str(self.hall.pairing.match_id),
            **body,
            **keys,
        }
        answer = self.program.post(f"{self.hall.match}/{kind}/", row)
        if answer.status_code == 201:
            self.tail = row["key"]
        return answer


@pytest.fixture
def left_pen(left, hall) -> Pen:
    return Pen(left, hall)


@pytest.fixture
def right_pen(right, hall) -> Pen:
    return Pen(right, hall)
