"""What a tap on a phone's card is: a form sent to one's own match, read before anything is done with it.

A form that cannot be read is answered with the card as it is and a sentence, as JSON where the phone asked for that.
"""

from collections.abc import Callable
from typing import TypeVar

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournament.pages.cards.answers import problem_told, wants_json
from tournament.pages.cards.forms import first_error
from tournament.pages.cards.seat import Seat, Wrong, card_page, seated

F = TypeVar("F", bound=forms.Form)


def tap(form_class: type[F]) -> Callable[[Callable[[Seat, F], HttpResponse]], Callable[..., HttpResponse]]:
    """Wraps a view that gets the seat and the form of this kind, which is valid."""

    def tapped(view: Callable[[Seat, F], HttpResponse]) -> Callable[..., HttpResponse]:
        def read(seat: Seat) -> HttpResponse:
            form = form_class(seat.request.POST, seat.request.FILES)
            return view(seat, form) if form.is_valid() else _unreadable(seat, first_error(form))

        read.__name__, read.__doc__ = view.__name__, view.__doc__
        return never_cache(require_POST(seated(read)))

    return tapped


def _unreadable(seat: Seat, sentence: str) -> HttpResponse:
    sentence = sentence or _("That could not be read. Load the page again and try once more.")
    if wants_json(seat.request):
        return problem_told("unreadable", sentence, 422, seat.phone())
    return card_page(seat, wrong=Wrong(sentence), status=422)
