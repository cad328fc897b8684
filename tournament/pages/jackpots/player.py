"""The phone's page of jackpots that its players can join."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import permissions
from tournament.drawing import jackpots
from tournament.models import Entry
from tournament.queries.jackpots import JackpotView, first_pairs, jackpot_views, jackpot_with_event
from tournament.runtime.errors import NotFound, Refused
from tournament.web.error_pages import render_refusals
from tournament.web.request import players_of, tokens_of
from tournament.web.sentences import refusal_sentence
from tournament.web.unknown_phones import unknown_phone

ACTIONS = {"join": jackpots.join, "leave": jackpots.leave}


@never_cache
@require_safe
@render_refusals
def my_jackpots(request: HttpRequest) -> HttpResponse:
    """Lists open jackpots, and those that a player of the phone has joined."""
    entries = [player.entry for player in players_of(request) if player.entry is not None]
    if not entries:
        return unknown_phone(request, tokens_of(request), 403)
    return render(
        request, "player/jackpots.html", {"players": [(entry, _visible_jackpots(entry)) for entry in entries]}
    )


@never_cache
@require_POST
@render_refusals
def my_jackpot(request: HttpRequest, jackpot: uuid.UUID, entry: uuid.UUID, action: str) -> HttpResponse:
    """Joins or leaves a jackpot for a player of the phone."""
    actor, row = permissions.entry_for_desk_or_phone(players_of(request), entry)
    if action not in ACTIONS:
        raise NotFound
    try:
        ACTIONS[action](jackpot, row, actor)
        message = _joined_sentence(jackpot) if action == "join" else _("You have left the jackpot.")
    except Refused as refused:
        messages.error(request, refusal_sentence(refused))
    else:
        messages.success(request, message)
    return redirect("my-jackpots")


def _joined_sentence(jackpot_id: uuid.UUID) -> str:
    """Names the pairs as well if this player was the last, so that the jackpot is drawn."""
    jackpot = jackpot_with_event(jackpot_id)
    if jackpot.bracket_id is None:
        return _("You have joined the jackpot.")
    pairs = ", ".join(first_pairs(jackpot))
    return _("You have joined the jackpot. It is full and drawn: {pairs}.").format(pairs=pairs)


def _visible_jackpots(entry: Entry) -> list[tuple[JackpotView, bool]]:
    """Returns jackpots to show to this player, and whether the player has joined."""
    views = [(view, view.includes(entry)) for view in jackpot_views(entry.tournament)]
    return [(view, has_joined) for view, has_joined in views if view.is_open or has_joined]
