"""Invalid values that no schema generates: in addresses, in rulesets, in list parameters.

Operations are read from the OpenAPI document, so new ones are included.
"""

import uuid
from itertools import product

import pytest

from rules.ruleset import PRESETS
from tests.tournament.api import openapi
from tests.tournament.conftest import API
from tournament.models import Pin, Table
from tournament.room import calls, tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

INVALID = [None, True, "", "a\x00b", "\ud800", -1, 2**31, 10**30, 1e300, [], {"a": {"b": [1]}}]
"""Values of every type, and those that one database might store and the other refuse."""
REACHES_DATABASE = ["%00", str(10**30)]
"""Unknown values that reach the database."""
REFUSED_BEFORE = ["a%0Ab", "%F0%9F%8E%B2", "%ff", ".."]
"""Unknown values that are refused before the database, by the kind of part."""
INVALID_PARAMETERS = [  # cursors with the values position 4; %00; offset -1; offset 100000000000000000; the year 9999
    "x", "%00", "cD0y", "cD0lMDA=", "bz0tMQ==", "bz0xMDAwMDAwMDAwMDAwMDAwMDAw", "cD05OTk5LTEyLTMx", "r=1",
    str(10**30), "-1",
]  # fmt: skip


def address(operation, hall) -> str:
    ids = {
        "event": hall.tournament.event.slug,
        "tournament_id": hall.tournament.pk,
        "match_id": hall.pairing.match_id,
        "pairing_id": hall.pairing.pk,
        "entry_id": hall.pairing.left_id,
        "round_id": hall.pairing.round_id,
        "keeper": "left",
        "key": "main",
        "action": "withdraw",
        "user_name": "desk",
        "question_id": uuid.uuid4(),
        "token_id": 1,
        "link_id": 1,
        "transaction_id": 1,
        "rule_id": 1,
        "rate_id": 1,
        "closing_id": 1,
        "lot_id": uuid.uuid4(),
        "invitation_id": 1,
        "record_id": uuid.uuid4(),
        "correction_id": uuid.uuid4(),
        "jackpot_id": uuid.uuid4(),
        "screen_id": uuid.uuid4(),
        "slide_id": uuid.uuid4(),
        "photo_id": uuid.uuid4(),
        "number": 1,
        "player_id": uuid.uuid4(),
        "receipt_id": uuid.uuid4(),
        "table": "transfers",
        "kind": "csv",
    }
    if "/calls/" in operation["path"] or "/tables/" in operation["path"] or "/pins/" in operation["path"]:
        ids |= _room_ids(hall)
    return operation["path"].removeprefix(API).format(**ids)


def _room_ids(hall) -> dict[str, object]:
    """A table, a pin on it and a match called to it. A second call returns the same rows."""
    (table,) = tables.add(hall.tournament.event_id, "1", hall.owner) or Table.objects.all()
    pin = Pin.objects.first() or tables.pin(table, hall.pairing, "it is filmed", hall.owner)
    call = calls.call(hall.pairing.pk, table.pk, hall.owner)
    return {"table_id": table.pk, "pin_id": pin.pk, "call_id": call.pk}


@pytest.mark.parametrize("name", openapi.operations())
def test_an_invalid_address_is_not_found(owning, hall, name):
    operation = openapi.operations()[name]
    for place, unknown in product(places_of(operation).values(), REACHES_DATABASE):
        send_with(owning, hall, operation, place, unknown)


def test_an_invalid_part_of_each_kind_is_not_found(owning, hall):
    kinds: dict[str, tuple[dict[str, str], int]] = {}
    for operation in openapi.operations().values():
        kinds |= {kind: (operation, place) for kind, place in places_of(operation).items()}
    for (operation, place), unknown in product(kinds.values(), REFUSED_BEFORE):
        send_with(owning, hall, operation, place, unknown)


def places_of(operation) -> dict[str, int]:
    """The places in the path of its variable parts, by their names."""
    parts = operation["path"].split("/")
    return {part: place for place, part in enumerate(parts) if part.startswith("{")}


def send_with(owning, hall, operation, place: int, unknown: str) -> None:
    parts = address(operation, hall).split("/")
    parts[place - len(API.split("/")) + 1] = unknown
    owning.send(operation["verb"], "/".join(parts), {})


@pytest.mark.parametrize("field", PRESETS["tournament"].as_json())
def test_an_invalid_ruleset_is_refused(owning, hall, field):
    valid = PRESETS["tournament"].as_json()
    for value in INVALID:
        body = {"name": "x", "ruleset": {**valid, field: value}}
        owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", body)


def test_invalid_list_parameters_cause_no_server_error(owning, hall):
    slug = hall.tournament.event.slug
    for path, name, value in product(
        ("/events/", f"/events/{slug}/journal/"),
        ("cursor", "page_size", "format", "version", "lang"),
        INVALID_PARAMETERS,
    ):
        owning.get(f"{path}?{name}={value}")
