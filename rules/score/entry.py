"""What is written on a card: a game that was won, or penalty points. No points are worked out here."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Side(StrEnum):
    """The left or the right column of the card."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Side":
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


class Win(IntEnum):
    """The kind of a win; its value is how many times the cube it pays."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


class Ending(StrEnum):
    PLAYED = "played"
    DROPPED = "dropped"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Game:
    """A game and how it was won.

    `cube` is the stake that was won: after a drop, the stake as it stood before the refused double
    (CUBE-5). `checkers_left` is stated only where it is the score (SCORE-2).
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
        """How often the players turned the cube; automatic doubles are nobody's turn of it."""
        return self.cube.bit_length() - 1 - self.automatic_doubles

    @property
    def was_doubled(self) -> bool:
        """Whether a double was offered, taken or not."""
        return self.is_drop or self.turns > 0

    @property
    def is_uncubed_single(self) -> bool:
        """A single with the cube never turned, not even by a double that was dropped."""
        return self.win is Win.SINGLE and self.cube == 1 and not self.is_drop


@dataclass(frozen=True, slots=True)
class Penalty:
    """PEN-2: points that go to the other side. `mid_game`: given while a game was under way, which the
    next game on the card is. `given_for` says what for, in a word; no rule asks."""

    against: Side
    points: int
    reason: str = ""
    mid_game: bool = False
    given_for: str = ""


Entry = Game | Penalty
