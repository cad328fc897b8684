"""A player takes over what the opponent's card says: a line of it, or the whole card; and undoes that."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from tournament.pages.cards.forms import KeyField
from tournament.pages.cards.seat import Seat
from tournament.pages.cards.taps import tap
from tournament.results import two_cards
from tournament.results.two_cards import CardTails


class TakeForm(forms.Form):
    """Both cards by their last rows, as the player saw them."""

    mine = KeyField()
    theirs = KeyField()

    def seen(self) -> CardTails:
        return CardTails(self.cleaned_data["mine"], self.cleaned_data["theirs"])


class TakeLineForm(TakeForm):
    """`line` is a row of the opponent's card, or one of the player's own that the opponent's left out."""

    line = KeyField()


@tap(TakeLineForm)
def my_take_line(seat: Seat, form: TakeLineForm) -> HttpResponse:
    two_cards.adopt_line(seat.pairing, seat.keeper, form.cleaned_data["line"], form.seen(), seat.actor)
    messages.success(seat.request, _("Taken over. Your card says the same there now."))
    return seat.back()


@tap(TakeForm)
def my_take_card(seat: Seat, form: TakeForm) -> HttpResponse:
    two_cards.adopt_card(seat.pairing, seat.keeper, form.seen(), seat.actor)
    messages.success(seat.request, _("Taken over. Your card says what your opponent's says."))
    return seat.back()


@tap(TakeForm)
def my_take_undo(seat: Seat, form: TakeForm) -> HttpResponse:
    two_cards.undo_adoption(seat.pairing, seat.keeper, form.seen(), seat.actor)
    messages.success(seat.request, _("Undone. Your card says again what it said before."))
    return seat.back()
