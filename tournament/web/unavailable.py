"""How every front door says that the database is away or full: 503, when to come again, and a sentence.

Not a fault of a view and not of the visitor, so no view deals with it. Asks no database, writes no line for a request:
`outages` tells the log once.
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
# They say by themselves how the installation is, or ask no database.
ALWAYS_SERVED = ("healthz", "readyz", "metrics", "manifest", "worker-script")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SENTENCES = {
    DatabaseFault.AWAY: _(
        "The database does not answer just now. Nothing that was kept is lost: try again in a moment."
    ),
    DatabaseFault.CANNOT_WRITE: _(
        "This could not be kept: the database cannot write. Make room on its disk, then try again."
    ),
    DatabaseFault.BUSY: _("Too many wanted the same at this moment. Try again."),
}


class Unavailable:
    """Middleware: while the database is away nobody waits for it; what met the fault itself is answered likewise."""

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
        trouble = database_faults.record_fault(error)
        return None if trouble is None else unavailable(request, trouble)


def unavailable(request: HttpRequest, trouble: DatabaseFault) -> HttpResponse:
    sentence, response = str(SENTENCES[trouble]), HttpResponse()
    if request.path.startswith("/api/"):
        response = JsonResponse(problem(503, trouble.value, sentence), status=503, content_type=MEDIA_TYPE)
    else:
        response = render(request, "errors/unavailable.html", {"sentence": sentence}, status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response
