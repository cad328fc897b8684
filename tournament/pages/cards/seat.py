"""Where a tap on a phone comes from, and the page it is answered with when something is wrong.

Finds the one of the phone's players who sits in the match; turns what the card says no to into the card as it is
now, with a sentence. A phone that sends what it kept without the network says whose it is, and is told in JSON.
"""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from matches.errors import CardClosed, CardConflict, KeyReused, NoSuchRow
from matches.keepers import Keeper
from rules.problem import RuleBroken
from rules.score import Side
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Pairing
from tournament.pages.cards.answers import card_kept, problem_told, wants_json
from tournament.pages.cards.keys import keys_of
from tournament.pages.cards.labels import card_problems
from tournament.queries.cards.card import PhoneMatch, RowPreview, load_phone_match
from tournament.queries.cards.two_cards import compare_cards
from tournament.queries.disputes import load_disputes
from tournament.queries.records import load_records
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.refusals import render_refusals, sentence_of
from tournament.web.request import players_of

NO = (RuleBroken, Refused, CardConflict, KeyReused, CardClosed, NoSuchRow)
CODES: dict[type[Exception], str] = {
    RuleBroken: "rule-broken",
    CardConflict: "card-conflict",
    KeyReused: "key-reused",
    CardClosed: "card-closed",
    NoSuchRow: "no-such-row",
    Denied: "phone-unknown",
    NotFound: "not-your-match",
}


@dataclass(frozen=True, slots=True)
class Seat:
    """One of the phone's players in the pairing where they sit, with the card they keep."""

    request: HttpRequest
    actor: Actor
    pairing: Pairing
    keeper: Keeper
    match_id: uuid.UUID

    @property
    def side(self) -> Side:
        return Side(self.keeper.value)

    def phone(self) -> PhoneMatch:
        return load_phone_match(self.pairing, self.keeper)

    def back(self, part: str = "") -> HttpResponse:
        """To the card, or a part of it, by GET: a reload repeats nothing."""
        return redirect(f"{reverse('my-match', args=[self.match_id])}{part}")


@dataclass(frozen=True, slots=True)
class Wrong:
    """What the page says above the card: a sentence, the rule it rests on, and the values that were sent."""

    sentence: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A row that was sent to be looked at first: what it would make of the card, and the form that writes it."""

    previewed: RowPreview
    address: str
    fields: Mapping[str, str]


def seated(view: Callable[[Seat], HttpResponse]) -> Callable[..., HttpResponse]:
    """Wraps a view of one's own match: strangers are told to scan their code, refusals come with the card."""

    @render_refusals
    @wraps(view)
    def answered(request: HttpRequest, /, match: uuid.UUID) -> HttpResponse:
        try:
            return view(seat_at(request, match))
        except (Denied, NotFound) as no:
            return _without_seat(request, no)
        except NO as no:
            return _refused(request, match, no)

    return answered


def seat_at(request: HttpRequest, match_id: uuid.UUID) -> Seat:
    """Raises Denied for a phone without links, NotFound for a match of others."""
    players = players_of(request)
    whose = request.POST.get("entry") or request.GET.get("entry", "")
    mine = [player for player in players if not whose or (player.entry and str(player.entry.pk) == whose)]
    if players and not mine:
        raise NotFound
    actor, pairing, keeper = permissions.pairing_for_phone(mine, match_id)
    return Seat(request, actor, pairing, keeper, match_id)


def card_page(
    seat: Seat, *, wrong: Wrong | None = None, asked: Asked | None = None, status: int = 200
) -> HttpResponse:
    """The card as it is now. After a refusal the keys stay down as they were sent."""
    context = {**card_context(seat), "wrong": wrong, "asked": asked}
    return render(seat.request, "player/match.html", context, status=status)


def card_context(seat: Seat) -> dict[str, object]:
    phone = seat.phone()
    names = (phone.me.name, phone.other.name)
    left_and_right = names if phone.side is Side.LEFT else (names[1], names[0])
    given = {name: str(value) for name, value in seat.request.POST.items()}
    return {
        "phone": phone,
        "keys": keys_of(phone, given),
        "kept": json.dumps(card_kept(phone)),
        "card_problems": card_problems(),
        "player": seat.actor.entry,
        "records": load_records(phone.match),
        "beside": compare_cards(phone),
        "disputes": load_disputes(phone.match, left_and_right, seat.keeper),
    }


def _refused(request: HttpRequest, match_id: uuid.UUID, no: Exception) -> HttpResponse:
    """The card as it is now, with the reason; without the card where the match itself is gone."""
    try:
        seat = seat_at(request, match_id)
    except Refused as gone:
        return _without_seat(request, gone)
    why, status = _why(no), 422 if isinstance(no, RuleBroken) else 409
    if wants_json(request):
        return problem_told(_code(no), why.sentence, status, seat.phone())
    return card_page(seat, wrong=why, status=status)


def _without_seat(request: HttpRequest, no: Exception) -> HttpResponse:
    """Nobody of this phone plays there (any more); what the phone kept can still be read on the page."""
    status = 403 if isinstance(no, Denied) else 404 if isinstance(no, NotFound) else 409
    if wants_json(request):
        return problem_told(_code(no), _why(no).sentence, status)
    if isinstance(no, Denied):
        return render(request, "errors/unknown_phone.html", status=status)
    return render(request, "player/card_refused.html", {"sentence": _why(no).sentence}, status=status)


def _code(no: Exception) -> str:
    return no.code if isinstance(no, Refused) else CODES[type(no)]


def _why(no: Exception) -> Wrong:
    match no:
        case RuleBroken():
            return Wrong(sentence_of(no.problem), no.problem.rule)
        case Refused():
            return Wrong(sentence_of(no))
        case CardClosed():
            return Wrong(_("This match is not played any more. Nothing was changed; ask at the desk."))
        case NoSuchRow():
            return Wrong(_("That game was taken back already. This is the card as it is now."))
        case Denied():
            return Wrong(
                _("This phone is not known here any more. Scan the code on your slip again, or ask the desk.")
            )
        case NotFound():
            return Wrong(_("This match is not yours, or it is not there any more. Ask at the desk."))
    return Wrong(
        _("The card changed since you looked, so nothing was written. This is the card as it is now.")
    )
