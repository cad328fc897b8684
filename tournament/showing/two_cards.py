"""The cards of both players beside each other: for a phone, seen from its side, and for the desk. Reads only."""

import uuid
from dataclasses import dataclass

from matches.keepers import Keeper
from matches.models import Match
from matches.reading import Standing, standing_of
from rules.score import Scored, Side
from rules.twocards import Hint, compare, hint
from tournament.showing.phone import LineShown, PhoneMatch


@dataclass(frozen=True, slots=True)
class LineBeside:
    """A line that both tell differently, or that one card lacks. `differs` names in what."""

    number: int
    mine: LineShown | None
    theirs: LineShown | None
    differs: tuple[str, ...]

    @property
    def is_missing(self) -> bool:
        return self.mine is None


@dataclass(frozen=True, slots=True)
class BesideOnPhone:
    """What the phone shows of two cards. `agreed` is how many lines both tell alike, `stands` whose card the custom
    lets stand: mine, theirs or empty; `behind` the same of whoever was behind at `score`."""

    lines: tuple[LineBeside, ...]
    agreed: int
    stands: str
    rule: str
    score: tuple[int, int]
    mine: uuid.UUID
    theirs: uuid.UUID
    can_take_card: bool
    takes_lines: bool

    @property
    def stamp(self) -> str:
        return f"{self.mine}-{self.theirs}-{self.can_take_card}"


def beside_on_phone(phone: PhoneMatch) -> BesideOnPhone:
    """The own card beside the opponent's. A line that is only on theirs is told once theirs is complete."""
    own, others = phone.own, phone.others
    left, right = (own, others) if phone.side is Side.LEFT else (others, own)
    beside = compare(left.scored, right.scored)
    told = hint(beside)
    are_lines = not (own.is_final_only or others.is_final_only)
    lines = [
        LineBeside(number + 1, _at(own.lines, number), _at(others.lines, number), tuple(line.differs))
        for number, line in enumerate(beside)
        if line.is_contradiction or (_at(own.lines, number) is None and others.is_complete)
    ]
    differ = (own.mine, own.theirs, own.is_complete) != (others.mine, others.theirs, others.is_complete)
    return BesideOnPhone(
        lines=tuple(lines) if are_lines else (),
        agreed=sum(line.is_agreed for line in beside) if are_lines else 0,
        stands=_stands(told, phone.side),
        rule=told.rule if told else "",
        score=_seen(told, phone.side),
        mine=own.tail,
        theirs=others.tail,
        can_take_card=phone.is_open and others.is_complete and differ,
        takes_lines=phone.is_open,
    )


def hint_at_desk(match: Match) -> Hint | None:
    """Whose card stands by custom, of the two players'; None where they do not contradict each other."""
    cards = {card.keeper: card for card in match.cards.prefetch_related("rows")}
    left, right = (
        _scored(standing_of(cards[keeper.value], match)) if keeper.value in cards else ()
        for keeper in (Keeper.LEFT, Keeper.RIGHT)
    )
    return hint(compare(left, right))


def _scored(standing: Standing) -> tuple[Scored, ...]:
    return standing.lines


def _at(lines: tuple[LineShown, ...], number: int) -> LineShown | None:
    return lines[number] if number < len(lines) else None


def _stands(told: Hint | None, side: Side) -> str:
    if told is None or told.stands is None:
        return ""
    return "mine" if told.stands is side else "theirs"


def _seen(told: Hint | None, side: Side) -> tuple[int, int]:
    score = told.agreed if told else (0, 0)
    return score if side is Side.LEFT else (score[1], score[0])
