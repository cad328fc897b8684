"""Refusals: a stable code for programs and a sentence for people, and the refusals of score cards.

A sentence says what happened, then what to do next. It is marked for translation here and translated by the front door.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop as _

from matches.models import Card, Match, MatchState


@dataclass(frozen=True, slots=True)
class Refusal:
    """`template` is the sentence, with the parameters in braces."""

    code: str
    template: str


class Refused(Exception):
    """The request cannot be done now. `params` fill the template of the refusal."""

    def __init__(self, refusal: Refusal, **params: Any) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.params = params

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def template(self) -> str:
        return self.refusal.template

    def __str__(self) -> str:
        return self.template.format_map(self.params)


CARD_CHANGED = Refusal(
    "card-changed",
    _("Another game was entered on this card in the meantime. Look at the card, then enter what is missing."),
)
KEY_REUSED = Refusal(
    "key-reused", _("This was already sent with other content. Look at the card, then enter what is missing.")
)
CARD_POSTED = Refusal(
    "card-closed", _("The result is posted, so the card takes no more games. Ask the desk to correct it.")
)
CARD_CANCELLED = Refusal(
    "card-closed",
    _("This match was cancelled, so its card takes no more games. Load the page again, or ask at the desk."),
)
NO_SUCH_ROW = Refusal(
    "no-such-row", _("That game was changed or taken back in the meantime. Look at the card again.")
)


class CardConflict(Refused):
    """Another row already follows the predecessor on this card."""

    def __init__(self, match: Match, card: Card) -> None:
        super().__init__(CARD_CHANGED)
        self.match = match
        self.card = card


class KeyReused(Refused):
    """The key belongs to a row with other content, or on another card."""

    def __init__(self, card: Card) -> None:
        super().__init__(KEY_REUSED)
        self.card = card


class CardClosed(Refused):
    """The match is posted or cancelled and takes no rows from players."""

    def __init__(self, match: Match) -> None:
        super().__init__(CARD_CANCELLED if match.state == MatchState.CANCELLED else CARD_POSTED)
        self.match = match


class NoSuchRow(Refused):
    """The row to supersede is not on this card or does not count any more."""

    def __init__(self, card: Card) -> None:
        super().__init__(NO_SUCH_ROW)
        self.card = card
