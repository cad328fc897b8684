"""The verdict on a record: scored games, problems, final score."""

from dataclasses import dataclass

from rules.board.moves import Play
from rules.board.position import Position
from rules.problem import Problem
from rules.score import Game, Score, ScoredEntry, Side


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """One game of the record. `scored` is None if it is unfinished; `number` counts from 1 in the record.

    `rolls` counts the rolls that were replayed on the board; a score card has none.
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
    """`score` is computed from the games alone. `is_cut`: the work budget ended before the record."""

    games: tuple[JudgedGame, ...]
    score: Score
    problems: tuple[Problem, ...]
    is_finished: bool
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a game for drawing: the position before it and the action.

    `position` is as `side`, who acts, sees it. `play` has one move a die, with hits; None if the turn was no roll.
    `problems` are those of this turn. `move` numbers rows as text records print them: both columns share a number.
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
        """Equals the `place` of the turn's problems."""
        return self.game, self.move, self.side.value
