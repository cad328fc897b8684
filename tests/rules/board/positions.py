"""Strategies for positions and rolls: reachable positions, many of them at the edge of a rule."""

from hypothesis import strategies as st

from rules.board.position import Position
from rules.board.stepping import Movement
from rules.ruleset import BearOff, DiceObligation, Ruleset

DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))

MOVEMENTS = st.builds(Movement, st.sampled_from(DiceObligation), st.sampled_from(BearOff), st.booleans())


def ruleset_of(movement):
    return Ruleset(
        dice_obligation=movement.dice_obligation,
        bear_off=movement.bear_off,
        hit_checker_first=movement.hit_checker_first,
    )


@st.composite
def positions(draw, points=None):
    """A legal position; `points` narrows down where the player on roll has checkers (bearing off, the bar)."""
    mine, theirs = bytearray(26), bytearray(26)
    own = (
        draw(st.sampled_from([range(1, 26), range(1, 7), (*range(1, 8), 25), range(1, 13)]))
        if points is None
        else points
    )
    for point in draw(st.lists(st.sampled_from(list(own)), min_size=1, max_size=15)):
        mine[point] += 1
    free = [point for point in range(1, 26) if point == 25 or not mine[25 - point]]
    for point in draw(st.lists(st.sampled_from(free), min_size=1, max_size=15)):
        theirs[point] += 1
    return Position(bytes(mine), bytes(theirs))
