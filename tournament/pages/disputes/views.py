"""Views of disputes: a player asks the desk to decide, adds photos or withdraws; photos for players and the desk."""

import uuid

from csp.constants import NONE
from csp.decorators import csp
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import photo_permissions
from tournament.pages.cards.player_requests import (
    CardError,
    PlayerRequest,
    card_action,
    card_page,
    player_view,
)
from tournament.pages.disputes.forms import DisputeForm, PhotoForm
from tournament.refusals.pictures import NOT_A_PICTURE, PICTURE_TOO_LARGE, PICTURES_WAIT
from tournament.results import disputes
from tournament.runtime.errors import Refused
from tournament.web.downloads import photo_response
from tournament.web.error_pages import render_refusals
from tournament.web.request import actors_of
from tournament.web.sentences import refusal_sentence

PICTURE_CODES = (NOT_A_PICTURE.code, PICTURE_TOO_LARGE.code, PICTURES_WAIT.code)


@card_action(DisputeForm)
def my_dispute(player: PlayerRequest, form: DisputeForm) -> HttpResponse:
    try:
        disputes.open_dispute(
            player.pairing, player.keeper, form.cleaned_data["note"], player.actor, form.read_photo()
        )
    except Refused as refused:
        return _render_refused(player, refused)
    messages.warning(player.request, _("The desk has been informed."))
    return player.redirect_to_card("#dispute")


@card_action(PhotoForm)
def my_photo(player: PlayerRequest, form: PhotoForm) -> HttpResponse:
    try:
        disputes.add_photo(player.pairing, player.keeper, form.read_photo(), player.actor)
    except Refused as refused:
        return _render_refused(player, refused)
    messages.success(player.request, _("Photo sent. The desk can see it."))
    return player.redirect_to_card("#dispute")


@never_cache
@require_POST
@player_view
def my_dispute_end(player: PlayerRequest) -> HttpResponse:
    disputes.withdraw_dispute(player.pairing, player.keeper, player.actor)
    messages.success(player.request, _("Request withdrawn. The desk has been informed."))
    return player.redirect_to_card("#dispute")


def _render_refused(player: PlayerRequest, refused: Refused) -> HttpResponse:
    """Renders the card with the refusal. 422 if the photo cannot be used, else 409."""
    status = 422 if refused.code in PICTURE_CODES else 409
    return card_page(player, card_error=CardError(refusal_sentence(refused)), status=status)


@never_cache
@require_safe
@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # it is typed for no arguments
@render_refusals
def evidence(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    return photo_response(photo_permissions.evidence_for(actors_of(request), evidence))
