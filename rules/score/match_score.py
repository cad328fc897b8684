"""The score of a match between two entries, with the stage of its Crawford game.

A score does not depend on the ruleset once it is made; what may happen next does.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from rules.ruleset import CrawfordForm, Ruleset
from rules.score.entry import Side


class CrawfordStage(StrEnum):
    """TO_COME: the next game at match point is the Crawford game. AFTER_THIS: the game in progress began before.

    PAST: played, or cancelled (CRAW-4). NEVER: this match has none.
    """

    TO_COME = "to_come"
    AFTER_THIS = "after_this"
    PAST = "past"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Score:
    """Points of both sides; `length` None is stake play (MATCH-3); `games` counts the games so far.

    `agreed` is the number of games of a session; None: the end is not known yet. A session ends with a winner: while
    the points are level after that number, one more game is played at a time.
    """

    left: int = 0
    right: int = 0
    length: int | None = None
    crawford: CrawfordStage = CrawfordStage.TO_COME
    games: int = field(default=0, compare=False)
    agreed: int | None = None

    @classmethod
    def start(cls, length: int | None, ruleset: Ruleset, *, agreed: int | None = None) -> Self:
        return replace(cls.at(0, 0, length, ruleset), agreed=agreed)

    @classmethod
    def at(
        cls, left: int, right: int, length: int | None, ruleset: Ruleset, *, crawford_played: bool = False
    ) -> Self:
        """A score in mid-match, as in a record that does not begin at 0-0."""
        has_none = ruleset.crawford is CrawfordForm.OFF or not ruleset.cube or length in (None, 1)
        later = CrawfordStage.PAST if crawford_played else CrawfordStage.TO_COME
        return cls(left, right, length, CrawfordStage.NEVER if has_none else later)

    def points(self, side: Side) -> int:
        return self.left if side is Side.LEFT else self.right

    def away(self, side: Side) -> int | None:
        """Points this side still needs; None in stake play."""
        return None if self.length is None else max(0, self.length - self.points(side))

    @property
    def is_match_point(self) -> bool:
        """At least one side needs a single point."""
        return self.length is not None and self.length - 1 == max(self.left, self.right)

    @property
    def is_crawford(self) -> bool:
        """The next game is the Crawford game (CRAW-1)."""
        is_long_enough = self.length is not None and self.length > 1
        return is_long_enough and self.crawford is CrawfordStage.TO_COME and self.is_match_point

    @property
    def is_post_crawford(self) -> bool:
        """The next game comes after the Crawford game."""
        return self.crawford is CrawfordStage.PAST and not self.is_over

    @property
    def is_double_match_point(self) -> bool:
        return self.length is not None and self.left == self.right == self.length - 1

    @property
    def leader(self) -> Side | None:
        if self.left == self.right:
            return None
        return Side.LEFT if self.left > self.right else Side.RIGHT

    @property
    def winner(self) -> Side | None:
        return self.leader if self.is_over else None

    @property
    def is_over(self) -> bool:
        if self.length is not None:
            return max(self.left, self.right) >= self.length
        return self.agreed is not None and self.games >= self.agreed and self.left != self.right
