"""The refusals of score cards, such as: the match is over, because its result is posted."""

from django.utils.translation import gettext_noop as _

from matches.models import Card, Match, MatchState
from matches.refusals import Refusal, Refused

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
