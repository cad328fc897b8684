"""Requests made from the OpenAPI document: such as it allows, such as it forbids, at every boundary that it names."""

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

from tests.bench.fuzz.stored_ids import Known
from tournament.api.schema import written

MODES = list(GenerationMode)
Operation = APIOperation[Any, Any, Any, Any]
Case = schemathesis.Case[Operation]
TEXT = {"type": "string"}
CLOSED = ("Document", "Page")
"""What the API answers holds nothing that the document does not name; what it is sent may."""


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document as it is served, with its answers closed."""
    described: dict[str, Any] = json.loads(written(get_language() or ""))
    for name, schema in described["components"]["schemas"].items():
        if name.endswith(CLOSED) and "properties" in schema:
            schema["additionalProperties"] = False
    return described


def schema_of(app: Any = None) -> BaseSchema:
    """What makes requests and judges answers; with `app`, requests go to this WSGI application."""
    configuration = schemathesis.Config()
    made = schemathesis.openapi.from_dict(document(), config=configuration)
    made.config.generation.with_security_parameters = False
    made.app = app
    return made


def operations(schema: BaseSchema) -> dict[str, Operation]:
    """Every operation by its name."""
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return {str(schema.get_operation_id(one)): one for one in found}


def at_boundaries(schema: BaseSchema, operation: Operation) -> Iterator[Case]:
    """Each value that the document only just allows or forbids, and verbs that it does not name."""
    yield from schema.iter_coverage_cases(
        operation, generation_modes=MODES, generation_config=schema.config.generation
    )


def by_chance(operation: Operation, many: int, chosen: int) -> list[Case]:
    """So many that the document allows, and half as many that it forbids; the same ones for the same `chosen`."""
    allowed = _drawn(operation, GenerationMode.POSITIVE, many, chosen)
    forbidden = (
        _drawn(operation, GenerationMode.NEGATIVE, many // 2, chosen) if _can_be_wrong(operation) else []
    )
    return [*allowed, *forbidden]


def _can_be_wrong(operation: Operation) -> bool:
    """Not where all that is said is text in the address: hundreds would be made in search of one that is forbidden."""
    return bool(operation.body) or any(
        parameter.definition.get("schema") != TEXT for parameter in operation.iter_parameters()
    )


def _drawn(operation: Operation, mode: GenerationMode, many: int, chosen: int) -> list[Case]:
    cases: list[Case] = []

    @seed(chosen)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode))
    def keep(case: Case) -> None:
        cases.append(case)

    try:
        keep()
    except Unsatisfiable:  # nothing can be wrong where nothing can be said
        return []
    return cases


def aimed(case: Case, known: Known, chance: Random) -> Case:
    """The same request about something that is really there, so that it comes past the first door."""
    negated = case.meta is not None and case.meta.is_negative_at(ParameterLocation.PATH)
    if not negated:
        case.path_parameters = known.address(case.path_parameters or {}, chance)
    case.body = known.body(case.body, chance)
    return case
