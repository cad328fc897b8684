"""Answers 503 with `Retry-After` and a sentence while the database is away, full or busy.

Uses no database and writes no log line per request: `database_faults` logs the outage once.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from tournament.runtime import database_faults
from tournament.runtime.database_faults import DatabaseFault
from tournament.web.problems import MEDIA_TYPE, problem

RETRY_SECONDS = 2
# Views that report the state of the installation, or do not use the database.
ALWAYS_SERVED = ("healthz", "readyz", "metrics", "manifest", "worker-script")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SENTENCES = {
    DatabaseFault.AWAY: _(
        "The program cannot reach its database at the moment. Nothing that was saved is lost. Try again in a moment."
    ),
    DatabaseFault.CANNOT_WRITE: _(
        "This was not saved: the database cannot write. Make room on its disk, then try again."
    ),
    DatabaseFault.BUSY: _("This was not saved: the database is busy. Try again."),
}


class Unavailable:
    """Middleware: answers at once during an outage, and answers requests that fail because of one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method not in SAFE_METHODS and response.status_code < 400:
            database_faults.record_write()
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        match = request.resolver_match
        if not database_faults.database.is_active or (match is not None and match.url_name in ALWAYS_SERVED):
            return None
        return unavailable(request, DatabaseFault.AWAY)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        fault = database_faults.record_fault(error)
        return None if fault is None else unavailable(request, fault)


def unavailable(request: HttpRequest, fault: DatabaseFault) -> HttpResponse:
    sentence, response = str(SENTENCES[fault]), HttpResponse()
    if request.path.startswith("/api/"):
        response = JsonResponse(problem(503, fault.value, sentence), status=503, content_type=MEDIA_TYPE)
    else:
        response = render(request, "errors/unavailable.html", {"sentence": sentence}, status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response
