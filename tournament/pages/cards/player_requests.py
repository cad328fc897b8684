"""Requests of a player for their own match: finds the player, renders the card and refusals."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from matches.keepers import Keeper
from rules.problem import RuleBroken
from rules.score import Side
from rules.sentences import SENTENCES
from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.models import Pairing
from tournament.pages.cards.forms import first_error
from tournament.pages.cards.keys import keys_of
from tournament.queries.brackets.bracket_context import match_number
from tournament.queries.cards.card import PhoneMatch, RowPreview, load_phone_match
from tournament.queries.cards.offline_card import offline_card_json
from tournament.queries.cards.two_cards import compare_cards
from tournament.queries.disputes import load_disputes
from tournament.queries.money.player_statement import PlayerStatement, player_statement
from tournament.queries.money.settlements import load_phone_settlement
from tournament.queries.records import load_records
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.web.error_pages import render_refusals
from tournament.web.request import players_of, tokens_of
from tournament.web.sentences import refusal_sentence
from tournament.web.unknown_phones import unknown_phone

CODES = (
    "match_is_over", "cube_not_a_power_of_two", "cube_beyond_counting", "cube_above_limit", "double_above_limit",
    "no_cube_in_match", "no_drop_in_match", "no_cube_in_one_point_match", "no_drop_in_one_point_match",
    "crawford_cube", "crawford_drop", "crawford_trailer_cube", "crawford_trailer_drop", "automatic_doubles_negative",
    "automatic_doubles_not_played", "automatic_doubles_without_cube", "automatic_doubles_too_many",
    "cube_below_automatic", "gammon_on_a_drop", "checkers_left_missing", "checkers_left_out_of_range",
    "checkers_left_not_asked", "checkers_left_not_counted", "final_score_negative", "final_score_unfinished",
    "final_score_two_winners", "final_score_beyond_length", "final_score_level",
)  # fmt: skip


def card_problems() -> str:
    """Returns the translated templates of rule problems by code, as JSON."""
    return json.dumps({code: gettext(SENTENCES[code].template) for code in CODES})


@dataclass(frozen=True, slots=True)
class PlayerRequest:
    """A player of the phone, the pairing of the request, and the card that the player keeps."""

    request: HttpRequest
    actor: Actor
    pairing: Pairing
    keeper: Keeper
    match_id: uuid.UUID

    @property
    def side(self) -> Side:
        return Side(self.keeper.value)

    def load_match(self) -> PhoneMatch:
        return load_phone_match(self.pairing, self.keeper)

    def redirect_to_card(self, part: str = "") -> HttpResponse:
        """Redirects to the card or a part of it, so that a reload repeats no action."""
        return redirect(f"{reverse('my-match', args=[self.match_id])}{part}")


@dataclass(frozen=True, slots=True)
class CardError:
    """The error above the card: a sentence and the rule that it applies."""

    sentence: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class RowToConfirm:
    """The preview of a row, and the form that saves it."""

    previewed: RowPreview
    address: str
    fields: Mapping[str, str]


def player_view(view: Callable[[PlayerRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorates a view of a player's own match: renders refusals with the card, or asks to scan the code again."""

    @render_refusals
    @wraps(view)
    def wrapped(request: HttpRequest, /, match: uuid.UUID) -> HttpResponse:
        try:
            return view(player_request(request, match))
        except Denied:
            return unknown_phone(request, tokens_of(request), 403)
        except NotFound as refusal:
            return _render_without_card(request, refusal, 404)
        except (Refused, RuleBroken) as refusal:
            return _render_refusal(request, match, refusal)

    return wrapped


def player_request(request: HttpRequest, match_id: uuid.UUID) -> PlayerRequest:
    """Raises Denied for a phone without links, NotFound for a match of other players."""
    entry_id = request.POST.get("entry") or request.GET.get("entry", "")
    actor, pairing, keeper = permissions.pairing_for_phone(players_of(request), match_id, entry_id)
    return PlayerRequest(request, actor, pairing, keeper, match_id)


def card_page(
    player: PlayerRequest,
    *,
    card_error: CardError | None = None,
    row_to_confirm: RowToConfirm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Renders the current card. After a refusal the form keeps the sent values."""
    context = {**card_context(player), "card_error": card_error, "row_to_confirm": row_to_confirm}
    return render(player.request, "player/match.html", context, status=status)


def card_context(player: PlayerRequest) -> dict[str, object]:
    phone = player.load_match()
    names = (phone.me.name, phone.other.name)
    left_and_right = names if phone.side is Side.LEFT else (names[1], names[0])
    sent_values = {name: str(value) for name, value in player.request.POST.items()}
    return {
        "phone": phone,
        "keys": keys_of(phone, sent_values),
        "offline_card": json.dumps(offline_card_json(phone)),
        "card_problems": card_problems(),
        "number": match_number(player.pairing),
        "player": player.actor.entry,
        "settlement": load_phone_settlement(player.pairing, phone.result, player.keeper)
        if phone.tournament.has_money
        else None,
        "statement": _corrected_statement(player, phone),
        "records": load_records(phone.match),
        "comparison": compare_cards(phone),
        "disputes": load_disputes(phone.match, left_and_right, player.keeper),
    }


def _corrected_statement(player: PlayerRequest, phone: PhoneMatch) -> PlayerStatement | None:
    """The money of the player, if the result of this match was corrected after prizes were awarded."""
    entry, result = player.actor.entry, phone.result
    if entry is None or result is None or result.supersedes_id is None or not phone.tournament.awards_stamp:
        return None
    return player_statement(entry.player)


def _render_refusal(request: HttpRequest, match_id: uuid.UUID, refusal: Refused | RuleBroken) -> HttpResponse:
    """Renders the current card with the reason, or only the reason if the match is gone."""
    try:
        player = player_request(request, match_id)
    except Refused as second_refusal:
        return _render_without_card(request, second_refusal, 409)
    if isinstance(refusal, RuleBroken):
        card_error = CardError(refusal_sentence(refusal), refusal.problem.rule)
        return card_page(player, card_error=card_error, status=422)
    return card_page(player, card_error=CardError(refusal_sentence(refusal)), status=409)


def _render_without_card(request: HttpRequest, refusal: Refused | NotFound, status: int) -> HttpResponse:
    """Renders a refusal for a phone without a player in the match. The page shows the rows stored on the phone."""
    context = {"sentence": refusal_sentence(refusal)}
    return render(request, "player/card_refused.html", context, status=status)


F = TypeVar("F", bound=forms.Form)


def card_action(
    form_class: type[F],
) -> Callable[[Callable[[PlayerRequest, F], HttpResponse]], Callable[..., HttpResponse]]:
    """Decorates a view: passes it the player and the valid form; renders an invalid form as a refusal."""

    def decorate(view: Callable[[PlayerRequest, F], HttpResponse]) -> Callable[..., HttpResponse]:
        def read_form(player: PlayerRequest) -> HttpResponse:
            form = form_class(player.request.POST, player.request.FILES)
            return view(player, form) if form.is_valid() else _render_unreadable(player, first_error(form))

        read_form.__name__, read_form.__doc__ = view.__name__, view.__doc__
        return never_cache(require_POST(player_view(read_form)))

    return decorate


def _render_unreadable(player: PlayerRequest, sentence: str) -> HttpResponse:
    sentence = sentence or _("That could not be read. Load the page again and try once more.")
    return card_page(player, card_error=CardError(sentence), status=422)
