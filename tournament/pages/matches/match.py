"""The public page of one match and its live fragment. Returns 404 if the actor may not see the draw."""

import uuid
from typing import Any

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.access import permissions, score_visibility
from tournament.access.permissions import Capability
from tournament.exports.board import board_svg
from tournament.live.channels import event_channel
from tournament.models import Pairing, Tournament
from tournament.pages.records import board_picture
from tournament.queries.matches.match import (
    checked_records,
    first_public_error,
    load_public_match,
    match_stamp,
    public_columns,
)
from tournament.queries.records import load_record
from tournament.runtime.errors import NotFound
from tournament.web.conditional import Readers, conditional_response, vary_by_channels
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of, actors_of


@require_safe
@render_refusals
def match_page(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    current_tournament, pairing = _load(request, event, tournament, match)
    live = _sees_live_score(request, current_tournament, pairing)
    context = _context(current_tournament, pairing, live=live) | {
        "etag": _etag(pairing, live=live),
        "is_inside": live and score_visibility.are_scores_private(current_tournament),
        "pairing": pairing,
        "can_desk": permissions.may(actor_of(request), current_tournament.event, Capability.DESK),
    }
    return vary_by_channels(
        render(request, "public/match.html", context), _channels(pairing), _readers(current_tournament)
    )


@require_safe
@render_refusals
def match_fragment(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> HttpResponse:
    """Returns the live part of the page, or 304 without rendering it if nothing has changed."""
    current_tournament, pairing = _load(request, event, tournament, match)
    live = _sees_live_score(request, current_tournament, pairing)
    return conditional_response(
        request,
        _etag(pairing, live=live),
        lambda: vary_by_channels(
            render(request, "public/match_live.html", _context(current_tournament, pairing, live=live)),
            [pairing.round.bracket_id],
            _readers(current_tournament),
        ),
    )


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]  # it is typed for no arguments
@render_refusals
def match_board(
    request: HttpRequest, event: str, tournament: str, match: uuid.UUID, record: uuid.UUID
) -> HttpResponse:
    """Returns a picture of the board at the first error of a record."""
    _tournament, pairing = _load(request, event, tournament, match)
    if pairing.match is None or not load_public_match(pairing, pairing.match).is_played_out:
        raise NotFound
    row = next((stored for stored in checked_records(pairing.match) if stored.pk == record), None)
    details = load_record(row).records[0] if row is not None else None
    first = first_public_error(details) if details is not None else None
    svg = board_svg(row, first.number, public_columns(details)) if row and details and first else None
    return vary_by_channels(board_picture(svg), _channels(pairing))


def _channels(pairing: Pairing) -> list[uuid.UUID]:
    """The channel of the event for all its changes, and the channel of the bracket for its scores."""
    return [event_channel(pairing.round.bracket.tournament.event_id), pairing.round.bracket_id]


def _readers(tournament: Tournament) -> Readers:
    """Only strangers share the response while scores are delayed: the match's players and the desk see live scores."""
    return Readers.STRANGERS if score_visibility.are_scores_private(tournament) else Readers.PLAYERS


def _load(request: HttpRequest, event: str, tournament: str, match: uuid.UUID) -> tuple[Tournament, Pairing]:
    actor = actor_of(request)
    current_tournament = permissions.tournament_for(actor, event, tournament)
    return current_tournament, permissions.visible_pairing(actor, current_tournament, match)


def _sees_live_score(request: HttpRequest, tournament: Tournament, pairing: Pairing) -> bool:
    players = {pairing.left_id, pairing.right_id}
    return score_visibility.sees_live_scores(actors_of(request), tournament, players)


def _context(tournament: Tournament, pairing: Pairing, *, live: bool) -> dict[str, Any]:
    if pairing.match is None:
        raise NotFound
    match_data = load_public_match(pairing, pairing.match, live=live)
    return {"event": tournament.event, "tournament": tournament, "match_view": match_data}


def _etag(pairing: Pairing, *, live: bool) -> str:
    return f'W/"{match_stamp(pairing, live=live)}-{get_language()}"'
