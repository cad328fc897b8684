"""The sheet of a knock-out whose players come from groups: those of one group meet again as late as can be.

Everybody keeps the strength of the own place, so byes and seeds stand where they stand on any sheet; only who of
those in the same place takes which of their positions is chosen here. No result is known, and no lot is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.draw.recipes.knockout import seed_lines


def play_off_positions(groups: int, through: int) -> list[list[int]]:
    """The positions of each group's first, second ... on a sheet of all of them.

    The firsts take positions 1, 2, 3 ... in the order of the groups, the seconds take the next positions, and so
    on. Place by place the positions are given so that as few as possible of one group can meet in the first round,
    then as few as possible in the second, and so on.
    """
    lines = seed_lines((groups * through - 1).bit_length())
    line_of = {position: line for line, position in enumerate(lines)}
    later = groups * through + 1
    positions = [[position] for position in range(1, groups + 1)]

    def cost(first: int, second: int) -> int:
        """One pair that can meet in a round outweighs all that can meet in the rounds after it."""
        rounds_to_go = len(lines).bit_length() - (line_of[first] ^ line_of[second]).bit_length()
        return int(later**rounds_to_go)

    for place in range(1, through):
        free = range(place * groups + 1, (place + 1) * groups + 1)
        costs = [[sum(cost(mate, position) for mate in own) for position in free] for own in positions]
        for own, column in zip(positions, cheapest_assignment(costs), strict=True):
            own.append(free[column])
    return positions


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """The column of each row, every column once, with the least sum: the Hungarian method with shortest paths."""
    task = _Assignment(costs)
    for row in range(len(costs)):
        task.place(row)
    return [task.row_in.index(row) for row in range(len(costs))]


class _Assignment:
    """Rows placed in columns so far, and the prices at which no placed row would rather have another column.

    The column beyond the last is where a row waits while it is placed.
    """

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.costs = costs
        self.wait = len(costs)
        self.row_in: list[int | None] = [None] * (self.wait + 1)
        self.row_price = [0] * self.wait
        self.column_price = [0] * (self.wait + 1)

    def place(self, row: int) -> None:
        """Finds a column for one more row, moving others along the cheapest path."""
        self.row_in[self.wait] = row
        came_from = dict.fromkeys(range(self.wait), self.wait)
        reached = [self.wait]
        gap: dict[int, int] = {}
        column = self.wait
        while (holder := self.row_in[column]) is not None:
            for other in came_from.keys() - reached:
                extra = self.costs[holder][other] - self.row_price[holder] - self.column_price[other]
                if other not in gap or extra < gap[other]:
                    gap[other], came_from[other] = extra, column
            column = min(gap, key=lambda other: (gap[other], other))
            step = gap.pop(column)
            self._raise_prices(reached, gap, step)
            reached.append(column)
        while column != self.wait:
            self.row_in[column] = self.row_in[came_from[column]]
            column = came_from[column]

    def _raise_prices(self, reached: list[int], gap: dict[int, int], by: int) -> None:
        for column in reached:
            holder = self.row_in[column]
            if holder is not None:
                self.row_price[holder] += by
            self.column_price[column] -= by
        for column in gap:
            gap[column] -= by
