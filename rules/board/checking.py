"""One given play: what it leads to, or which rule it breaks.

A play is interpretations as it is written. Only one that used fewer dice than were thrown is held against all the legal
plays, for a play of all the dice is legal under every form of the obligation (DICE-1).
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
    """Where a play leads, seen by the player who made it; `taken` holds one step a die.

    With a `problem` the play is illegal, and `after` is as nearest to what is written as the board allows.
    """

    after: Position
    steps: tuple[Step, ...]
    problem: Problem | None = None


def after_plain_play(position: Position, dice: tuple[int, int], play: Play) -> Position | None:
    """Where a play leads that is plain to see and legal under every ruleset, OFF-7 left aside.

    None says nothing: ask `check`.
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
    """Moves of exactly one die each, in this order."""
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
    """Both dice played by one checker and written as one move, by way of a point where nobody is hit."""
    ((start, end, _),) = play
    mine, theirs = position
    if not OFF < end == start - sum(dice) or mine[BAR] > (start == BAR):
        return None
    if all(theirs[BAR - start + die] for die in dice):
        return None
    return _apply_in_order(position, play)


def check(position: Position, dice: tuple[int, int], play: Play, movement: Movement = PLAIN) -> CheckedPlay:
    """The play judged by every rule; `dice` in any order."""
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
    """Of several ways that a merged play can be meant, the one with the hits that are marked, or the fewest."""
    marked = sum(move.hits for move in play)
    before = position.theirs[BAR]
    return min(ways, key=lambda after: (abs(after.theirs[BAR] - before - marked), after.theirs[BAR]))


def _nearest_position(position: Position, play: Play) -> Position:
    """Each of the moves that the board has room for, so that checking can go on."""
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    for start, end, _ in play[:_MOST_MOVES]:
        if mine[start] and (end == OFF or theirs[BAR - end] < 2):
            take_step(mine, theirs, (start, end))
    return Position(bytes(mine), bytes(theirs))
