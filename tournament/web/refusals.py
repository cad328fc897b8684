"""How pages say no: every refusal of the rooms below becomes a page with a sentence and what to do next.

Templates of sentences come from below in English and are translated here, values filled in afterwards.
"""

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

from rules.problem import Problem
from tournament.runtime import database_faults
from tournament.runtime.database_faults import DatabaseFault
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.problems import MEDIA_TYPE, problem
from tournament.web.unavailable import unavailable

Rest = ParamSpec("Rest")
View = Callable[Concatenate[HttpRequest, Rest], HttpResponse]


def render_refusals(view: View[Rest]) -> View[Rest]:
    """Wraps a view: Denied, NotFound and Refused that it does not deal with itself are answered by a page."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound:
            return not_found(request)
        except Denied as denied:
            return denied_page(request, denied)
        except Refused as refused:
            return refused_page(request, refused)

    return answered


def sentence_of(said: Refused | Problem) -> str:
    """The sentence in the reader's language."""
    return gettext(said.template).format_map(said.params)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _error_page(request, "errors/not_found.html", 404)


def denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _error_page(request, "errors/forbidden.html", 403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        said = gettext(
            "This server does not answer to this name. Open it by the address that the director gave you."
        )
        return HttpResponse(f"{said}\n", status=400, content_type="text/plain; charset=utf-8")
    return _error_page(request, "errors/bad_request.html", 400)


def _error_page(request: HttpRequest, template: str, status: int, **context: str) -> HttpResponse:
    """Its menu asks the database who is looking: while that is away, nobody waits for it."""
    if database_faults.database.is_active:
        return unavailable(request, DatabaseFault.AWAY)
    return render(request, template, context, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Says so without asking the database who is looking; to a program as a problem document."""
    error = sys.exc_info()[1]
    trouble = database_faults.record_fault(error) if error else None
    if trouble is not None:
        return unavailable(request, trouble)
    if request.path.startswith("/api/"):
        sentence = gettext("Something failed on the server. It is logged. Try again, or tell the operator.")
        return JsonResponse(problem(500, "server-error", sentence), status=500, content_type=MEDIA_TYPE)
    return render(request, "errors/server_error.html", status=500)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """A form whose secret is missing or old: cookies are off, or the page lay open for long."""
    return render(request, "errors/stale_form.html", {"back": referring_page(request)}, status=403)


def denied_page(request: HttpRequest, said: Denied) -> HttpResponse:
    """A stranger is asked to sign in; whoever is known is told that this is not theirs."""
    if not said.is_known and request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if said.is_known and said.template:
        return _error_page(request, "errors/forbidden.html", 403, sentence=gettext(said.template))
    return denied(request)


def refused_page(request: HttpRequest, said: Refused) -> HttpResponse:
    context = {"sentence": sentence_of(said), "back": referring_page(request)}
    return render(request, "errors/refused.html", context, status=409)


def referring_page(request: HttpRequest) -> str:
    """The page of ours that the visitor came from; empty when there is none."""
    came_from = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure())
    return came_from if ours else ""
