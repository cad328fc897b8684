"""The position of the checkers. Immutable, without dice, cube, score or time.

Both sides count alike: 1 to 24 are a side's own points (1 is deepest at home), 25 is its bar, and all other
checkers are off. Point p of one side is point 25 - p of the other.
"""

from typing import NamedTuple, Self

from rules.ruleset import CHECKERS

POINTS = 24
BAR = 25
OFF = 0
HOME = 6

_START = bytes((0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0))


class Position(NamedTuple):
    """The checkers as the player on roll sees them.

    `mine` and `theirs` are 26 counts each, every side in its own numbering: index 1 to 24 its points, 25 its
    bar; index 0 is always 0 (SET-1). A tuple of two bytes objects is cheap to make, compare and hash.
    """

    mine: bytes
    theirs: bytes

    @classmethod
    def start(cls) -> Self:
        """SET-1: the position that every game begins with."""
        return cls(_START, _START)

    def swapped(self) -> "Position":
        """The same position as the other player sees it."""
        return Position(self.theirs, self.mine)

    @property
    def off(self) -> tuple[int, int]:
        """Checkers borne off: the player's on roll, the other's."""
        return CHECKERS - sum(self.mine), CHECKERS - sum(self.theirs)

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts: the player's on roll, the other's. A checker on the bar counts 25."""
        return _pips(self.mine), _pips(self.theirs)

    @property
    def problem(self) -> str:
        """The code of the reason why no game can reach this position; empty if a game can."""
        for side in self:
            if len(side) != BAR + 1 or side[OFF] or sum(side) > CHECKERS:
                return "too_many_checkers"
        if any(self.mine[point] and self.theirs[BAR - point] for point in range(1, BAR)):
            return "both_on_one_point"
        if not any(self.mine) and not any(self.theirs):
            return "nobody_left"
        return ""


def _pips(side: bytes) -> int:
    return sum(point * count for point, count in enumerate(side) if count)
