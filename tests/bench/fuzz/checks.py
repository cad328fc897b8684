"""Holds every answer against the document, and against what no answer may ever be."""

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
INSIDE = (
    "Traceback (most",
    "site-packages",
    "psycopg",
    "sqlite3.",
    "django.db",
    "Exception Value",
    'File "/',
)
"""Words that only a fault of ours would say."""
ALWAYS = {"x-content-type-options": "nosniff", "referrer-policy": "same-origin", "x-frame-options": "DENY"}
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
    """What is wrong with this answer, each in a line; nothing when all is well."""
    return [*_against_the_document(case, answer), *_against_what_holds_always(answer)]


def _against_the_document(case: Case, answer: Response) -> list[str]:
    try:
        case.validate_response(answer, checks=CHECKS)
    except FailureGroup as found:
        return [_line(one) for one in found.exceptions]
    except Failure as found:
        return [_line(found)]
    return []


def _line(found: Failure) -> str:
    return " ".join(f"{found.title}: {found.message}".split())[:300]


def _against_what_holds_always(answer: Response) -> Iterator[str]:
    text = answer.content.decode("utf-8", "replace")
    yield from (f"A word from inside: {word}" for word in INSIDE if word in text)
    for name, value in ALWAYS.items():
        if answer.headers.get(name) != [value]:
            yield f"Without its header {name}"
    policy = "".join(answer.headers.get("content-security-policy") or [])
    if not any(one in policy for one in POLICIES) or "unsafe" in policy:
        yield f"Without its content security policy, but {policy or 'none'}"
    if answer.status_code >= 400:
        yield from _of_a_refusal(answer)


def _of_a_refusal(answer: Response) -> Iterator[str]:
    kind = "".join(answer.headers.get("content-type") or [])
    if kind != PROBLEM:
        yield f"A refusal that is no problem document but {kind or 'nothing'}"
        return
    said = json.loads(answer.content)
    if said["status"] != answer.status_code or not str(said["detail"]).strip():
        yield "A problem document of another status, or without a sentence"
    if answer.status_code == 429 and not answer.headers.get("retry-after"):
        yield "Nobody is told when to try again"
