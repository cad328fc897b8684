"""Two score cards of one match beside each other: what they tell alike, what not, and whose card stands by custom.

CARD-3: if only one player kept a written score, it stands. CARD-4: where both did and differ, the card of whoever was
behind stands, by the part of the score that both tell alike. A hint for players and desk; nothing is decided here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from rules.score import Game, Penalty, ScoredEntry, Side

MOST_PAIRS = 40_000
"""Cards that differ in more are held against each other line by line, which costs less."""
Told = tuple[str, str, int, int]
Place = tuple[int | None, int | None]


class Differs(StrEnum):
    """In what two lines are not alike. LEFT_OUT: one card goes on without such a line; MISSING: it ends before."""

    WINNER = "winner"
    KIND = "kind"
    CUBE = "cube"
    POINTS = "points"
    MISSING = "missing"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Beside:
    """What both cards say of the same game; None where a card has no such line."""

    left: ScoredEntry | None
    right: ScoredEntry | None
    differs: tuple[Differs, ...]

    @property
    def is_agreed(self) -> bool:
        return not self.differs

    @property
    def is_contradiction(self) -> bool:
        """More than a line that is still to come on one card."""
        return bool(self.differs) and Differs.MISSING not in self.differs


@dataclass(frozen=True, slots=True)
class Hint:
    """Whose card stands by custom, and by which rule; `stands` None: the custom does not say.

    `agreed` is the score up to which both tell the same.
    """

    stands: Side | None
    rule: str
    agreed: tuple[int, int]


def compare(left: Sequence[ScoredEntry], right: Sequence[ScoredEntry]) -> tuple[Beside, ...]:
    """Line by line, in the order of the cards, side by side so that as little as possible differs.

    Where that could be done in several ways, a line that differs is preferred to one that is left out.
    """
    pairs = _paired([_told(line) for line in left], [_told(line) for line in right])
    both = [(_at(left, one), _at(right, other)) for one, other in pairs]
    last = max((place for place, (one, other) in enumerate(both) if one and other), default=-1)
    return tuple(
        Beside(one, other, _differences(one, other, has_more=place < last))
        for place, (one, other) in enumerate(both)
    )


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


def _paired(left: list[Told], right: list[Told]) -> list[Place]:
    """Which lines stand side by side, by the fewest changes that make one card the other. Seen from the other side
    it is the same, so which of the two cards comes first is not for the caller to say."""
    if right < left:
        return [(one, other) for other, one in _paired(right, left)]
    same = next(
        (place for place, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), None
    )
    begun = min(len(left), len(right)) if same is None else same
    rest = _walked(left[begun:], right[begun:])
    return [
        *((place, place) for place in range(begun)),
        *((_further(one, begun), _further(other, begun)) for one, other in rest),
    ]


def _walked(left: Sequence[Told], right: Sequence[Told]) -> Iterator[Place]:
    if len(left) * len(right) > MOST_PAIRS:
        yield from zip_longest(range(len(left)), range(len(right)))
        return
    changes = _changes(left, right)
    one = other = 0
    while one < len(left) and other < len(right):
        here = changes[one][other]
        if here == changes[one + 1][other + 1] + (left[one] != right[other]):
            yield one, other
            one, other = one + 1, other + 1
        elif here == changes[one + 1][other] + 1:
            yield one, None
            one += 1
        else:
            yield None, other
            other += 1
    yield from ((place, None) for place in range(one, len(left)))
    yield from ((None, place) for place in range(other, len(right)))


def _changes(left: Sequence[Told], right: Sequence[Told]) -> list[list[int]]:
    """How many changes make what is left of one card from each line on the same as what is left of the other."""
    rows = [[len(right) - place for place in range(len(right) + 1)]]
    for told in reversed(left):
        row = [rows[0][-1] + 1]
        for place in range(len(right) - 1, -1, -1):
            changed = rows[0][place + 1] + (told != right[place])
            row.insert(0, min(changed, rows[0][place] + 1, row[0] + 1))
        rows.insert(0, row)
    return rows


def _differences(
    one: ScoredEntry | None, other: ScoredEntry | None, *, has_more: bool
) -> tuple[Differs, ...]:
    if one is None or other is None:
        return (Differs.LEFT_OUT if has_more else Differs.MISSING,)
    told = {
        Differs.WINNER: _winner(one) != _winner(other),
        Differs.KIND: _kind(one) != _kind(other),
        Differs.CUBE: _cube(one) != _cube(other),
    }
    found = tuple(name for name, differs in told.items() if differs)
    return found or ((Differs.POINTS,) if one.raw != other.raw else ())


def _told(line: ScoredEntry) -> Told:
    """Two lines of which this is the same tell the same."""
    return _winner(line).value, str(_kind(line)), _cube(line), line.raw


def _at(lines: Sequence[ScoredEntry], place: int | None) -> ScoredEntry | None:
    return None if place is None else lines[place]


def _further(place: int | None, by: int) -> int | None:
    return None if place is None else place + by


def _winner(line: ScoredEntry) -> Side:
    entry = line.entry
    return entry.against.other if isinstance(entry, Penalty) else entry.winner


def _kind(line: ScoredEntry) -> tuple[object, ...]:
    """A win that was resigned is told like one that was played out."""
    entry = line.entry
    return (entry.win, entry.is_drop) if isinstance(entry, Game) else ("penalty", entry.mid_game)


def _cube(line: ScoredEntry) -> int:
    return line.entry.cube if isinstance(line.entry, Game) else 1


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
