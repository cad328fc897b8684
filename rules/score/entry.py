"""Entries of a score card: a game or penalty points. Points are not computed here."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Side(StrEnum):
    """A column of the card."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Side":
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


class Win(IntEnum):
    """The kind of a win; its value is the factor on the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


class Ending(StrEnum):
    PLAYED = "played"
    DROPPED = "dropped"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Game:
    """`cube` is the stake that was won. After a drop it is the stake before the refused double (CUBE-5).

    `checkers_left` is set only where it is the score (SCORE-2).
    """

    winner: Side
    win: Win = Win.SINGLE
    ending: Ending = Ending.PLAYED
    cube: int = 1
    checkers_left: int | None = None
    automatic_doubles: int = 0

    @property
    def is_drop(self) -> bool:
        return self.ending is Ending.DROPPED

    @property
    def turns(self) -> int:
        """Number of times the players turned the cube; automatic doubles do not count."""
        return self.cube.bit_length() - 1 - self.automatic_doubles

    @property
    def was_doubled(self) -> bool:
        """True if a double was offered, taken or not."""
        return self.is_drop or self.turns > 0

    @property
    def is_uncubed_single(self) -> bool:
        """A single without any double, not even a dropped one."""
        return self.win is Win.SINGLE and self.cube == 1 and not self.is_drop


@dataclass(frozen=True, slots=True)
class Penalty:
    """PEN-2: points for the other side.

    `mid_game`: given during a game, which is the next game on the card. `given_for`: the kind of offence; no
    rule uses it.
    """

    against: Side
    points: int
    reason: str = ""
    mid_game: bool = False
    given_for: str = ""


Entry = Game | Penalty
