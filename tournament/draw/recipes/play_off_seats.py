"""Positions of a play-off between groups, so that entries of one group meet again as late as possible.

Entries keep the strength of their place, so byes and seeds are as on any sheet. Only the position among entries of the
same place is chosen. No results, no lot.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.draw.recipes.knockout import seed_lines


def play_off_positions(groups: int, through: int) -> list[list[int]]:
    """Returns the positions of the first, second … of each group.

    The firsts take positions 1, 2, 3 … in the order of the groups, the seconds take the next positions, and so on. For
    each place the positions minimise the number of same-group pairs that can meet in round 1, then in round 2, and so
    on.
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
    """Returns the column of each row, each column once, with the least sum. Hungarian method with shortest paths."""
    task = _Assignment(costs)
    for row in range(len(costs)):
        task.place(row)
    return [task.row_in.index(row) for row in range(len(costs))]


class _Assignment:
    """Rows assigned so far, and prices at which no assigned row prefers another column.

    The column after the last holds the row that is being assigned.
    """

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.costs = costs
        self.wait = len(costs)
        self.row_in: list[int | None] = [None] * (self.wait + 1)
        self.row_price = [0] * self.wait
        self.column_price = [0] * (self.wait + 1)

    def place(self, row: int) -> None:
        """Assigns one more row, moving others along the cheapest path."""
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
