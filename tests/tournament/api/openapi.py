"""Checks every answer of the API against the OpenAPI document."""

import json
import re
from datetime import datetime
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils.translation import get_language
from jsonschema import Draft202012Validator, FormatChecker

from tournament.api.schema import rendered_schema

PROBLEM = "application/problem+json"
BYTES = {"type": "string", "format": "binary"}
BINARY_KINDS = (
    "application/octet-stream",
    "image/jpeg",
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
PATH_PART = re.compile(r"\{[^}]+\}")
UNDESCRIBED = (404, 405)
FORMATS = FormatChecker(["uuid", "date"])
FORMATS.checks("date-time", ValueError)(
    lambda text: not isinstance(text, str) or datetime.fromisoformat(text)
)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document; objects may hold nothing that it does not name."""
    described: dict[str, Any] = json.loads(rendered_schema(get_language() or ""))
    for schema in described["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return described


@cache
def operations() -> dict[str, dict[str, Any]]:
    """Every operation by its name, with `path` and `verb`."""
    return {
        operation["operationId"]: {**operation, "path": path, "verb": verb.upper()}
        for path, verbs in document()["paths"].items()
        for verb, operation in verbs.items()
    }


def operation_of(verb: str, path: str) -> dict[str, Any] | None:
    """The operation that answers this verb at this address; where two addresses fit, the plainer one."""
    fitting = [
        operation
        for operation in operations().values()
        if operation["verb"] == verb and _fits(operation["path"], path)
    ]
    return min(fitting, key=lambda operation: operation["path"].count("{"), default=None)


def check(verb: str, path: str, answer: HttpResponse) -> None:
    """Raises AssertionError or ValidationError for an answer that the document does not allow."""
    assert answer.status_code < 500, answer.content
    operation = operation_of(verb, path.partition("?")[0])
    if answer.status_code >= 400:
        assert answer["Content-Type"] == PROBLEM
        assert json.loads(answer.content)["status"] == answer.status_code
    if operation is None or answer.status_code == 405:
        assert answer.status_code in UNDESCRIBED or "/schema/" in path
        return
    documented = operation["responses"].get(str(answer.status_code))
    assert documented is not None, f"{operation['operationId']} does not describe {answer.status_code}"
    _check_body(documented, answer)


def problem_of(answer: HttpResponse) -> tuple[int, str]:
    """Returns the status and the problem code of a refused request."""
    assert answer["Content-Type"] == PROBLEM
    problem = json.loads(answer.content)
    assert problem["detail"].endswith(".")
    return answer.status_code, problem["code"]


def _check_body(documented: dict[str, Any], answer: HttpResponse) -> None:
    if not documented.get("content"):
        assert answer.content == b""
        return
    kind = answer["Content-Type"].partition(";")[0]
    schema = documented["content"][kind]["schema"]
    if schema == BYTES:
        assert kind in BINARY_KINDS
        return
    whole = {**schema, "components": document()["components"]}
    Draft202012Validator(whole, format_checker=FORMATS).validate(json.loads(answer.content))


def _fits(template: str, path: str) -> bool:
    return re.fullmatch(PATH_PART.sub("[^/]+", template), path) is not None
