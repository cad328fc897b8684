"""What the judge says of a record: every game scored, every problem found, the score it leads to."""

from dataclasses import dataclass

from rules.board.moves import Play
from rules.board.position import Position
from rules.problem import Problem
from rules.score import Game, Score, ScoredEntry, Side


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """One game of the record. `scored` is None while it is unfinished; `number` counts from 1 in the record.

    `rolls` are those that were followed on the board; a score card has none.
    """

    number: int
    before: Score
    is_crawford: bool
    automatic_doubles: int
    scored: ScoredEntry | None
    rolls: int
    line: int | None

    @property
    def entry(self) -> Game | None:
        return self.scored.entry if self.scored is not None and isinstance(self.scored.entry, Game) else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` is worked out from the games alone. `is_cut`: the budget of work ended before the record did."""

    games: tuple[JudgedGame, ...]
    score: Score
    problems: tuple[Problem, ...]
    is_finished: bool
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a game as it can be drawn: what stood on the board before it, and what was then done.

    `position` is seen by `side`, who acts. `play` is resolved: one entry a die, hits worked out; None if
    the turn was no roll. `problems` are those of this turn. `move` numbers rows of the record as text
    records print them: both columns of a row share a number.
    """

    game: int
    move: int
    side: Side
    position: Position
    dice: tuple[int, int] | None
    play: Play | None
    cube: int
    owner: Side | None
    step: str
    line: int | None
    problems: tuple[Problem, ...] = ()
    score: Score | None = None

    @property
    def place(self) -> tuple[int, int, str]:
        """The `place` of its problems."""
        return self.game, self.move, self.side.value
