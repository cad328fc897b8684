"""The jackpots that a phone's players can join by themselves."""

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
from tournament.queries.jackpots import JackpotShown, jackpots_shown
from tournament.runtime.errors import NotFound, Refused
from tournament.web.refusals import render_refusals, sentence_of
from tournament.web.request import players_of

ACTIONS = {"join": jackpots.join, "leave": jackpots.leave}


@never_cache
@require_safe
@render_refusals
def my_jackpots(request: HttpRequest) -> HttpResponse:
    """Those that wait for players, and those that one of the phone's players is in."""
    entries = [player.entry for player in players_of(request) if player.entry is not None]
    if not entries:
        return render(request, "errors/unknown_phone.html", status=403)
    return render(
        request, "player/jackpots.html", {"players": [(entry, _offered(entry)) for entry in entries]}
    )


@never_cache
@require_POST
@render_refusals
def my_jackpot(request: HttpRequest, jackpot: uuid.UUID, entry: uuid.UUID, action: str) -> HttpResponse:
    """Joins or leaves for one of the phone's own players."""
    actor, found = permissions.entry_for_desk_or_phone(players_of(request), entry)
    if action not in ACTIONS:
        raise NotFound
    try:
        ACTIONS[action](jackpot, found, actor)
    except Refused as refused:
        messages.error(request, sentence_of(refused))
    else:
        said = _("You are in.") if action == "join" else _("You have left it.")
        messages.success(request, said)
    return redirect("my-jackpots")


def _offered(entry: Entry) -> list[tuple[JackpotShown, bool]]:
    """Each jackpot with whether this player is in it."""
    shown = [(one, one.holds(entry)) for one in jackpots_shown(entry.tournament)]
    return [(one, is_in) for one, is_in in shown if one.is_open or is_in]
