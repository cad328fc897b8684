"""Sends requests that the OpenAPI document allows and forbids to every operation, in every role.

Every answer is documented, has the documented shape and reveals nothing internal. `tests.bench fuzz` sends many more.
"""

from http import HTTPStatus
from random import Random

import pytest
from django.core import signals
from django.db import close_old_connections, transaction

from deploy.wsgi import application
from tests.bench.fuzz.checks import complaints
from tests.bench.fuzz.generation import (
    boundary_cases,
    document,
    operations,
    random_cases,
    schema_of,
    with_stored_ids,
)
from tests.bench.fuzz.report import choose_roles
from tests.bench.fuzz.sample_event import SampleEvent, create_sample_event
from tests.bench.fuzz.stored_ids import load_stored_ids
from tournament.api.rate_limits import RequestThrottle
from tournament.runtime.rate_limiter import Limit

pytestmark = pytest.mark.django_db
TAGS = sorted(tag["name"] for tag in document()["tags"])
LEAST_BOUNDARY_CASES, MOST_BOUNDARY_CASES, BOUNDARY_CASES_PER_TAG = 2, 3, 24
RANDOM_CASES_PER_TAG = 6


@pytest.fixture(scope="module")
def sample_event(rows_of_module) -> SampleEvent:
    return create_sample_event("Fuzz")


@pytest.fixture(scope="module")
def schema():
    return schema_of(application)


@pytest.fixture(autouse=True)
def _one_transaction(monkeypatch):
    """Keeps the connection of the test's transaction open after each request, and lifts the rate limits."""
    monkeypatch.setattr(RequestThrottle, "all_requests", Limit("requests", 0))
    monkeypatch.setattr(RequestThrottle, "changes", Limit("changes", 0))
    monkeypatch.setattr("tournament.api.rate_limits.WRONG_TOKENS", Limit("wrong tokens", 0))
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


def test_every_answer_to_a_generated_request_matches_the_document(sample_event, schema):
    """Many requests are refused, but not all."""
    ids = load_stored_ids()
    wrong: dict[str, object] = {}
    succeeded = 0
    for tag in TAGS:
        chance = Random(tag)
        by_name = {
            name: operation for name, operation in operations(schema).items() if operation.tags == [tag]
        }
        boundary_count = max(LEAST_BOUNDARY_CASES, BOUNDARY_CASES_PER_TAG // len(by_name))
        random_count = max(1, RANDOM_CASES_PER_TAG // len(by_name))
        for name, operation in by_name.items():
            cases = choose_cases(schema, operation, (boundary_count, random_count), chance)
            for case, role in zip(cases, choose_roles(sample_event, len(cases), chance), strict=True):
                answer = send_and_roll_back(with_stored_ids(case, ids, chance), sample_event.tokens[role])
                succeeded += answer.status_code < HTTPStatus.MULTIPLE_CHOICES
                for complaint in complaints(case, answer):
                    wrong[f"{name}: {complaint}"] = (
                        role,
                        case.formatted_path,
                        case.body,
                        answer.content[:300],
                    )
    assert wrong == {}
    assert succeeded > len(TAGS)


def choose_cases(schema, operation, counts: tuple[int, int], chance: Random) -> list:
    """`counts`: of boundary cases and of random cases."""
    boundary_count, random_count = counts
    boundaries = list(boundary_cases(schema, operation))
    chosen = chance.sample(boundaries, min(boundary_count, MOST_BOUNDARY_CASES, len(boundaries)))
    return [*chosen, *random_cases(operation, random_count, 1)]


def send_and_roll_back(case, token: str):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with transaction.atomic():
        answer = case.call(headers={"Accept-Encoding": "identity", **headers})
        transaction.set_rollback(True)
    return answer
