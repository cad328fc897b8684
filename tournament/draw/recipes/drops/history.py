"""The history of losers: when they are free to play again, and the chance that two have met.

Exact, without sampling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tournament.draw.graph import Graph, Outcome, Pairing
from tournament.draw.graph.match_plan import match_slots, plan_matches
from tournament.draw.recipes.knockout import Spot

Chances: TypeAlias = dict[tuple[Spot, Spot], float]
_Ends: TypeAlias = tuple[int | None, int | None]


class History(NamedTuple):
    """The matches before a lower bracket.

    `slots` is the slot of play of each match. `met` is the chance that the losers of two matches have met before in any
    bracket, for all pairs with a chance above 0.
    """

    slots: Mapping[Spot, int]
    met: Mapping[tuple[Spot, Spot], float]


def history_of(pairings: Sequence[Pairing[Spot, int]], drops: Collection[Spot]) -> History:
    """Returns the history of the losers of `drops`. Every match is an independent toss.

    Two players part at a match. From there each pair of next matches is followed, the earlier one first, until both
    have lost a match of `drops`. A pair that meets again is followed from that match instead.
    """
    graph = Graph(pairings)
    plan = plan_matches(graph)
    numbers = {key: number for number, key in enumerate(plan.matches)}
    last = len(numbers)
    ends: list[_Ends] = []
    for number, key in enumerate(plan.matches):
        won, lost = (plan.after(key, outcome) for outcome in (Outcome.WINNER, Outcome.LOSER))
        loser = last + number if key in drops else numbers.get(lost) if lost else None
        ends.append((numbers.get(won) if won else None, loser))
    met = _follow_pairs(ends)
    keys = plan.matches
    chances = {(keys[first - last], keys[second - last]): chance for (first, second), chance in met.items()}
    return History(match_slots(graph, plan), chances)


def _follow_pairs(ends: Sequence[_Ends]) -> Mapping[tuple[int, int], float]:
    """Returns the chance that two have met, for numbers from `len(ends)` up, which are losers who drop."""
    reach: list[defaultdict[int, float]] = [defaultdict(float) for _ in ends]
    met: defaultdict[tuple[int, int], float] = defaultdict(float)

    def follow(number: int | None, other: int | None, chance: float) -> None:
        if number is None or other is None or number == other:
            return
        first, second = (number, other) if number < other else (other, number)
        if first < len(ends):
            reach[first][second] += chance
        else:
            met[first, second] += chance

    for number, (won, lost) in enumerate(ends):
        for other, chance in reach[number].items():
            follow(won, other, chance / 2)
            follow(lost, other, chance / 2)
        follow(won, lost, 1.0)
    return met
