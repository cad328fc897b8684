"""A player's score card: the page, the fragment that keeps it fresh, and every tap on it.

A row can be looked at before it is written (step=look), which is how the card works without script. What is written
is answered by a redirect, or by JSON where a phone sends what it kept.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.pages.cards.answers import card_told, late_sentence, row_told, wants_json
from tournament.pages.cards.forms import ConfirmForm, FinalForm, GameForm, RowForm, StopForm, UndoForm
from tournament.pages.cards.seat import Asked, Seat, card_context, card_page, seat_at, seated
from tournament.pages.cards.taps import tap
from tournament.queries.cards.card import phone_stamp, preview_row
from tournament.results import desk
from tournament.web.conditional import conditional_response

SENT = ("key", "predecessor", "winner", "kind", "cube", "checkers_left", "automatic_doubles", "left", "right")


@never_cache
@require_safe
@seated
def my_match(seat: Seat) -> HttpResponse:
    return card_page(seat)


@require_safe
@seated
def my_match_fragment(seat: Seat) -> HttpResponse:
    """What the page swaps in; 304 while nothing changed."""
    etag = f'W/"{phone_stamp(seat.pairing)}-{get_language()}"'
    return conditional_response(
        seat.request, etag, lambda: render(seat.request, "player/match_live.html", card_context(seat))
    )


@never_cache
@require_safe
@seated
def my_card(seat: Seat) -> HttpResponse:
    """The card for the phone to keep: what it asks for before it sends what waited long."""
    return card_told(seat.request, seat.phone())


@tap(GameForm)
def my_row(seat: Seat, form: GameForm) -> HttpResponse:
    return _hand_in(seat, form, "my-row")


@tap(FinalForm)
def my_final(seat: Seat, form: FinalForm) -> HttpResponse:
    return _hand_in(seat, form, "my-final")


@tap(StopForm)
def my_stop(seat: Seat, form: StopForm) -> HttpResponse:
    return _write(seat, form, _("Saved: time is over."))


@tap(UndoForm)
def my_undo(seat: Seat, form: UndoForm) -> HttpResponse:
    return _write(seat, form, _("The last entry is taken back."))


@tap(ConfirmForm)
def my_confirm(seat: Seat, form: ConfirmForm) -> HttpResponse:
    desk.confirm(seat.pairing, seat.keeper, form.cleaned_data["tail"], seat.actor)
    messages.success(seat.request, _("Confirmed. Thank you."))
    return seat.back()


def _hand_in(seat: Seat, form: RowForm, name: str) -> HttpResponse:
    if seat.request.POST.get("step") == "save":
        return _write(seat, form, _("Saved."))
    previewed = preview_row(seat.phone().match, seat.side, form.writing())
    fields = {name: seat.request.POST[name] for name in SENT if name in seat.request.POST}
    return card_page(seat, asked=Asked(previewed, reverse(name, args=[seat.match_id]), fields))


def _write(seat: Seat, form: RowForm, success: str) -> HttpResponse:
    handed_in = desk.enter(seat.pairing, seat.keeper, form.writing(), seat.actor)
    is_question = handed_in.question is not None
    if wants_json(seat.request):
        now = seat_at(seat.request, seat.match_id)
        return row_told(now.phone(), seat.request.POST["key"], is_question=is_question)
    if is_question:
        messages.warning(seat.request, late_sentence())
    else:
        messages.success(seat.request, success)
    return seat.back()
