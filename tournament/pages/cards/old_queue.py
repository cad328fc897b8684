"""Accepts rows from phones that still run the scripts of release 0.1, with the rows that they stored without a network.

Those scripts post a form to the address of the page's own form, with `Accept: application/json`, and read the answers
below. Today's scripts use the API. Remove this module, its tests, its lines in `urls/player.py`, and the link
`templates/static/kept.js`, which pages of release 0.1 load, after release 0.2.
"""

import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.card_refusals import CardConflict
from rules.problem import RuleBroken
from tournament.pages.cards.forms import RowForm, first_error
from tournament.pages.cards.player_requests import PlayerRequest, player_request
from tournament.queries.cards.offline_card import offline_card_json, time_at_event
from tournament.results import desk
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.problems import MEDIA_TYPE
from tournament.web.sentences import refusal_sentence

View = Callable[..., HttpResponse]


@never_cache
@require_safe
def card(request: HttpRequest, match: uuid.UUID) -> HttpResponse:
    """Returns the card with a fresh CSRF token, because the token in the page may be a day old."""
    try:
        return _json(200, token=get_token(request), **_card(request, match))
    except (Refused, Denied, NotFound) as refusal:
        return _problem(request, match, refusal)


def accepts_old_queue(form_class: type[RowForm], view: View) -> View:
    """Answers rows of an old queue with JSON. Every other request goes to the view of the page's form."""

    @wraps(view)
    def wrapped(request: HttpRequest, match: uuid.UUID) -> HttpResponse:
        if request.method != "POST" or "application/json" not in request.headers.get("Accept", ""):
            return view(request, match=match)
        try:
            return _write(player_request(request, match), form_class(request.POST))
        except (Refused, RuleBroken, Denied, NotFound) as refusal:
            return _problem(request, match, refusal)

    return wrapped


def _write(player: PlayerRequest, form: RowForm) -> HttpResponse:
    if not form.is_valid():
        return _json(
            422, code="unreadable", detail=first_error(form), **_card(player.request, player.match_id)
        )
    outcome = desk.enter(player.pairing, player.keeper, form.writing(), player.actor)
    question = gettext(desk.LATE_ROW) if outcome.question else ""
    key = player.request.POST["key"]
    return _json(200, key=key, question=question, **_card(player.request, player.match_id))


def _problem(
    request: HttpRequest, match: uuid.UUID, refusal: Refused | RuleBroken | Denied | NotFound
) -> HttpResponse:
    status, code = _status_and_code(refusal)
    current_card: dict[str, object] = {}
    with suppress(Refused, Denied, NotFound):
        current_card = _card(request, match)
    return _json(status, code=code, detail=refusal_sentence(refusal), **current_card)


def _status_and_code(refusal: Refused | RuleBroken | Denied | NotFound) -> tuple[int, str]:
    match refusal:
        case RuleBroken():
            return 422, "rule-broken"
        case Denied():
            return 403, "phone-unknown"
        case NotFound():
            return 404, "not-your-match"
        case CardConflict():
            return 409, "card-conflict"
    return 409, refusal.code


def _card(request: HttpRequest, match: uuid.UUID) -> dict[str, object]:
    phone = player_request(request, match).load_match()
    return {"card": offline_card_json(phone), "at": time_at_event(phone)}


def _json(status: int, **content: object) -> HttpResponse:
    media_type = "application/json" if status == 200 else MEDIA_TYPE
    return JsonResponse({**content, "status": status}, status=status, content_type=media_type)
