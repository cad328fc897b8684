"""Sends requests that the OpenAPI document allows and forbids to every operation, in every role.

Every answer is documented, has the documented shape and reveals nothing internal. `tests.bench fuzz` sends many more.
"""

from random import Random

import pytest
from django.core import signals
from django.db import close_old_connections, connection, transaction

from deploy.wsgi import application
from tests.bench.fuzz.checks import complaints
from tests.bench.fuzz.generation import aimed, at_boundaries, by_chance, document, operations, schema_of
from tests.bench.fuzz.sample_event import Cast, assemble
from tests.bench.fuzz.sending import askers_of
from tests.bench.fuzz.stored_ids import known_now
from tests.tournament.kept import Kept
from tournament.api.throttling import Pace
from tournament.runtime.rate_limits import Limit

pytestmark = pytest.mark.django_db
ROOMS = sorted(tag["name"] for tag in document()["tags"])
MOST_AT_BOUNDARIES = 10
FEWEST, IN_A_ROOM = 3, 30
"""Of what chance makes, for an operation and for its whole room."""
AGAIN = 3
"""On the second database so many times less, and by chance only for so many times fewer operations: of what is refused
most never comes to a database, and making it up takes longer than asking.
"""


@pytest.fixture(scope="module")
def kept_cast() -> Kept[Cast]:
    return Kept(lambda: assemble("Rubbish"))


@pytest.fixture(scope="module")
def schema():
    return schema_of(application)


@pytest.fixture(autouse=True)
def _one_transaction(monkeypatch):
    """A request of its own would close the connection that the test's transaction is open on; and nobody counts."""
    monkeypatch.setattr(Pace, "asked", Limit("asked", 0))
    monkeypatch.setattr(Pace, "written", Limit("written", 0))
    monkeypatch.setattr("tournament.api.throttling.WRONG_TOKENS", Limit("wrong tokens", 0))
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize("room", ROOMS)
def test_whatever_is_sent_to_this_room_every_answer_is_one_of_those_that_are_told(kept_cast, schema, room):
    cast, chance = kept_cast.again(), Random(room)
    known = known_now()
    wrong: dict[str, object] = {}
    done = 0
    asked = {name: one for name, one in operations(schema).items() if one.tags == [room]}
    each = max(FEWEST, IN_A_ROOM // len(asked))
    for number, (name, operation) in enumerate(asked.items()):
        cases = picked(schema, operation, 0 if number % share() else each, chance)
        for case, asker in zip(cases, askers_of(cast, len(cases), chance), strict=True):
            answer = sent(aimed(case, known, chance), cast.tokens[asker])
            done += answer.status_code < 300
            for complaint in complaints(case, answer):
                wrong[f"{name}: {complaint}"] = (asker, case.formatted_path, case.body, answer.content[:300])
    assert wrong == {}
    assert done or share() > 1, "nothing was done, so nothing was tried behind the first door"


def share() -> int:
    return 1 if connection.vendor == "postgresql" else AGAIN


def picked(schema, operation, each: int, chance: Random) -> list:
    boundaries = list(at_boundaries(schema, operation))
    chosen = chance.sample(boundaries, min(MOST_AT_BOUNDARIES // share(), len(boundaries)))
    return [*chosen, *(by_chance(operation, each, 1) if each else [])]


def sent(case, token: str):
    """What is done is undone, so that the next finds everything there."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with transaction.atomic():
        answer = case.call(headers={"Accept-Encoding": "identity", **headers})
        transaction.set_rollback(True)
    return answer
