"""Two score cards of one match beside each other: what they tell alike, what not, and whose card stands by custom.

CARD-3: if only one player kept a written score, it stands. CARD-4: where both did and differ, the card of whoever was
behind stands, by the part of the score that both tell alike. A hint for players and desk; nothing is decided here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from rules.score import Game, Penalty, Scored, Side


class Differs(StrEnum):
    """In what two lines are not alike. MISSING: one card has no such line."""

    WINNER = "winner"
    KIND = "kind"
    CUBE = "cube"
    POINTS = "points"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Beside:
    """What both cards say in the same place; None where a card ends before."""

    left: Scored | None
    right: Scored | None
    differs: tuple[Differs, ...]

    @property
    def is_agreed(self) -> bool:
        return not self.differs

    @property
    def is_contradiction(self) -> bool:
        """Both say something, and not the same: more than a line that is still to come."""
        return self.left is not None and self.right is not None and bool(self.differs)


@dataclass(frozen=True, slots=True)
class Hint:
    """Whose card stands by custom, and by which rule; `stands` None: the custom does not say.

    `agreed` is the score up to which both tell the same.
    """

    stands: Side | None
    rule: str
    agreed: tuple[int, int]


def compare(left: Sequence[Scored], right: Sequence[Scored]) -> tuple[Beside, ...]:
    """Line by line, in the order of the cards."""
    return tuple(Beside(one, other, _differences(one, other)) for one, other in zip_longest(left, right))


def hint(lines: Sequence[Beside]) -> Hint | None:
    """Whose card stands; None while nothing is written, or nothing contradicts."""
    only = _only_card(lines)
    if only is not None:
        return Hint(only, "CARD-3", (0, 0))
    if not any(line.is_contradiction for line in lines):
        return None
    agreed = agreed_score(lines)
    return Hint(_behind(agreed), "CARD-4", agreed)


def agreed_score(lines: Sequence[Beside]) -> tuple[int, int]:
    """The score of the left and the right side before the first line that is not told alike."""
    score = (0, 0)
    for line in lines:
        if line.left is None or not line.is_agreed:
            break
        score = (line.left.after.left, line.left.after.right)
    return score


def _differences(one: Scored | None, other: Scored | None) -> tuple[Differs, ...]:
    if one is None or other is None:
        return (Differs.MISSING,)
    told = {
        Differs.WINNER: _winner(one) != _winner(other),
        Differs.KIND: _kind(one) != _kind(other),
        Differs.CUBE: _cube(one) != _cube(other),
    }
    found = tuple(name for name, differs in told.items() if differs)
    return found or ((Differs.POINTS,) if one.raw != other.raw else ())


def _winner(line: Scored) -> Side:
    entry = line.game
    return entry.against.other if isinstance(entry, Penalty) else entry.winner


def _kind(line: Scored) -> tuple[object, ...]:
    """A win that was resigned is told like one that was played out."""
    entry = line.game
    return (entry.win, entry.is_drop) if isinstance(entry, Game) else ("penalty", entry.mid_game)


def _cube(line: Scored) -> int:
    return line.game.cube if isinstance(line.game, Game) else 1


def _only_card(lines: Sequence[Beside]) -> Side | None:
    has_left = any(line.left is not None for line in lines)
    has_right = any(line.right is not None for line in lines)
    if has_left == has_right:
        return None
    return Side.LEFT if has_left else Side.RIGHT


def _behind(score: tuple[int, int]) -> Side | None:
    left, right = score
    if left == right:
        return None
    return Side.LEFT if left < right else Side.RIGHT
