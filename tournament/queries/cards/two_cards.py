"""Compares the cards of both players, for a player's phone and for the desk. Reads only."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from matches.card_totals import CardTotals, stored_card_totals
from matches.keepers import Keeper
from matches.models import Match
from rules.card_comparison import Difference, Hint, LinePair, compare, custom_hint
from rules.score import ScoredEntry, Side
from tournament.queries.cards.card import PhoneCardLine, PhoneMatch
from tournament.results.two_cards import adopted_after


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A line that differs or that one card lacks. `differs` names the differences.

    `follows`: the next line of an opponent's unfinished card.
    """

    number: int
    mine: PhoneCardLine | None
    theirs: PhoneCardLine | None
    differs: tuple[str, ...]
    follows: bool = False

    @property
    def way(self) -> str:
        """The action that makes the lines equal: change, insert or remove the line, or adopt the whole card."""
        if Difference.MISSING in self.differs and not self.follows:
            return "card"
        if self.mine is None:
            return "put_in"
        return "change" if self.theirs is not None else "leave_out"

    @property
    def key(self) -> uuid.UUID | None:
        """The key of the row to adopt."""
        line = self.theirs or self.mine
        return line.key if line else None


@dataclass(frozen=True, slots=True)
class CardComparison:
    """The differences between both cards. `agreed` is the number of equal lines, `valid_card` the card that is valid by
    custom: mine, theirs or empty; `score` is the score before they differ. `can_undo`: the last adoption."""

    lines: tuple[LineDifference, ...]
    agreed: int
    valid_card: str
    rule: str
    score: tuple[int, int]
    mine: uuid.UUID
    theirs: uuid.UUID
    can_take_card: bool
    takes_lines: bool
    can_undo: bool

    @property
    def only_theirs_ends(self) -> bool:
        """True if the cards do not contradict each other: the player's own card only ends earlier."""
        return all(line.way == "card" or line.follows for line in self.lines)

    @property
    def stamp(self) -> str:
        return f"{self.mine}-{self.theirs}-{self.can_take_card}-{self.can_undo}"


def compare_cards(phone: PhoneMatch) -> CardComparison:
    """Compares the player's card with the opponent's.

    A line that only the opponent has is listed once their card is complete and while it can be adopted: an unfinished
    card is not different. The first one is also listed after the player adopted a line: the cards can become equal.
    After posting, no custom decides between the cards.
    """
    own, others = phone.own, phone.others
    left, right = (own, others) if phone.side is Side.LEFT else (others, own)
    pairs = compare(left.scored, right.scored)
    custom = custom_hint(pairs) if phone.is_open else None
    are_lines = not (own.is_final_only or others.is_final_only)
    can_undo = phone.is_open and _can_undo(phone)
    all_lines = list(_lines(phone, pairs))
    lines = [line for line in all_lines if _is_listed(line, phone)]
    if can_undo and not lines:
        lines = _following_line(all_lines)
    differ = (own.mine, own.theirs, own.is_complete) != (others.mine, others.theirs, others.is_complete)
    return CardComparison(
        lines=tuple(lines) if are_lines else (),
        agreed=sum(line.is_agreed for line in pairs) if are_lines else 0,
        valid_card=_valid_card(custom, phone.side),
        rule=custom.rule if custom else "",
        score=_agreed_score(custom, phone.side),
        mine=own.tail,
        theirs=others.tail,
        can_take_card=phone.is_open and others.is_complete and differ,
        takes_lines=phone.is_open,
        can_undo=can_undo,
    )


def load_hint(match: Match) -> Hint | None:
    """The card that is valid by custom; None if the two cards do not contradict each other."""
    cards = {card.keeper: card for card in match.cards.prefetch_related("rows")}
    left, right = (
        _scored(stored_card_totals(cards[keeper.value], match)) if keeper.value in cards else ()
        for keeper in (Keeper.LEFT, Keeper.RIGHT)
    )
    return custom_hint(compare(left, right))


def _scored(totals: CardTotals) -> tuple[ScoredEntry, ...]:
    return totals.lines


def _lines(phone: PhoneMatch, pairs: Sequence[LinePair]) -> Iterator[LineDifference]:
    mine, theirs = iter(phone.own.lines), iter(phone.others.lines)
    for number, line in enumerate(pairs, start=1):
        own, other = (line.left, line.right) if phone.side is Side.LEFT else (line.right, line.left)
        yield LineDifference(
            number, next(mine) if own else None, next(theirs) if other else None, tuple(line.differences)
        )


def _is_listed(line: LineDifference, phone: PhoneMatch) -> bool:
    """True if the line differs and is not merely missing on an unfinished card."""
    if line.way == "card":
        return line.mine is None and phone.others.is_complete and phone.is_open
    return bool(line.differs)


def _following_line(lines: Iterable[LineDifference]) -> list[LineDifference]:
    missing = (line for line in lines if line.way == "card" and line.mine is None)
    return [replace(line, follows=True) for line in islice(missing, 1)]


def _can_undo(phone: PhoneMatch) -> bool:
    own = phone.own
    return adopted_after(phone.match, own.keeper, own.rows, phone.others.tail) is not None


def _valid_card(custom: Hint | None, side: Side) -> str:
    if custom is None or custom.valid_card is None:
        return ""
    return "mine" if custom.valid_card is side else "theirs"


def _agreed_score(custom: Hint | None, side: Side) -> tuple[int, int]:
    score = custom.agreed if custom else (0, 0)
    return score if side is Side.LEFT else (score[1], score[0])
