"""Runs one work function for a director's page and turns its refusal into a form error or a message."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rules.problem import RuleBroken
from tournament.runtime.errors import Refused
from tournament.web.error_pages import referring_page, render_refusals
from tournament.web.sentences import refusal_sentence

Rest = ParamSpec("Rest")
Outcome = TypeVar("Outcome")
View = Callable[Concatenate[HttpRequest, Rest], HttpResponse]


class Done(NamedTuple, Generic[Outcome]):
    """The return value of a work function; exists only if the work was done."""

    value: Outcome


def page(*methods: str) -> Callable[[View[Rest]], View[Rest]]:
    """Decorates a director's page: allows these methods (GET implies HEAD), renders refusals, forbids caching."""
    allowed = [*methods, "HEAD"] if "GET" in methods else list(methods)

    def decorate(view: View[Rest]) -> View[Rest]:
        return wraps(view)(never_cache(require_http_methods(allowed)(render_refusals(view))))

    return decorate


def submit(form: BaseForm, work: Callable[[], Outcome]) -> Done[Outcome] | None:
    """Runs the work if the form is valid. A refusal becomes an error of the form, and the result is None."""
    if not form.is_valid():
        return None
    try:
        return Done(work())
    except (Refused, RuleBroken) as refusal:
        form.add_error(None, refusal_sentence(refusal))
        return None


def attempt(request: HttpRequest, work: Callable[[], Outcome]) -> Done[Outcome] | None:
    """Runs the work. A refusal becomes a message for the next page, and the result is None."""
    try:
        return Done(work())
    except (Refused, RuleBroken) as refusal:
        messages.error(request, refusal_sentence(refusal))
        return None


def run(request: HttpRequest, work: Callable[[], object], success: str = "", *, undo: str = "") -> bool:
    """Runs the work and adds a message for the next page: `success`, or the refusal. False if it was refused.

    `undo` is the address of a button beside the message.
    """
    done = attempt(request, work)
    if done is not None and success:
        messages.success(request, success, extra_tags=undo)
    return done is not None


def redirect_back(request: HttpRequest, name: str, *args: object) -> HttpResponse:
    """Redirects to the page of the pressed button if its form asks for that (`then`), else to the named page."""
    back = referring_page(request) if request.POST.get("then") == "here" else ""
    return redirect(back or reverse(name, args=args))


def status_of(form: BaseForm) -> int:
    return 422 if form.is_bound and form.errors else 200
