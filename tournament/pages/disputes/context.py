"""What a match's page at the desk tells of disputes: notes, photos, whose card stands by custom, the journal."""

from typing import Any

from django.http import QueryDict

from rules.ruleset import Ruleset
from rules.score import Side
from tournament.pages.director.context import TournamentContext
from tournament.pages.disputes.forms import RulingForm, fitting_rules
from tournament.pages.journal import line_text
from tournament.queries.cards.two_cards import load_hint
from tournament.queries.desk.match import DeskMatchPage
from tournament.queries.disputes import load_disputes
from tournament.queries.journal import load_match_journal


def ruling_form(shown: DeskMatchPage, sent: QueryDict | None = None) -> RulingForm:
    """The form of a ruling for this match; its choices are the cards that could stand."""
    cards = [card for card in shown.cards if card.is_complete]
    return RulingForm(sent, players=shown.names, cards=cards)


def disputes_context(context: TournamentContext, shown: DeskMatchPage) -> dict[str, Any]:
    """Everything around a dispute; nothing while the match is not open."""
    if shown.match is None:
        return {}
    hint = load_hint(shown.match)
    lines = load_match_journal(context.event, shown.pairing)
    return {
        "disputes": load_disputes(shown.match, shown.names),
        "hint": hint,
        "hint_name": "" if hint is None or hint.valid_card is None else _name(shown, hint.valid_card),
        "rules": fitting_rules(Ruleset.from_json(shown.match.ruleset)),
        "match_lines": [line_text(line) for line in lines],
    }


def _name(shown: DeskMatchPage, side: Side) -> str:
    return shown.names[0] if side is Side.LEFT else shown.names[1]
