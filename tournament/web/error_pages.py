"""Renders refusals and errors of pages, with a sentence and what to do next."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from tournament.refusals.access import NOT_PERMITTED
from tournament.runtime import database_faults
from tournament.runtime.database_faults import DatabaseFault
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.problems import MEDIA_TYPE, problem
from tournament.web.sentences import refusal_sentence
from tournament.web.unavailable import unavailable

Rest = ParamSpec("Rest")
View = Callable[Concatenate[HttpRequest, Rest], HttpResponse]


def render_refusals(view: View[Rest]) -> View[Rest]:
    """Decorates a view: renders a page for Denied, NotFound and Refused."""

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound:
            return not_found(request)
        except Denied as denied:
            return denied_page(request, denied)
        except Refused as refused:
            return refused_page(request, refused)

    return wrapped


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _error_page(request, "errors/not_found.html", 404)


def denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _error_page(request, "errors/forbidden.html", 403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        sentence = gettext(
            "This server does not answer to this name. Open it by the address that the director gave you."
        )
        return HttpResponse(f"{sentence}\n", status=400, content_type="text/plain; charset=utf-8")
    return _error_page(request, "errors/bad_request.html", 400)


def _error_page(request: HttpRequest, template: str, status: int, **context: str) -> HttpResponse:
    """The menu of the page reads the database, so during an outage another page is sent at once."""
    if database_faults.database.is_active:
        return unavailable(request, DatabaseFault.AWAY)
    return render(request, template, context, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Renders an unhandled error without using the database; as a problem document for the API."""
    error = sys.exc_info()[1]
    fault = database_faults.record_fault(error) if error else None
    if fault is not None:
        return unavailable(request, fault)
    if request.path.startswith("/api/"):
        sentence = gettext("Something failed on the server. It is logged. Try again, or tell the operator.")
        return JsonResponse(problem(500, "server-error", sentence), status=500, content_type=MEDIA_TYPE)
    return render(request, "errors/server_error.html", status=500)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """The CSRF token is missing or old: cookies are off, or the page was open for a long time."""
    return render(request, "errors/stale_form.html", {"back": referring_page(request)}, status=403)


def denied_page(request: HttpRequest, error: Denied) -> HttpResponse:
    """Redirects a stranger to the sign-in page; shows a known actor that the permission is missing."""
    if not error.is_known and request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if error.is_known and error.refusal != NOT_PERMITTED:
        return _error_page(request, "errors/forbidden.html", 403, sentence=refusal_sentence(error))
    return denied(request)


def refused_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    context = {"sentence": refusal_sentence(refusal), "back": referring_page(request)}
    return render(request, "errors/refused.html", context, status=409)


def referring_page(request: HttpRequest) -> str:
    """Returns the page of this site that the visitor came from; empty without one."""
    referer = request.headers.get("Referer", "")
    is_own = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
    return referer if is_own else ""
