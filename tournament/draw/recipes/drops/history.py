"""When the losers of a bracket are free to play again, and which of them can have met: exact, nothing is sampled."""

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
    """What came before a lower bracket.

    `slots` is the slot of play of each match. `met` is the chance that the losers of two matches have met before, in
    whichever bracket, for those pairs that can have.
    """

    slots: Mapping[Spot, int]
    met: Mapping[tuple[Spot, Spot], float]


def history(pairings: Sequence[Pairing[Spot, int]], drops: Collection[Spot]) -> History:
    """The history of those who drop from these matches; every match is a toss of its own.

    Two part at a match. From there each pair of next matches is followed, the earlier one first, until both have
    lost a match of `drops`; a pair that meets again is followed from that match instead.
    """
    graph = Graph(pairings)
    played = plan_matches(graph)
    numbers = {key: number for number, key in enumerate(played.matches)}
    last = len(numbers)
    ends: list[_Ends] = []
    for number, key in enumerate(played.matches):
        won, lost = (played.after(key, outcome) for outcome in (Outcome.WINNER, Outcome.LOSER))
        loser = last + number if key in drops else numbers.get(lost) if lost else None
        ends.append((numbers.get(won) if won else None, loser))
    met = _followed(ends)
    keys = played.matches
    chances = {(keys[one - last], keys[other - last]): chance for (one, other), chance in met.items()}
    return History(match_slots(graph, played), chances)


def _followed(ends: Sequence[_Ends]) -> Mapping[tuple[int, int], float]:
    """For numbers from `len(ends)` up, which are losers who drop, the chance that two have met."""
    ahead: list[defaultdict[int, float]] = [defaultdict(float) for _ in ends]
    met: defaultdict[tuple[int, int], float] = defaultdict(float)

    def follow(one: int | None, other: int | None, chance: float) -> None:
        if one is None or other is None or one == other:
            return
        first, second = (one, other) if one < other else (other, one)
        if first < len(ends):
            ahead[first][second] += chance
        else:
            met[first, second] += chance

    for number, (won, lost) in enumerate(ends):
        for other, chance in ahead[number].items():
            follow(won, other, chance / 2)
            follow(lost, other, chance / 2)
        follow(won, lost, 1.0)
    return met
