"""How a director's page does what it was asked: one work function, then a sentence about what came of it.

Views hand the work in; nothing here knows what it is.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.errors import CardClosed, CardConflict, KeyReused, NoSuchRow
from rules.problem import RuleBroken
from tournament.runtime.errors import Refused
from tournament.web.refusals import answering, sentence_of

Rest = ParamSpec("Rest")
Given = TypeVar("Given")
View = Callable[Concatenate[HttpRequest, Rest], HttpResponse]
NO = (Refused, RuleBroken, CardConflict, KeyReused, CardClosed, NoSuchRow)


class Done(NamedTuple, Generic[Given]):
    """What a work function gave; it is there only when the work was done."""

    value: Given


def page(*methods: str) -> Callable[[View[Rest]], View[Rest]]:
    """A director's page for these methods (GET brings HEAD): answers refusals, is never kept by a browser."""
    allowed = [*methods, "HEAD"] if "GET" in methods else list(methods)

    def made(view: View[Rest]) -> View[Rest]:
        return wraps(view)(never_cache(require_http_methods(allowed)(answering(view))))

    return made


def accepted(form: BaseForm, work: Callable[[], Given]) -> Done[Given] | None:
    """Does the work when the form is in order. A refusal then stands on the form, with all that was typed."""
    if not form.is_valid():
        return None
    try:
        return Done(work())
    except NO as no:
        form.add_error(None, why(no))
        return None


def told(request: HttpRequest, work: Callable[[], object], success: str) -> bool:
    """Does the work and leaves a message for the next page: `success`, or why not."""
    try:
        work()
    except NO as no:
        messages.error(request, why(no))
        return False
    messages.success(request, success)
    return True


def status_of(form: BaseForm) -> int:
    return 422 if form.is_bound and form.errors else 200


def why(no: Exception) -> str:
    """The sentence of a refusal, in the reader's language."""
    match no:
        case Refused():
            return sentence_of(no)
        case RuleBroken():
            return sentence_of(no.problem)
        case CardClosed():
            return gettext("This match is cancelled, so nothing can be written on its cards.")
        case KeyReused():
            return gettext("This form was used before. Look at the card, then enter what is missing.")
        case NoSuchRow():
            return gettext("That line was corrected or struck meanwhile. Look at the card again.")
    return gettext(
        "Somebody wrote on this card meanwhile. Look at the card again, then enter what is missing."
    )
