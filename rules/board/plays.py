"""Generates all legal plays of a roll (DICE-1 to DICE-4, MOVE-3).

A `state` is a position as one number, a byte for each count, so that a step is a single addition.
"""

from typing import Final

from rules.board.position import BAR, HOME, OFF, POINTS, Position
from rules.board.stepping import PLAIN, Movement, Step, steps, take_step
from rules.ruleset import DiceObligation

Plays = dict[Position, tuple[Step, ...]]

_SIDE: Final = BAR + 1
_OUTSIDE_HOME: Final = slice(HOME + 1, _SIDE)
_ONE: Final = (0, *(1 << 8 * point for point in range(1, _SIDE)))
_HIT: Final = (0, *((1 << 8 * (_SIDE + BAR)) - (1 << 8 * (_SIDE + BAR - end)) for end in range(1, BAR)))


def legal_plays(position: Position, dice: tuple[int, int], movement: Movement = PLAIN) -> Plays:
    """Maps every position after this roll, as the player who rolled sees it, to the steps of one play.

    An empty result means that the turn passes (DICE-4).
    """
    larger, smaller = max(dice), min(dice)
    if larger == smaller:
        return _plays_of_a_double(position, larger, movement)
    if movement.is_plain and not position.mine[BAR] and sum(position.mine[_OUTSIDE_HOME]) > 1:
        both = _both_dice_outside_home(position, larger, smaller)
    else:
        both = _both_dice_in_either_order(position, larger, smaller, movement)
    return _apply_obligation(position, both, (larger, smaller), movement)


def _apply_obligation(position: Position, both: Plays, dice: tuple[int, int], movement: Movement) -> Plays:
    """DICE-1 to DICE-3: chooses the legal plays among those of both dice and of one die alone."""
    obligation = movement.dice_obligation
    if both and obligation is not DiceObligation.LARGER_DIE_SUFFICES:
        return both
    larger_alone = _plays_of_one_die(position, dice[0], movement)
    if both:
        return {**larger_alone, **both}
    if obligation is DiceObligation.ALL:
        return {**larger_alone, **_plays_of_one_die(position, dice[1], movement)}
    return larger_alone or _plays_of_one_die(position, dice[1], movement)


def _plays_of_one_die(position: Position, die: int, movement: Movement) -> Plays:
    return {_after(position, (step,)): (step,) for step in steps(*position, die, movement)}


def _after(position: Position, taken: tuple[Step, ...]) -> Position:
    mine, theirs = bytearray(position.mine), bytearray(position.theirs)
    for step in taken:
        take_step(mine, theirs, step)
    return Position(bytes(mine), bytes(theirs))


def _both_dice_outside_home(position: Position, larger: int, smaller: int) -> Plays:
    """Plays of both dice where no checker can enter or bear off. The steps of the two dice are nearly independent."""
    mine, theirs = position
    state = int.from_bytes(mine + theirs, "little")
    firsts = _changes(theirs, steps(mine, theirs, larger))
    seconds = _changes(theirs, steps(mine, theirs, smaller))
    results: dict[int, tuple[Step, ...]] = {}
    for first, change in firsts:
        partial = state + change
        start, end = first
        for second, other in seconds:
            if second[0] != start or mine[start] > 1:
                after = partial + other
                if second[1] == end and theirs[BAR - end] == 1:
                    after -= _HIT[end]
                results[after] = (first, second)
    _add_chains(results, state, position, firsts, smaller)
    _add_chains(results, state, position, seconds, larger)
    return _unpack(results)


def _changes(theirs: bytes, taken: list[Step]) -> list[tuple[Step, int]]:
    """Each step with the number that it adds to a state."""
    return [
        (step, _ONE[step[1]] - _ONE[step[0]] + (_HIT[step[1]] if theirs[BAR - step[1]] == 1 else 0))
        for step in taken
    ]


def _add_chains(
    results: dict[int, tuple[Step, ...]],
    state: int,
    position: Position,
    firsts: list[tuple[Step, int]],
    die: int,
) -> None:
    """Adds plays of both dice by one checker, over a point without another checker of its side."""
    mine, theirs = position
    for first, change in firsts:
        middle = first[1]
        end = middle - die
        if end > OFF and not mine[middle] and theirs[BAR - end] < 2:
            second = (middle, end)
            hit = _HIT[end] if theirs[BAR - end] == 1 else 0
            results[state + change + _ONE[end] - _ONE[middle] + hit] = (first, second)


def _unpack(results: dict[int, tuple[Step, ...]]) -> Plays:
    plays: Plays = {}
    for state, taken in results.items():
        packed = state.to_bytes(2 * _SIDE, "little")
        plays[Position(packed[:_SIDE], packed[_SIDE:])] = taken
    return plays


def _both_dice_in_either_order(position: Position, larger: int, smaller: int, movement: Movement) -> Plays:
    """Plays the second die on the board after the first, in both orders."""
    results: dict[int, tuple[Step, ...]] = {}
    for die, other in ((larger, smaller), (smaller, larger)):
        for first in steps(*position, die, movement):
            mine, theirs = _after(position, (first,))
            state = int.from_bytes(mine + theirs, "little")
            for second, change in _changes(theirs, steps(mine, theirs, other, movement)):
                results[state + change] = (first, second)
    return _unpack(results)


def _plays_of_a_double(position: Position, die: int, movement: Movement) -> Plays:
    if movement.is_plain:
        by_count = _DoubleFromTheBack(position, die).by_count
    else:
        by_count = _double_in_every_order(position, die, movement)
    if movement.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        return _unpack({state: taken for results in by_count[1:] for state, taken in results.items()})
    return _unpack(next((results for results in reversed(by_count[1:]) if results), {}))


def _double_in_every_order(
    position: Position, die: int, movement: Movement
) -> list[dict[int, tuple[Step, ...]]]:
    """MOVE-3 in every order: the states after zero to four steps."""
    initial = int.from_bytes(position.mine + position.theirs, "little")
    by_count: list[dict[int, tuple[Step, ...]]] = [{initial: ()}]
    for _ in range(4):
        results: dict[int, tuple[Step, ...]] = {}
        for state, taken in by_count[-1].items():
            packed = state.to_bytes(2 * _SIDE, "little")
            mine, theirs = packed[:_SIDE], packed[_SIDE:]
            for step, change in _changes(theirs, steps(mine, theirs, die, movement)):
                results.setdefault(state + change, (*taken, step))
        by_count.append(results)
    return by_count


class _DoubleFromTheBack:
    """MOVE-3 from the back to the front: every play of a double has exactly one such order."""

    def __init__(self, position: Position, die: int) -> None:
        self.die = die
        self.mine, self.theirs = bytearray(position.mine), bytearray(position.theirs)
        self.by_count: list[dict[int, tuple[Step, ...]]] = [{} for _ in range(5)]
        self.open = [
            start for start in range(POINTS, 0, -1) if start <= die or position.theirs[BAR - start + die] < 2
        ]
        state, taken = self._enter(int.from_bytes(position.mine + position.theirs, "little"))
        if self.mine[BAR] or len(taken) == 4:
            self.by_count[len(taken)][state] = taken
        else:
            self._extend(0, state, taken)

    def _enter(self, state: int) -> tuple[int, tuple[Step, ...]]:
        """BAR-1: enters all checkers that can enter before others move."""
        end = BAR - self.die
        entering = min(self.mine[BAR], 4) if self.theirs[self.die] < 2 else 0
        for entered in range(entering):
            self.by_count[entered][state] = ((BAR, end),) * entered
            state += _ONE[end] - _ONE[BAR] + (_HIT[end] if self.theirs[self.die] == 1 else 0)
            take_step(self.mine, self.theirs, (BAR, end))
        return state, ((BAR, end),) * entering

    def _extend(self, index: int, state: int, taken: tuple[Step, ...]) -> None:
        """Adds steps from the points at this index of `open` and after it, up to four in all."""
        mine, theirs, count = self.mine, self.theirs, len(taken)
        self.by_count[count][state] = taken
        for onward in range(index, len(self.open)):
            start = self.open[onward]
            end = start - self.die
            if not mine[start] or (end <= OFF and not self._may_bear_off(start)):
                continue
            if end <= OFF:
                mine[start] -= 1
                self._extend_or_finish(onward, state - _ONE[start], (*taken, (start, OFF)))
                mine[start] += 1
                continue
            change = _ONE[end] - _ONE[start]
            hit = theirs[BAR - end]
            if count == 3:
                self.by_count[4][state + change + (_HIT[end] if hit else 0)] = (*taken, (start, end))
                continue
            mine[start] -= 1
            mine[end] += 1
            theirs[BAR - end] = 0
            self._extend(onward, state + change + (_HIT[end] if hit else 0), (*taken, (start, end)))
            theirs[BAR - end] = hit
            mine[end] -= 1
            mine[start] += 1

    def _extend_or_finish(self, index: int, state: int, taken: tuple[Step, ...]) -> None:
        if len(taken) == 4:
            self.by_count[4][state] = taken
        else:
            self._extend(index, state, taken)

    def _may_bear_off(self, start: int) -> bool:
        """OFF-1 to OFF-4."""
        behind = HOME if start == self.die else start
        return not any(self.mine[behind + 1 :])
