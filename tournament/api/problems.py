"""Renders errors of the API as application/problem+json, with a code for programs and a sentence for people."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import IntegrityError
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, ngettext
from rest_framework import exceptions, status
from rest_framework.response import Response

from matches.card_refusals import CardClosed, CardConflict, KeyReused, NoSuchRow
from rules.problem import RuleBroken
from tournament.api.card_serializers import card_json
from tournament.api.correction_serializers import preview_json
from tournament.api.match_serializers import match_json
from tournament.corrections import PreviewChanged
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.problems import MEDIA_TYPE, problem
from tournament.web.sentences import refusal_sentence

log = logging.getLogger(__name__)


def problem_response(error: Exception, context: dict[str, Any]) -> HttpResponseBase | None:  # noqa: ARG001
    """DRF's exception handler. Returns None for an error of our own code, which becomes a 500."""
    body = _problem_of(error)
    if body is None:
        return None
    headers = {}
    if isinstance(error, exceptions.APIException):
        headers = _headers(error)
    return Response(body, status=body["status"], headers=headers, content_type=MEDIA_TYPE)


def _problem_of(error: Exception) -> dict[str, Any] | None:
    match error:
        case RuleBroken():
            return _rule_problem(error)
        case Refused():
            return problem(409, error.code, refusal_sentence(error), **_payload(error))
        case Denied():
            return problem(403 if error.is_known else 401, error.refusal.code, refusal_sentence(error))
        case NotFound():
            return problem(404, error.refusal.code, refusal_sentence(error))
        case Http404():
            return _problem_of(NotFound())
        case exceptions.APIException():
            return _framework_problem(error)
    return _django_problem(error)


def _rule_problem(error: RuleBroken) -> dict[str, Any]:
    broken = error.problem
    return problem(
        422,
        broken.code,
        refusal_sentence(broken),
        rule=broken.rule,
        params=dict(broken.params),
        offer=str(broken.offer) if broken.offer else None,
    )


def _payload(error: Refused) -> dict[str, Any]:
    """The current state that the request did not know."""
    match error:
        case CardConflict() | KeyReused() | NoSuchRow():
            return {"card": card_json(error.card)}
        case CardClosed():
            return {"match": match_json(error.match)}
        case PreviewChanged():
            return {"preview": preview_json(error.preview)}
    return {}


def _framework_problem(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        sentence = gettext("Something in the request is missing or cannot be read. See `invalid`.")
        return problem(400, "invalid", sentence, invalid=error.detail)
    if isinstance(error, exceptions.Throttled):
        seconds = int(getattr(error, "wait", 0) or 1)
        sentence = ngettext(
            "Too many requests. Try again in {seconds} second.",
            "Too many requests. Try again in {seconds} seconds.",
            seconds,
        )
        return problem(429, "throttled", sentence.format(seconds=seconds))
    codes = error.get_codes()
    name = codes if isinstance(codes, str) else "invalid"
    return problem(error.status_code, name.replace("_", "-"), str(error.detail))


def _django_problem(error: Exception) -> dict[str, Any] | None:
    if isinstance(error, IntegrityError):
        log.warning("two requests wanted the same at the same moment: %s", error)
        return problem(
            409,
            "changed-meanwhile",
            gettext("Something changed in the meantime. Load it again, then repeat the request."),
        )
    if isinstance(error, RequestDataTooBig):
        return problem(413, "too-long", gettext("This is too long. Send 6 MB at most."))
    if isinstance(error, SuspiciousOperation):
        return problem(400, "parse-error", gettext("The request cannot be read."))
    return None


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if error.status_code == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = getattr(error, "auth_header", "Bearer")
    if getattr(error, "wait", None):
        headers["Retry-After"] = str(int(error.wait))  # type: ignore[attr-defined]
    return headers
