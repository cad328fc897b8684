"""Views of a player's score card: the page, its live fragment, and every form on it.

For browsers without script: a row is previewed first (step=look), and a saved row is answered with a redirect. The
page's scripts write rows through the API.
"""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.pages.cards.forms import (
    AdoptCardForm,
    AdoptLineForm,
    ConfirmForm,
    FinalForm,
    GameForm,
    RowForm,
    StopForm,
    UndoForm,
)
from tournament.pages.cards.player_requests import (
    PlayerRequest,
    RowToConfirm,
    card_action,
    card_context,
    card_page,
    player_view,
)
from tournament.queries.cards.card import phone_stamp, preview_row
from tournament.results import desk, two_cards
from tournament.web.conditional import conditional_response

ROW_FIELDS = (
    "key",
    "predecessor",
    "winner",
    "kind",
    "cube",
    "checkers_left",
    "automatic_doubles",
    "left",
    "right",
)


@never_cache
@require_safe
@player_view
def my_match(player: PlayerRequest) -> HttpResponse:
    return card_page(player)


@require_safe
@player_view
def my_match_fragment(player: PlayerRequest) -> HttpResponse:
    """Returns the live part of the page, or 304 if it has not changed."""
    etag = f'W/"{phone_stamp(player.pairing)}-{get_language()}"'
    return conditional_response(
        player.request, etag, lambda: render(player.request, "player/match_live.html", card_context(player))
    )


@card_action(GameForm)
def my_row(player: PlayerRequest, form: GameForm) -> HttpResponse:
    return _preview_or_write(player, form, "my-row")


@card_action(FinalForm)
def my_final(player: PlayerRequest, form: FinalForm) -> HttpResponse:
    return _preview_or_write(player, form, "my-final")


@card_action(StopForm)
def my_stop(player: PlayerRequest, form: StopForm) -> HttpResponse:
    return _write(player, form, _("Saved: time is over."))


@card_action(UndoForm)
def my_undo(player: PlayerRequest, form: UndoForm) -> HttpResponse:
    return _write(player, form, _("The last entry is undone."))


@card_action(ConfirmForm)
def my_confirm(player: PlayerRequest, form: ConfirmForm) -> HttpResponse:
    desk.confirm(player.pairing, player.keeper, form.cleaned_data["tail"], player.actor)
    undo = reverse("my-confirm-undo", args=[player.match_id])
    messages.success(player.request, _("Result confirmed. Thank you."), extra_tags=undo)
    return redirect("my-matches") if form.cleaned_data["from_list"] else player.redirect_to_card()


@card_action(forms.Form)
def my_confirm_undo(player: PlayerRequest, _form: forms.Form) -> HttpResponse:
    desk.undo_confirmation(player.pairing, player.keeper, player.actor)
    messages.success(player.request, _("Your confirmation is undone. Is the result right?"))
    return player.redirect_to_card()


def _preview_or_write(player: PlayerRequest, form: RowForm, name: str) -> HttpResponse:
    if player.request.POST.get("step") == "save":
        return _write(player, form, _("Saved."))
    previewed = preview_row(player.load_match().match, player.side, form.writing())
    fields = {name: player.request.POST[name] for name in ROW_FIELDS if name in player.request.POST}
    return card_page(
        player, row_to_confirm=RowToConfirm(previewed, reverse(name, args=[player.match_id]), fields)
    )


def _write(player: PlayerRequest, form: RowForm, success: str) -> HttpResponse:
    outcome = desk.enter(player.pairing, player.keeper, form.writing(), player.actor)
    if outcome.question is not None:
        messages.warning(player.request, _(desk.LATE_ROW))
    else:
        messages.success(player.request, success)
    return player.redirect_to_card()


@card_action(AdoptLineForm)
def my_take_line(player: PlayerRequest, form: AdoptLineForm) -> HttpResponse:
    two_cards.adopt_line(player.pairing, player.keeper, form.cleaned_data["line"], form.tails(), player.actor)
    messages.success(player.request, _("Accepted. Your card now agrees with your opponent's in this line."))
    return player.redirect_to_card()


@card_action(AdoptCardForm)
def my_take_card(player: PlayerRequest, form: AdoptCardForm) -> HttpResponse:
    two_cards.adopt_card(player.pairing, player.keeper, form.tails(), player.actor)
    messages.success(player.request, _("Accepted. Your card now equals your opponent's card."))
    return player.redirect_to_card()


@card_action(AdoptCardForm)
def my_take_undo(player: PlayerRequest, form: AdoptCardForm) -> HttpResponse:
    two_cards.undo_adoption(player.pairing, player.keeper, form.tails(), player.actor)
    messages.success(player.request, _("Undone. Your card is as it was before."))
    return player.redirect_to_card()
