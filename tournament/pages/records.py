"""Pages of uploaded game records: upload, verdict, file and board pictures, for the two players and the desk."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from matches.keepers import Keeper
from matches.models import GameRecord
from rules.problem import RuleBroken
from rules.score import Side
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.access.score_visibility import is_score_private
from tournament.exports.board import board_svg
from tournament.models import Tournament
from tournament.pages.cards.forms import first_error
from tournament.pages.cards.player_requests import PlayerRequest, card_action
from tournament.pages.director.actions import page
from tournament.pages.director.context import tournament_context
from tournament.pages.director.pairing import pairing_in
from tournament.queries.records import RecordsPage, find_record_pairing, load_record
from tournament.records import checking
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.conditional import conditional_response
from tournament.web.downloads import record_response
from tournament.web.error_pages import referring_page, render_refusals
from tournament.web.request import actors_of
from tournament.web.sentences import refusal_sentence
from tournament.web.uploads import GameRecordForm

AT_FIRST = 100
FOLLOWING_AT_FIRST = 20


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """A request for a record by one of its two players or by the desk."""

    request: HttpRequest
    actor: Actor
    record: GameRecord
    tournament: Tournament
    keeper: Keeper

    @property
    def is_desk(self) -> bool:
        return self.keeper is Keeper.DESK


def record_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorates a view of one record. Refuses actors who may not see the cards of the match."""

    @render_refusals
    @wraps(view)
    def wrapped(request: HttpRequest, /, record: uuid.UUID, **more: Any) -> HttpResponse:
        actors = actors_of(request)
        actor = next((actor for actor in actors if actor.user is not None), actors[0])
        game_record, tournament, keeper = permissions.game_record_for(actors, record)
        return view(RecordRequest(request, actor, game_record, tournament, keeper), **more)

    return wrapped


@never_cache
@require_safe
@record_view
def record_page(reader: RecordRequest) -> HttpResponse:
    """Shows the whole verdict."""
    context = _context(reader, load_record(reader.record))
    with timezone.override(reader.tournament.event.time_zone):
        return render(reader.request, "record/page.html", context)


@require_safe
@record_view
def record_fragment(reader: RecordRequest) -> HttpResponse:
    """Returns the live part of the page, or 304 if it has not changed."""
    records = load_record(reader.record)
    with timezone.override(reader.tournament.event.time_zone):
        return conditional_response(
            reader.request,
            records_etag(records),
            lambda: render(reader.request, "record/page_live.html", _context(reader, records)),
        )


@never_cache
@require_safe
@record_view
def record_file(reader: RecordRequest) -> HttpResponse:
    """Sends the uploaded bytes unchanged, as a download that browsers do not open."""
    return record_response(reader.record)


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})
@record_view
def record_board(reader: RecordRequest, number: int) -> HttpResponse:
    details = load_record(reader.record).records[0]
    return board_picture(board_svg(reader.record, number, details.columns))


@never_cache
@require_POST
@record_view
def record_left(reader: RecordRequest) -> HttpResponse:
    """Sets the player of the file's left column. Only the desk may do this."""
    if not reader.is_desk:
        raise Denied(is_known=True)
    side = reader.request.POST.get("side", "")
    if side in tuple(Side):
        checking.set_left_player(reader.record, Side(side), reader.actor)
        messages.success(reader.request, _("Saved. The record was compared with the result again."))
    else:
        messages.error(reader.request, _("Choose one of the two players."))
    return redirect(referring_page(reader.request) or reverse("record-page", args=[reader.record.pk]))


def board_picture(svg: str | None) -> HttpResponse:
    """Raises NotFound without a picture."""
    if svg is None:
        raise NotFound
    response = HttpResponse(svg, content_type="image/svg+xml")
    patch_cache_control(response, private=True, max_age=60)
    return response


def records_etag(records: RecordsPage) -> str:
    return f'W/"{records.stamp}-{get_language()}"'


def _context(reader: RecordRequest, records: RecordsPage) -> dict[str, Any]:
    record = records.records[0]
    limits = (None, None) if "all" in reader.request.GET else (AT_FIRST, FOLLOWING_AT_FIRST)
    faults = record.faults(*limits)
    pairing = find_record_pairing(reader.record)
    return {
        "records": records,
        "record": record,
        "faults": faults,
        "is_shortened": sum(1 + len(fault.following) for fault in faults) < len(record.problems),
        "etag": records_etag(records),
        "tournament": reader.tournament,
        "event": reader.tournament.event,
        "pairing": pairing,
        "is_inside": pairing is not None and is_score_private(pairing),
        "is_desk": reader.is_desk,
    }


@card_action(GameRecordForm)
def my_record(player: PlayerRequest, form: GameRecordForm) -> HttpResponse:
    _record, is_new = checking.upload(player.pairing, player.keeper, *form.uploaded_file(), player.actor)
    messages.success(player.request, upload_message(is_new=is_new))
    return player.redirect_to_card("#records")


def upload_message(*, is_new: bool) -> str:
    if is_new:
        return _("Record uploaded. The result of the check appears below in a moment.")
    return _("This file was already uploaded. Nothing was changed.")


@page("POST")
def desk_record(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    current_pairing = pairing_in(context, pairing)
    form = GameRecordForm(request.POST, request.FILES)
    if not form.is_valid():
        messages.error(request, first_error(form))
    else:
        try:
            _record, is_new = checking.upload(
                current_pairing, Keeper.DESK, *form.uploaded_file(), context.actor
            )
            messages.success(request, upload_message(is_new=is_new))
        except (Refused, RuleBroken) as refusal:
            messages.error(request, refusal_sentence(refusal))
    return redirect(f"{reverse('desk-match', args=[*context.slugs, pairing])}#records")


def records_context(records: RecordsPage) -> dict[str, Any]:
    return {"records": records, "is_desk": True}
