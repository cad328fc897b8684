"""What a phone's queue is told when it sends a row: the card as it is now, or why not, as JSON.

The queue asks for JSON by its Accept header; whoever asks without it gets pages. Nothing is decided here.
"""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.pages.cards.keys import keys_ahead
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.offline_card import key_count, offline_card_json

PROBLEM = "application/problem+json"
Answer = dict[str, Any]


def wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def card_kept(phone: PhoneMatch) -> Answer:
    """What the page hands to the phone, and every answer says anew."""
    return offline_card_json(phone, keys_ahead(phone.match.pk, phone.own, key_count(phone)))


def card_told(request: HttpRequest, phone: PhoneMatch) -> JsonResponse:
    """The card, with a form's secret that is valid now: the one in the page may be a day old."""
    return JsonResponse({"card": card_kept(phone), "token": get_token(request), "at": _clock(phone)})


def row_told(phone: PhoneMatch, key: str, *, is_question: bool) -> JsonResponse:
    """The row of this key has arrived: it stands on the card, or (after posting) it became a question."""
    told: Answer = {"key": key, "card": card_kept(phone), "at": _clock(phone), "question": ""}
    if is_question:
        told["question"] = late_sentence()
    return JsonResponse(told)


def problem_told(code: str, sentence: str, status: int, phone: PhoneMatch | None = None) -> JsonResponse:
    """Why the row was not written; with the card as it is now where the asker may see it."""
    told: Answer = {"code": code, "detail": sentence, "status": status}
    if phone is not None:
        told["card"] = card_kept(phone)
    return JsonResponse(told, status=status, content_type=PROBLEM)


def late_sentence() -> str:
    return _("The result was posted before this arrived, so it stands. The desk was told what you sent.")


def _clock(phone: PhoneMatch) -> str:
    """The time in the hall: the phone's own clock may be wrong."""
    return date_format(timezone.localtime(timezone.now(), ZoneInfo(phone.event.time_zone)), "H:i")
