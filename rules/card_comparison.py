"""Compares two score cards of one match line by line, and names the card that is valid by custom.

CARD-3: if only one player kept a written score, it is valid. CARD-4: if both did and differ, the card of the
player who was behind is valid, by the score up to which both agree. This is a hint for players and desk;
nothing is decided here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from rules.score import Game, Penalty, ScoredEntry, Side

LARGEST_COMPARISON = 40_000
"""Larger products of differing lines are compared line by line, which is cheaper."""
LineContent = tuple[str, str, int, int]
IndexPair = tuple[int | None, int | None]


class Difference(StrEnum):
    """The kind of a difference. LEFT_OUT: a line is missing inside a card; MISSING: the card ends before it."""

    WINNER = "winner"
    KIND = "kind"
    CUBE = "cube"
    POINTS = "points"
    MISSING = "missing"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class LinePair:
    """The same game on both cards; None where a card has no such line."""

    left: ScoredEntry | None
    right: ScoredEntry | None
    differences: tuple[Difference, ...]

    @property
    def is_agreed(self) -> bool:
        return not self.differences

    @property
    def is_contradiction(self) -> bool:
        """A difference other than a line that one card may still add."""
        return bool(self.differences) and Difference.MISSING not in self.differences


@dataclass(frozen=True, slots=True)
class Hint:
    """The card that is valid by custom, and the rule; `valid_card` None: the custom does not decide.

    `agreed` is the score up to which both cards agree.
    """

    valid_card: Side | None
    rule: str
    agreed: tuple[int, int]


def compare(left: Sequence[ScoredEntry], right: Sequence[ScoredEntry]) -> tuple[LinePair, ...]:
    """Pairs the lines of both cards in their order, with as few differences as possible.

    On a tie, a line that differs is preferred to a line left out.
    """
    indexes = _align([_content(line) for line in left], [_content(line) for line in right])
    pairs = [(_line_at(left, index), _line_at(right, other_index)) for index, other_index in indexes]
    last = max((place for place, pair in enumerate(pairs) if None not in pair), default=-1)
    return tuple(
        LinePair(line, other, _differences(line, other, has_more=place < last))
        for place, (line, other) in enumerate(pairs)
    )


def custom_hint(lines: Sequence[LinePair]) -> Hint | None:
    """The valid card; None if nothing is written or nothing contradicts."""
    only = _only_card(lines)
    if only is not None:
        return Hint(only, "CARD-3", (0, 0))
    if not any(line.is_contradiction for line in lines):
        return None
    agreed = agreed_score(lines)
    return Hint(_trailing_side(agreed), "CARD-4", agreed)


def agreed_score(lines: Sequence[LinePair]) -> tuple[int, int]:
    """The score of the left and the right side before the first difference."""
    score = (0, 0)
    for line in lines:
        if line.left is None or not line.is_agreed:
            break
        score = (line.left.after.left, line.left.after.right)
    return score


def _align(left: list[LineContent], right: list[LineContent]) -> list[IndexPair]:
    """Pairs the indexes of lines with the fewest changes from one card to the other. Symmetric in the cards."""
    if right < left:
        return [(left_index, right_index) for right_index, left_index in _align(right, left)]
    common = 0
    while common < min(len(left), len(right)) and left[common] == right[common]:
        common += 1
    rest = _aligned_rest(left[common:], right[common:])
    return [
        *((index, index) for index in range(common)),
        *((_shifted(index, common), _shifted(other_index, common)) for index, other_index in rest),
    ]


def _aligned_rest(left: Sequence[LineContent], right: Sequence[LineContent]) -> Iterator[IndexPair]:
    if len(left) * len(right) > LARGEST_COMPARISON:
        yield from zip_longest(range(len(left)), range(len(right)))
        return
    changes = _changes(left, right)
    left_index = right_index = 0
    while left_index < len(left) and right_index < len(right):
        remaining = changes[left_index][right_index]
        changed = left[left_index] != right[right_index]
        if remaining == changes[left_index + 1][right_index + 1] + changed:
            yield left_index, right_index
            left_index, right_index = left_index + 1, right_index + 1
        elif remaining == changes[left_index + 1][right_index] + 1:
            yield left_index, None
            left_index += 1
        else:
            yield None, right_index
            right_index += 1
    yield from ((index, None) for index in range(left_index, len(left)))
    yield from ((None, index) for index in range(right_index, len(right)))


def _changes(left: Sequence[LineContent], right: Sequence[LineContent]) -> list[list[int]]:
    """The number of changes between the rest of one card and the rest of the other, for every pair of lines."""
    rows = [[len(right) - index for index in range(len(right) + 1)]]
    for content in reversed(left):
        row = [rows[0][-1] + 1]
        for index in range(len(right) - 1, -1, -1):
            changed = rows[0][index + 1] + (content != right[index])
            row.insert(0, min(changed, rows[0][index] + 1, row[0] + 1))
        rows.insert(0, row)
    return rows


def _differences(
    left: ScoredEntry | None, right: ScoredEntry | None, *, has_more: bool
) -> tuple[Difference, ...]:
    if left is None or right is None:
        return (Difference.LEFT_OUT if has_more else Difference.MISSING,)
    names = []
    if _winner(left) != _winner(right):
        names.append(Difference.WINNER)
    if _kind(left) != _kind(right):
        names.append(Difference.KIND)
    if _cube(left) != _cube(right):
        names.append(Difference.CUBE)
    if not names and left.raw != right.raw:
        names.append(Difference.POINTS)
    return tuple(names)


def _content(line: ScoredEntry) -> LineContent:
    """Equal for two lines that say the same."""
    return _winner(line).value, str(_kind(line)), _cube(line), line.raw


def _line_at(lines: Sequence[ScoredEntry], index: int | None) -> ScoredEntry | None:
    return None if index is None else lines[index]


def _shifted(index: int | None, by: int) -> int | None:
    return None if index is None else index + by


def _winner(line: ScoredEntry) -> Side:
    entry = line.entry
    return entry.against.other if isinstance(entry, Penalty) else entry.winner


def _kind(line: ScoredEntry) -> tuple[object, ...]:
    """A resigned win equals one that was played out."""
    entry = line.entry
    return (entry.win, entry.is_drop) if isinstance(entry, Game) else ("penalty", entry.mid_game)


def _cube(line: ScoredEntry) -> int:
    return line.entry.cube if isinstance(line.entry, Game) else 1


def _only_card(lines: Sequence[LinePair]) -> Side | None:
    has_left = any(line.left is not None for line in lines)
    has_right = any(line.right is not None for line in lines)
    if has_left == has_right:
        return None
    return Side.LEFT if has_left else Side.RIGHT


def _trailing_side(score: tuple[int, int]) -> Side | None:
    left, right = score
    if left == right:
        return None
    return Side.LEFT if left < right else Side.RIGHT
