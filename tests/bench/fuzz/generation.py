"""Generates requests from the OpenAPI document: allowed, forbidden, and at its boundaries."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import schemathesis
from django.utils.translation import get_language
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema

from tests.bench.fuzz.stored_ids import StoredIds
from tournament.api.schema import rendered_schema

MODES = list(GenerationMode)
Operation = APIOperation[Any, Any, Any, Any]
Case = schemathesis.Case[Operation]
TEXT = {"type": "string"}
CLOSED = ("Document", "Page")
"""Answers may not have properties that the document does not name; requests may."""


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document as it is served, but without additional properties in answers."""
    described: dict[str, Any] = json.loads(rendered_schema(get_language() or ""))
    for name, schema in described["components"]["schemas"].items():
        if name.endswith(CLOSED) and "properties" in schema:
            schema["additionalProperties"] = False
    return described


def schema_of(app: Any = None) -> BaseSchema:
    """With `app`, requests go to this WSGI application."""
    configuration = schemathesis.Config()
    schema = schemathesis.openapi.from_dict(document(), config=configuration)
    schema.config.generation.with_security_parameters = False
    schema.app = app
    return schema


def operations(schema: BaseSchema) -> dict[str, Operation]:
    """All operations by name."""
    results = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {str(schema.get_operation_id(operation)): operation for operation in results}


def boundary_cases(schema: BaseSchema, operation: Operation) -> Iterator[Case]:
    """Values that the document just allows or just forbids, and undocumented methods."""
    yield from schema.iter_coverage_cases(
        operation, generation_modes=MODES, generation_config=schema.config.generation
    )


def random_cases(operation: Operation, number: int, seed_number: int) -> list[Case]:
    """`number` allowed cases and half as many forbidden ones, the same for the same `seed_number`."""
    allowed = _generate(operation, GenerationMode.POSITIVE, number, seed_number)
    forbidden = (
        _generate(operation, GenerationMode.NEGATIVE, number // 2, seed_number)
        if number > 1 and _has_forbidden_values(operation)
        else []
    )
    return [*allowed, *forbidden]


def _has_forbidden_values(operation: Operation) -> bool:
    """False where every value is text in the address: the search for a forbidden text would take hundreds of cases."""
    return bool(operation.body) or any(
        parameter.definition.get("schema") != TEXT for parameter in operation.iter_parameters()
    )


def _generate(operation: Operation, mode: GenerationMode, number: int, seed_number: int) -> list[Case]:
    cases: list[Case] = []

    @seed(seed_number)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode))
    def collect(case: Case) -> None:
        cases.append(case)

    try:
        collect()
    except Unsatisfiable:
        return []
    return cases


def with_stored_ids(case: Case, ids: StoredIds, chance: Random) -> Case:
    """Puts ids of stored rows into the request, so that it passes the lookup."""
    negated = case.meta is not None and case.meta.is_negative_at(ParameterLocation.PATH)
    if not negated:
        case.path_parameters = ids.path_parameters(case.path_parameters or {}, chance)
    case.body = ids.body(case.body, chance)
    return case
