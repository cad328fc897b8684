"""Refusals of a score card. Each carries what the front door needs for its answer, and no text for people."""

from matches.models import Card, Match


class CardConflict(Exception):
    """Another row already follows the predecessor on this card."""

    def __init__(self, match: Match, card: Card) -> None:
        super().__init__("another row follows this predecessor")
        self.match = match
        self.card = card


class KeyReused(Exception):
    """The key belongs to a row with other content, or on another card."""

    def __init__(self, card: Card) -> None:
        super().__init__("the key belongs to another row")
        self.card = card


class CardClosed(Exception):
    """The match is posted or cancelled and takes no rows from players."""

    def __init__(self, match: Match) -> None:
        super().__init__("the card is closed")
        self.match = match


class NoSuchRow(Exception):
    """The row to supersede is not on this card or does not count any more."""

    def __init__(self, card: Card) -> None:
        super().__init__("no such row counts on this card")
        self.card = card
