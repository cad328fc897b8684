"""What stands beside a position: cube, dice, score, whose turn. As the IDs of other programs tell it.

Nothing here is judged, and nothing is worked out from anything else: an ID can be of a score that no match
comes to. Points and cube of a match under way are in `rules.score` and `rules.cube`.
"""

from dataclasses import dataclass
from enum import IntEnum

from rules.score import Side, Win


class Progress(IntEnum):
    """Where the game is, by the numbers of GNU Backgammon."""

    NOT_STARTED = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class Situation:
    """`length` None is stake play; `score` is the left player's and the right player's.

    `on_roll` is who rolls or has rolled; `is_answered` says that the other side is to decide, after a double or
    a resignation. `cube` is the value before a double that waits for its answer, `beavers` those made in
    reply to it. A Match ID has no room for `beavers`, `are_beavers_played` and `cube_limit`; an XGID has
    none for `resigned` and `progress`, nor for Jacoby in a match.
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
        """Who is to decide."""
        return self.on_roll.other if self.is_answer_pending else self.on_roll
