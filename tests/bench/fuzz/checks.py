"""Checks an answer: it matches the OpenAPI document, has the security headers and reveals nothing internal."""

import json
from collections.abc import Iterator

from schemathesis import Response
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.bench.fuzz.generation import Case

PROBLEM = "application/problem+json"
INTERNAL_WORDS = (
    "Traceback (most",
    "site-packages",
    "psycopg",
    "sqlite3.",
    "django.db",
    "Exception Value",
    'File "/',
)
"""Words that appear only in the answer of a faulty server."""
REQUIRED_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}
POLICIES = ("default-src 'self'", "default-src 'none'")
CHECKS: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]


def complaints(case: Case, answer: Response) -> list[str]:
    """One line for each problem of this answer."""
    return [*_document_complaints(case, answer), *_general_complaints(answer)]


def _document_complaints(case: Case, answer: Response) -> list[str]:
    try:
        case.validate_response(answer, checks=CHECKS)
    except FailureGroup as group:
        return [_line(failure) for failure in group.exceptions]
    except Failure as failure:
        return [_line(failure)]
    return []


def _line(failure: Failure) -> str:
    return " ".join(f"{failure.title}: {failure.message}".split())[:300]


def _general_complaints(answer: Response) -> Iterator[str]:
    text = answer.content.decode("utf-8", "replace")
    yield from (f"Internal word: {word}" for word in INTERNAL_WORDS if word in text)
    for name, value in REQUIRED_HEADERS.items():
        if answer.headers.get(name) != [value]:
            yield f"Missing or wrong header {name}"
    policy = "".join(answer.headers.get("content-security-policy") or [])
    if not any(start in policy for start in POLICIES) or "unsafe" in policy:
        yield f"Wrong content security policy: {policy or 'none'}"
    if answer.status_code >= 400:
        yield from _refusal_complaints(answer)


def _refusal_complaints(answer: Response) -> Iterator[str]:
    content_type = "".join(answer.headers.get("content-type") or [])
    if content_type != PROBLEM:
        yield f"Refusal without problem document, but {content_type or 'nothing'}"
        return
    problem = json.loads(answer.content)
    if problem["status"] != answer.status_code or not str(problem["detail"]).strip():
        yield "Problem document with another status, or without detail"
    if answer.status_code == 429 and not answer.headers.get("retry-after"):
        yield "429 without Retry-After"
