"""Infers the play between two positions, for formats that store positions and no plays.

The play need not be legal; the judge has the dice too.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from rules.board.moves import Move, Play
from rules.board.position import BAR, OFF, POINTS, Position

_MOST_MOVED = 4


def play_between(before: Position, after: Position, dice: tuple[int, int]) -> Play | None:
    """The moves of the side that is `mine` in both positions, backward ones too; None if no moves lead there."""
    starts = [point for point in range(BAR, OFF, -1) for _ in range(before.mine[point] - after.mine[point])]
    ends = [point for point in range(POINTS, OFF, -1) for _ in range(after.mine[point] - before.mine[point])]
    ends += [OFF] * (sum(before.mine) - sum(after.mine))
    if len(starts) > _MOST_MOVED or len(starts) != len(ends):
        return None
    ways = dict.fromkeys(permutations(ends))
    fitting = next((way for way in ways if _fits(starts, way, dice)), tuple(ends))
    hit = {BAR - point for point in range(1, BAR) if after.theirs[point] < before.theirs[point]}
    stops = sorted(hit.difference(ends), reverse=True)
    moves = [
        move._replace(hits=move.end in hit)
        for way in zip(starts, fitting, strict=True)
        for move in _hops(*way, stops, dice)
    ]
    return tuple(moves)


def _fits(starts: Sequence[int], ends: Sequence[int], dice: tuple[int, int]) -> bool:
    """True if every checker moved as far as dice allow; a checker borne off may have moved less."""
    first, second = dice
    ways = [1, 2, 3, 4] if first == second else [1]
    lengths = {first * count for count in ways} | {second, first + second}
    return all(
        start - end in lengths or (end == OFF and start < max(lengths))
        for start, end in zip(starts, ends, strict=True)
    )


def _hops(start: int, end: int, stops: Sequence[int], dice: tuple[int, int]) -> Iterator[Move]:
    """The moves of one checker, with a stop at every point between where it hit."""
    for point in stops:
        if end < point < start and (start - point) in dice:
            yield Move(start, point)
            start = point
    yield Move(start, end)
