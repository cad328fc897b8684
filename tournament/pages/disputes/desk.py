"""What a match's page at the desk tells of disputes: notes, photos, whose card stands by custom, the journal."""

from typing import Any

from django.http import QueryDict

from rules.ruleset import Ruleset
from rules.score import Side
from tournament.pages.director.context import TournamentContext
from tournament.pages.disputes.forms import RulingForm, fitting_rules
from tournament.pages.journal import in_words
from tournament.queries.cards.two_cards import hint_at_desk
from tournament.queries.desk.match import MatchAtDesk
from tournament.queries.disputes import disputes_of
from tournament.queries.journal import journal_of_match


def ruling_form(shown: MatchAtDesk, sent: QueryDict | None = None) -> RulingForm:
    """The form of a ruling for this match; its choices are the cards that could stand."""
    cards = [card for card in shown.cards if card.is_complete]
    return RulingForm(sent, players=shown.names, cards=cards)


def disputes_context(context: TournamentContext, shown: MatchAtDesk) -> dict[str, Any]:
    """Everything around a dispute; nothing while the match is not open."""
    if shown.match is None:
        return {}
    hint = hint_at_desk(shown.match)
    lines = journal_of_match(context.event, shown.pairing)
    return {
        "disputes": disputes_of(shown.match, shown.names),
        "hint": hint,
        "hint_name": "" if hint is None or hint.valid_card is None else _name(shown, hint.valid_card),
        "rules": fitting_rules(Ruleset.from_json(shown.match.ruleset)),
        "match_lines": [in_words(line) for line in lines],
    }


def _name(shown: MatchAtDesk, side: Side) -> str:
    return shown.names[0] if side is Side.LEFT else shown.names[1]
