"""Checks one play: returns the position after it, or the rule that it breaks.

A play of all the dice is legal under every form of the obligation (DICE-1). Only a play of fewer dice is compared
with all legal plays.
"""

from typing import NamedTuple

from rules.board.explanations import pass_problem, play_problem
from rules.board.interpretations import Interpretations, interpret_play
from rules.board.moves import Play
from rules.board.plays import legal_plays
from rules.board.position import BAR, OFF, Position
from rules.board.stepping import PLAIN, Movement, Step, take_step
from rules.problem import Problem
from rules.ruleset import DiceObligation

_MOST_MOVES = 4


class CheckedPlay(NamedTuple):
    """`after` is the position after the play as its player sees it; `steps` has one step a die.

    With a `problem` the play is illegal, and `after` has the moves that the board allows.
    """

    after: Position
    steps: tuple[Step, ...]
    problem: Problem | None = None


def after_plain_play(position: Position, dice: tuple[int, int], play: Play) -> Position | None:
    """The position after a play that is clearly legal under every ruleset, OFF-7 aside.

    A fast path: None decides nothing and the caller uses `check`.
    """
    first, second = dice
    count = len(play)
    if first == second:
        if count != _MOST_MOVES or any(start - end != first for start, end, _ in play):
            return None
        return _apply_in_order(position, sorted(play, reverse=True))
    if count == 2:
        (start, end, _), (other, last, _) = play
        if start - end == first:
            if other - last != second:
                return None
        elif start - end != second or other - last != first:
            return None
        return _apply_in_order(position, play) or _apply_in_order(position, (play[1], play[0]))
    if count == 1:
        return _merged_play_by_a_free_point(position, dice, play)
    return None


def _apply_in_order(position: Position, play: Play | list[tuple[int, int, bool]]) -> Position | None:
    """Applies moves of exactly one die each, in this order. None if one is illegal."""
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    for start, end, _ in play:
        if not mine[start] or (mine[BAR] and start != BAR):
            return None
        mine[start] -= 1
        if end:
            defenders = theirs[BAR - end]
            if defenders:
                if defenders > 1:
                    return None
                theirs[BAR - end] = 0
                theirs[BAR] += 1
            mine[end] += 1
        elif any(mine[7:]):
            return None
    return Position(bytes(mine), bytes(theirs))


def _merged_play_by_a_free_point(position: Position, dice: tuple[int, int], play: Play) -> Position | None:
    """One checker plays both dice, written as one move, and can land between on an empty point."""
    ((start, end, _),) = play
    mine, theirs = position
    if not OFF < end == start - sum(dice) or mine[BAR] > (start == BAR):
        return None
    if all(theirs[BAR - start + die] for die in dice):
        return None
    return _apply_in_order(position, play)


def check(position: Position, dice: tuple[int, int], play: Play, movement: Movement = PLAIN) -> CheckedPlay:
    """Checks the play by every rule; `dice` in any order."""
    if not play:
        legal = legal_plays(position, dice, movement)
        return CheckedPlay(position, (), pass_problem(position, legal) if legal else None)
    interpretations = interpret_play(position, dice, play, movement)
    legal = _legal_interpretations(position, dice, interpretations, movement)
    if legal:
        after = _likeliest(position, play, legal)
        return CheckedPlay(after, legal[after])
    nearest = _nearest_position(position, play)
    return CheckedPlay(nearest, (), play_problem(position, dice, interpretations, movement))


def _legal_interpretations(
    position: Position, dice: tuple[int, int], interpretations: Interpretations, movement: Movement
) -> dict[Position, tuple[Step, ...]]:
    all_dice = 4 if dice[0] == dice[1] else 2
    complete = {after: taken for after, taken in interpretations.complete.items() if len(taken) == all_dice}
    fewer_suffice = movement.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES
    if len(complete) == len(interpretations.complete) or (complete and not fewer_suffice):
        return complete
    if fewer_suffice and dice[0] == dice[1]:
        return interpretations.complete  # DICE-3: of a double, one die is enough
    legal = legal_plays(position, dice, movement)
    return {after: taken for after, taken in interpretations.complete.items() if after in legal}


def _likeliest(position: Position, play: Play, ways: dict[Position, tuple[Step, ...]]) -> Position:
    """The interpretation whose number of hits is nearest to the marked hits; on a tie, the one with fewer hits."""
    marked = sum(move.hits for move in play)
    before = position.theirs[BAR]
    return min(ways, key=lambda after: (abs(after.theirs[BAR] - before - marked), after.theirs[BAR]))


def _nearest_position(position: Position, play: Play) -> Position:
    """Applies the moves that the board allows, so that the rest of the game can be checked."""
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    for start, end, _ in play[:_MOST_MOVES]:
        if mine[start] and (end == OFF or theirs[BAR - end] < 2):
            take_step(mine, theirs, (start, end))
    return Position(bytes(mine), bytes(theirs))
