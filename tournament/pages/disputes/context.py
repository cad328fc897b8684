"""Disputes on a match's page at the desk: notes, photos, the card that is valid by custom, and the journal."""

from typing import Any

from django.forms import BaseForm
from django.http import QueryDict

from rules.ruleset import Ruleset
from rules.score import Side
from tournament.pages.director.context import TournamentContext
from tournament.pages.disputes.forms import RulingForm
from tournament.pages.journal import line_text
from tournament.queries.cards.two_cards import load_hint
from tournament.queries.desk.match import DeskMatchPage
from tournament.queries.disputes import load_disputes
from tournament.queries.journal import load_match_journal


def ruling_form(match_page: DeskMatchPage, sent: QueryDict | None = None) -> RulingForm:
    """Returns the form of a ruling for this match. Its choices are the complete cards."""
    cards = [card for card in match_page.cards if card.is_complete]
    ruleset = Ruleset.from_json(match_page.match.ruleset) if match_page.match else None
    return RulingForm(sent, players=match_page.names, cards=cards, ruleset=ruleset)


def refused_ruling_form(match_page: DeskMatchPage, refused: BaseForm, data: QueryDict) -> RulingForm:
    """Returns the sent form with its errors, for the cards as the page now shows them."""
    data_again = data.copy()
    for card in match_page.cards:
        if card.is_complete:
            data_again[f"tail_{card.keeper.value}"] = str(card.tail)
    form = ruling_form(match_page, data_again)
    if form.is_valid():
        form.add_error(None, refused.non_field_errors())
    return form


def disputes_context(context: TournamentContext, match_page: DeskMatchPage) -> dict[str, Any]:
    """Returns the template variables of disputes; none before the match is open."""
    if match_page.match is None:
        return {}
    hint = load_hint(match_page.match)
    lines = load_match_journal(context.event, match_page.pairing, with_money=context.permissions.money)
    return {
        "disputes": load_disputes(match_page.match, match_page.names),
        "hint": hint,
        "hint_name": "" if hint is None or hint.valid_card is None else _name(match_page, hint.valid_card),
        "match_lines": [line_text(line, context.event, context.permissions) for line in lines],
    }


def _name(match_page: DeskMatchPage, side: Side) -> str:
    return match_page.names[0] if side is Side.LEFT else match_page.names[1]
