"""Cube, dice, score and turn of a position, as the IDs of other programs give them.

Nothing is checked or derived: an ID may have a score that no match can reach. For a match in progress see
`rules.score` and `rules.cube`.
"""

from dataclasses import dataclass
from enum import IntEnum

from rules.score import Side, Win


class Progress(IntEnum):
    """The state of the game, by the numbers of GNU Backgammon."""

    NOT_STARTED = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class Situation:
    """`length` None is stake play; `score` is the left player's and the right player's.

    `on_roll` is the side that rolls or has rolled. With `is_answer_pending` the other side decides, after a double
    or a resignation. `cube` is the value before a double that waits for its answer, `beavers` the number made in
    reply to it. A Match ID does not contain `beavers`, `are_beavers_played` and `cube_limit`; an XGID does not
    contain `resigned` and `progress`, nor Jacoby in a match.
    """

    length: int | None = None
    score: tuple[int, int] = (0, 0)
    is_crawford: bool = False
    cube: int = 1
    owner: Side | None = None
    on_roll: Side = Side.LEFT
    is_answer_pending: bool = False
    dice: tuple[int, int] | None = None
    is_doubled: bool = False
    beavers: int = 0
    resigned: Win | None = None
    progress: Progress = Progress.PLAYING
    jacoby: bool = False
    are_beavers_played: bool = False
    cube_limit: int = 1024

    @property
    def turn(self) -> Side:
        """The side that has to decide."""
        return self.on_roll.other if self.is_answer_pending else self.on_roll
