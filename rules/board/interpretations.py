"""Finds every interpretation of a written play: the die for each move, the order, the points between.

A move may be merged from several dice. This module does not check how many dice have to be played.
"""

from dataclasses import dataclass, field
from typing import Final

from rules.board.moves import Play
from rules.board.position import BAR, HOME, OFF, Position
from rules.board.stepping import Movement, Step, steps, take_step
from rules.ruleset import CHECKERS

_PendingMove = tuple[int, int, int, int]
"""The rest of a move (start, end), followed by the move as written (start, end)."""

_RANK: Final = (
    "bar_first",
    "blocked_point",
    "not_all_home",
    "higher_checker_first",
    "hit_checker_first",
    "no_checker_there",
    "other_dice",
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The code of the problem, the move as written and the die that was tried."""

    code: str
    move: Step
    die: int


@dataclass(slots=True)
class Interpretations:
    """`complete` maps each final position to its steps, one a die. `obstacle` is the one after the most steps."""

    movement: Movement
    complete: dict[Position, tuple[Step, ...]] = field(default_factory=dict)
    obstacle: Obstacle | None = None
    depth: int = -1

    def search(
        self,
        position: Position,
        dice_left: tuple[int, ...],
        moves: tuple[_PendingMove, ...],
        taken: tuple[Step, ...] = (),
    ) -> None:
        """Tries every remaining die for every remaining move, in the order as written."""
        if not moves:
            if len(taken) > len(self.complete.get(position, ())):
                self.complete[position] = taken
            return
        if not dice_left:
            self._note_obstacle(len(taken), Obstacle("other_dice", moves[0][2:], 0))
        allowed = {die: steps(*position, die, self.movement) for die in dice_left}
        for index, move in enumerate(moves):
            if move in moves[:index]:
                continue
            for die, steps_of_die in allowed.items():
                step = (move[0], max(move[0] - die, OFF))
                if step[1] < move[1] or step not in steps_of_die:
                    code = self._obstacle_code(position, step, move[1])
                    self._note_obstacle(len(taken), Obstacle(code, move[2:], die))
                    continue
                remaining = list(dice_left)
                remaining.remove(die)
                continuation = ((step[1], *move[1:]),) if step[1] != move[1] else ()
                pending = moves[:index] + continuation + moves[index + 1 :]
                self.search(_after(position, step), tuple(remaining), pending, (*taken, step))

    def _note_obstacle(self, depth: int, obstacle: Obstacle) -> None:
        rank = -_RANK.index(obstacle.code)
        best = -_RANK.index(self.obstacle.code) if self.obstacle else -len(_RANK)
        if (depth, rank) > (self.depth, best):
            self.depth, self.obstacle = depth, obstacle

    def _obstacle_code(self, position: Position, step: Step, end: int) -> str:
        """The code of the rule that forbids this step."""
        mine, theirs = position
        if step[1] < end:
            return "other_dice"
        if not mine[step[0]]:
            return "no_checker_there"
        if mine[BAR] and step[0] != BAR:
            return "bar_first"
        if step[1] > OFF and theirs[BAR - step[1]] > 1:
            return "blocked_point"
        is_abroad = any(mine[HOME + 1 :])
        if step[1] > OFF or (is_abroad and self.movement.hit_checker_first and sum(mine) < CHECKERS):
            return "hit_checker_first"
        return "not_all_home" if is_abroad else "higher_checker_first"


def interpret_play(
    position: Position, dice: tuple[int, int], play: Play, movement: Movement
) -> Interpretations:
    """Every way to play these moves with these dice, or the obstacle after the most steps."""
    interpretations = Interpretations(movement)
    dice_left = dice * 2 if dice[0] == dice[1] else dice
    backward_move = next((move for move in play if move.end >= move.start), None)
    if backward_move is not None:
        interpretations.obstacle = Obstacle("moves_backwards", backward_move[:2], 0)
    elif len(play) > len(dice_left):
        interpretations.obstacle = Obstacle("too_many_moves", play[-1][:2], 0)
    else:
        interpretations.search(position, dice_left, tuple((start, end, start, end) for start, end, _ in play))
    return interpretations


def _after(position: Position, step: Step) -> Position:
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    take_step(mine, theirs, step)
    return Position(bytes(mine), bytes(theirs))
