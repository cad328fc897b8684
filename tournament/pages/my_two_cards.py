"""A player takes over what the opponent's card says: a line of it, or the whole card."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournament import twocards
from tournament.pages.card_seat import Seat, Wrong, card_page, seated
from tournament.twocards import Seen


class TakeForm(forms.Form):
    """Both cards by their last rows, as the player saw them."""

    mine = forms.UUIDField()
    theirs = forms.UUIDField()

    def seen(self) -> Seen:
        return Seen(self.cleaned_data["mine"], self.cleaned_data["theirs"])


class TakeLineForm(TakeForm):
    """`line` is a row of the opponent's card."""

    line = forms.UUIDField()


@never_cache
@require_POST
@seated
def my_take_line(seat: Seat) -> HttpResponse:
    form = TakeLineForm(seat.request.POST)
    if not form.is_valid():
        return _unreadable(seat)
    line: uuid.UUID = form.cleaned_data["line"]
    twocards.take_line(seat.pairing, seat.keeper, line, form.seen(), seat.actor)
    messages.success(seat.request, _("Taken over. Your card says the same there now."))
    return seat.back()


@never_cache
@require_POST
@seated
def my_take_card(seat: Seat) -> HttpResponse:
    form = TakeForm(seat.request.POST)
    if not form.is_valid():
        return _unreadable(seat)
    twocards.take_card(seat.pairing, seat.keeper, form.seen(), seat.actor)
    messages.success(seat.request, _("Taken over. Your card says what your opponent's says."))
    return seat.back()


def _unreadable(seat: Seat) -> HttpResponse:
    sentence = _("That could not be read. Load the page again and try once more.")
    return card_page(seat, wrong=Wrong(sentence), status=422)
